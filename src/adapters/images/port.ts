/** What a file's header says about it, read without decoding. */
export type Inspected = {
  readonly contentType: string
  /** Pixels; 0 where the type has none. */
  readonly width: number
  readonly height: number
  /** The end marker is present: the file is not truncated. */
  readonly whole: boolean
  /** Bytes of memory for each pixel, to decode it at its size and to decode it for a small preview. */
  readonly memory: { readonly whole: number; readonly preview: number }
}
export type Photo = {
  /**
   * The picture in the same type, without data about place and person; upright, except a JPEG too large to be decoded,
   * whose EXIF says how it is turned.
   */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** WebP, by width. Empty for a picture that is too large to be decoded even for these. */
  readonly thumbnails: Readonly<Record<string, Uint8Array<ArrayBuffer>>>
}

export type Images = {
  /** Whether photos can be prepared at all in this runtime. */
  readonly available: boolean
  /** JPEG, PNG, WebP or PDF; undefined for anything else. */
  readonly inspect: (bytes: Uint8Array) => Inspected | undefined
  /** `sizes`: widths of the thumbnails, the smallest first. Undefined when it cannot be decoded. */
  readonly prepare: (
    bytes: Uint8Array<ArrayBuffer>,
    sizes: readonly string[],
    maxPixels: number,
  ) => Promise<Photo | undefined>
  /** Runs heavy work one at a time, so that a picture's pixels are in memory once only. @throws overloaded */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

/** The part of Bun.Image that we use. Errors caused by the picture have a code that begins with ERR_IMAGE_. */
export type Picture = {
  /** Within width and height, in proportion, never larger than it is. */
  resize: (width: number, height: number, options: { fit: 'inside'; withoutEnlargement: boolean }) => Picture
  webp: (options: { quality: number }) => Picture
  jpeg: (options: { quality: number }) => Picture
  metadata: () => Promise<{ format: string }>
  /** Rotated upright, without EXIF; the type stays unless another is given. */
  bytes: () => Promise<Uint8Array<ArrayBuffer>>
}
export type Decoder = (new (
  bytes: Uint8Array<ArrayBuffer>,
  options: { maxPixels: number },
) => Picture) & {
  /** This decoder decodes a JPEG at its full size before it makes a smaller one; others need not. */
  readonly decodesWhole?: true
}
