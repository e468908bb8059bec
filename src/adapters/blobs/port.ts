/** What came in under no name yet: to be kept under one, or dropped. */
export type Received = {
  readonly sizeBytes: number
  /** Hex. */
  readonly sha256: string
  readonly keep: (name: string) => Promise<void>
  readonly drop: () => Promise<void>
}

/** A file that is there; to be closed, or read one way. */
export type OpenBlob = {
  readonly sizeBytes: number
  /** Bytes from start to end, both included, read when they are sent; closes the file. */
  readonly part: (start: number, end: number) => Promise<Blob>
  /** Everything, and closes the file. */
  readonly bytes: () => Promise<Uint8Array<ArrayBuffer>>
  readonly close: () => Promise<void>
}

/**
 * Where files are kept. Names are made by the service: an object's id, a dot, and words of [a-z0-9] with dots between
 * them. Nothing of a client's ever becomes a name.
 */
export type Blobs = {
  /** Reads a body to the end, hashing. @throws body_too_large beyond `limit` bytes, storage_unavailable without room */
  readonly receive: (
    body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | Uint8Array | null,
    limit: number,
  ) => Promise<Received>
  readonly open: (name: string) => Promise<OpenBlob | undefined>
  /** Removes the files of an object, all or those that `which` picks; none is no error. */
  readonly remove: (id: string, which?: (name: string) => boolean) => Promise<void>
  /** Forgets what was received and neither kept nor dropped: its process died. @returns how many */
  readonly tidy: () => Promise<number>
}

/** Bytes free for this process, and in all, on the disk of a folder. */
export type FreeOf = (folder: string) => Promise<{ readonly free: number; readonly total: number }>
/** Whether the disk is so full that nothing is taken in that only grows. */
export type Room = {
  /** As last seen, a few seconds ago at most while requests come in. */
  readonly isLow: () => boolean
  readonly look: () => Promise<void>
}
