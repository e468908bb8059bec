/** What a file's header says about it, read without decoding. */
export type Inspected = {
  readonly contentType: string
  /** Pixels; 0 where the type has none. */
  readonly width: number
  readonly height: number
  /** The end marker is present: the file is not truncated. */
  readonly whole: boolean
}
export type Photo = {
  /** Of the same type, upright, without the data about where and by whom it was taken. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** WebP, by width. */
  readonly thumbnails: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
}

export type Images = {
  /** Whether photos can be prepared at all in this runtime. */
  readonly available: boolean
  /** JPEG, PNG, WebP or PDF; undefined for anything else. */
  readonly inspect: (bytes: Uint8Array) => Inspected | undefined
  /** Undefined when it cannot be decoded. */
  readonly prepare: (
    bytes: Uint8Array<ArrayBuffer>,
    sizes: readonly string[],
    maxPixels: number,
  ) => Promise<Photo | undefined>
  /** Runs heavy work one at a time, so that a picture's pixels are in memory once only. @throws overloaded */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}
