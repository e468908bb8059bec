import { FILE } from '../../core/budgets.ts'
import { AppError } from '../../errors.ts'
import { cleaned, withoutTexts } from './clean.ts'
import { builtIn } from './decoder.ts'
import { inspect } from './inspect.ts'
import type { Decoder, Images, Picture } from './port.ts'

const QUALITY = 85
const WAITING = 32

/** Decoding and encoding again removes everything that is not picture, and turns it upright. */
async function encodedAgain(read: (source: Uint8Array<ArrayBuffer>) => Picture, source: Uint8Array<ArrayBuffer>) {
  const { format } = await read(source).metadata()
  const picture = read(source)
  return (format === 'jpeg' ? picture.jpeg({ quality: QUALITY }) : picture).bytes()
}

/** Prepares photos for storage, each within `most` bytes of memory: a larger one is cleaned as it is coded. */
export function createImages(Decoder: Decoder | null = builtIn(), most: number = FILE.decoded): Images {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    available: Decoder !== null,
    inspect,
    async prepare(original, sizes, maxPixels) {
      if (!Decoder) throw new AppError('photos_unavailable', undefined, { retryAfter: 3600 })
      const about = inspect(original)
      if (!about || about.width * about.height > maxPixels) return undefined
      const pixels = about.width * about.height
      const memory = pixels * about.memory.whole
      const preview = Decoder.decodesWhole ? memory : pixels * about.memory.preview
      const read = (source: Uint8Array<ArrayBuffer>): Picture => new Decoder(source, { maxPixels })
      try {
        const bytes = memory <= most ? await encodedAgain(read, withoutTexts(original)) : await cleaned(original)
        if (!bytes) return undefined
        const thumbnails: Record<string, Uint8Array<ArrayBuffer>> = {}
        // Each is made of the next larger: decoding the whole picture again takes longer than all else.
        let larger = bytes
        for (const size of preview <= most ? sizes.toReversed() : []) {
          larger = await read(larger)
            .resize(Number(size), Number(size), { fit: 'inside', withoutEnlargement: true })
            .webp({ quality: 80 })
            .bytes()
          thumbnails[size] = larger
        }
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
