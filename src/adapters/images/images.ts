import { AppError } from '../../errors.ts'
import { builtIn, type Decoder, type Picture } from './decoder.ts'
import { inspect, withoutTexts } from './inspect.ts'
import type { Images } from './port.ts'

const QUALITY = 85
const WAITING = 32

/** Prepares photos for storage. Decoding and encoding again removes everything that is not picture. */
export function createImages(Decoder: Decoder | null = builtIn()): Images {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    available: Decoder !== null,
    inspect,
    async prepare(given, sizes, maxPixels) {
      if (!Decoder) throw new AppError('photos_unavailable', undefined, { retryAfter: 3600 })
      const read = (source: Uint8Array<ArrayBuffer>): Picture => new Decoder(source, { maxPixels })
      try {
        const source = withoutTexts(given)
        const { format } = await read(source).metadata()
        const picture = read(source)
        const bytes = await (format === 'jpeg' ? picture.jpeg({ quality: QUALITY }) : picture).bytes()
        const thumbnails: Record<string, Uint8Array<ArrayBuffer>> = {}
        for (const size of sizes)
          thumbnails[size] = await read(bytes)
            .resize(Number(size), Number(size), { fit: 'inside', withoutEnlargement: true })
            .webp({ quality: 80 })
            .bytes()
        return { bytes, thumbnails }
      } catch (e) {
        if (e instanceof Error && 'code' in e && String(e.code).startsWith('ERR_IMAGE_')) return undefined
        throw e
      }
    },
    async inTurn(work) {
      if (waiting >= WAITING) throw new AppError('overloaded', undefined, { retryAfter: 5 })
      waiting += 1
      const turn = last.then(work, work).finally(() => {
        waiting -= 1
      })
      last = turn.catch(() => undefined)
      return turn
    },
  }
}
