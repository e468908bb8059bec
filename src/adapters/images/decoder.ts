import { napiDecoder } from './napi.ts'

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
  /** It decodes a picture at its own size before it makes a smaller one, where others need not for a JPEG. */
  readonly decodesWhole?: true
}

/** The decoder built into Bun and the compiled binary. */
export const builtIn = (): Decoder | null => (globalThis as { Bun?: { Image?: Decoder } }).Bun?.Image ?? null

/** The runtime's own decoder, else that of an optional package, else none: photos are then refused. */
export const findDecoder = async (): Promise<Decoder | null> => builtIn() ?? (await napiDecoder().catch(() => null))
