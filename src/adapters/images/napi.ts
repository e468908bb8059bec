import type { Decoder, Picture } from './port.ts'

class BadPicture extends Error {
  readonly code = 'ERR_IMAGE_DECODE'
}
const decoding = <T>(work: Promise<T>): Promise<T> =>
  work.catch((e: unknown) => {
    throw new BadPicture('not decoded', { cause: e })
  })

/** Implements the same interface for runtimes without Bun.Image. Rejects where the optional package is not installed. */
export async function napiDecoder(): Promise<Decoder> {
  // Imported here because the compiled binary does not contain the package.
  const { ResizeFit, Transformer } = await import('@napi-rs/image')
  return class implements Picture {
    static readonly decodesWhole = true
    readonly #original: Uint8Array<ArrayBuffer>
    readonly #maxPixels: number
    #within: { readonly width: number; readonly height: number } | undefined
    #as: { readonly format: string; readonly quality: number } | undefined

    constructor(original: Uint8Array<ArrayBuffer>, { maxPixels }: { maxPixels: number }) {
      this.#original = original
      this.#maxPixels = maxPixels
    }
    resize(width: number, height: number): this {
      this.#within = { width, height }
      return this
    }
    webp({ quality }: { quality: number }): this {
      this.#as = { format: 'webp', quality }
      return this
    }
    jpeg({ quality }: { quality: number }): this {
      this.#as = { format: 'jpeg', quality }
      return this
    }
    async metadata(): Promise<{ format: string; width: number; height: number }> {
      // Reads the header alone: the size is checked before any pixel is decoded.
      const size = await decoding(new Transformer(this.#original).metadata())
      if (size.width * size.height > this.#maxPixels) throw new BadPicture('too many pixels')
      return size
    }
    async bytes(): Promise<Uint8Array<ArrayBuffer>> {
      const { format, width, height } = await this.metadata()
      const picture = new Transformer(this.#original).rotate()
      const within = this.#within
      if (within && Math.max(width / within.width, height / within.height) > 1)
        picture.resize({ ...within, fit: ResizeFit.Inside })
      const as = this.#as ?? { format, quality: 85 }
      const encoded = decoding(
        as.format === 'webp'
          ? picture.webp(as.quality)
          : as.format === 'jpeg'
            ? picture.jpeg(as.quality)
            : picture.png(),
      )
      return new Uint8Array(await encoded)
    }
  }
}
