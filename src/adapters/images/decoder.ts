import { napiDecoder } from './napi.ts'

/** What Bun.Image offers of what we need. Errors carry a code that begins with ERR_IMAGE_ when it is the picture's fault. */
export type Picture = {
  /** Within width and height, in proportion, never larger than it is. */
  resize: (width: number, height: number, options: { fit: 'inside'; withoutEnlargement: boolean }) => Picture
  webp: (options: { quality: number }) => Picture
  jpeg: (options: { quality: number }) => Picture
  metadata: () => Promise<{ format: string }>
  /** Upright, without EXIF; of the same type unless told otherwise. */
  bytes: () => Promise<Uint8Array<ArrayBuffer>>
}
export type Decoder = new (bytes: Uint8Array<ArrayBuffer>, options: { maxPixels: number }) => Picture

/** The runtime's own: Bun has one, and so has the compiled binary. */
export const builtIn = (): Decoder | null => (globalThis as { Bun?: { Image?: Decoder } }).Bun?.Image ?? null

/** The runtime's own decoder, else that of an optional package, else none: photos are then refused. */
export const findDecoder = async (): Promise<Decoder | null> => builtIn() ?? (await napiDecoder().catch(() => null))
