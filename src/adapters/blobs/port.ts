/** An upload without a name yet: the caller stores it under a name or drops it. */
export type Received = {
  readonly sizeBytes: number
  /** Hex. */
  readonly sha256: string
  readonly keep: (name: string) => Promise<void>
  readonly drop: () => Promise<void>
}

/** An open file; the caller closes it or reads it through one of these methods. */
export type OpenBlob = {
  readonly sizeBytes: number
  /** Streams the bytes from start to end, both included; closes the file at the end. */
  readonly part: (start: number, end: number) => Promise<Blob>
  /** Streams the whole file; closes it at the end. */
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>
  readonly close: () => Promise<void>
}

/**
 * File storage. The service makes all names: an object's id, a dot, and words of [a-z0-9] separated by dots. No input
 * of a client ever becomes a name.
 */
export type Blobs = {
  /**
   * Reads a body to the end and hashes it. With `makesRoom` it is stored even on a nearly full disk, as papers are.
   * @throws body_too_large beyond `limit` bytes, storage_unavailable without room
   */
  readonly receive: (
    body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | Uint8Array | null,
    limit: number,
    options?: { readonly makesRoom?: boolean },
  ) => Promise<Received>
  readonly open: (name: string) => Promise<OpenBlob | undefined>
  /** Removes the files of an object, all or those that `which` selects; it is no error if there are none. */
  readonly remove: (id: string, which?: (name: string) => boolean) => Promise<void>
  /** Removes uploads that were neither stored nor dropped because their process died. @returns how many */
  readonly tidy: () => Promise<number>
}

/** Bytes available to this process, and in total, on the disk of a folder. */
export type FreeOf = (folder: string) => Promise<{ readonly free: number; readonly total: number }>
/** True while the disk is too full for uploads and other data that only grow. */
export type Room = {
  /** The last reading, at most a few seconds old while requests come in. */
  readonly isLow: () => boolean
  readonly look: () => Promise<void>
}
