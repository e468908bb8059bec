// Photos as they are sent: small enough for a slow network, and without what the camera wrote into them.
import { type Schemas, Trouble } from './api.ts'
import { bilingual } from './words.svelte.ts'

const SIDE = 1600
const words = bilingual(
  {
    heic: 'Cette photo est au format HEIC de l’iPhone, que cet appareil ne sait pas lire. Choisissez-en une capture d’écran. Pour les suivantes, sur l’iPhone\u00a0: Réglages, Appareil photo, Formats, «\u00a0Le plus compatible\u00a0».',
    broken: 'Cette photo ne peut pas être lue. Reprenez-la, ou choisissez-en une capture d’écran.',
  },
  {
    heic: 'This photo is in HEIC, the iPhone’s own format, which this device cannot read. Choose a screenshot of it. For the next ones, on the iPhone: Settings, Camera, Formats, “Most Compatible”.',
    broken: 'This photo cannot be read. Take it again, or choose a screenshot of it.',
  },
)

const refused = (detail: string): Trouble => new Trouble({ title: detail, detail, status: 422 } as Schemas['Problem'])

/** @throws Trouble for the iPhone's own format, which neither browsers nor papers can show */
export async function refuseHeic(file: Blob): Promise<void> {
  const begins = await file
    .slice(4, 12)
    .text()
    .catch(() => '')
  if (/^ftyp(?:hei|hev|mif1|msf1)/.test(begins)) throw refused(words.t.heic)
}

/** At most 1600 px and of its pixels alone: a tenth of the bytes. @throws Trouble for what this browser cannot read as a picture */
export async function scaled(file: Blob): Promise<Blob> {
  try {
    return await drawn(await createImageBitmap(file, { imageOrientation: 'from-image' }))
  } catch {
    await refuseHeic(file)
    throw refused(words.t.broken)
  }
}

function drawn(picture: ImageBitmap): Promise<Blob> {
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('no canvas')
  // transparent parts of a screenshot would be black in a JPEG
  paper.fillStyle = '#fff'
  paper.fillRect(0, 0, canvas.width, canvas.height)
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/jpeg', 0.8),
  )
}
