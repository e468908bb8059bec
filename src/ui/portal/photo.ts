// Photos on their way to the server: small enough for a slow network, and without what the camera wrote into them.
import { api, data, Trouble } from '../shared/api.ts'
import { userId } from './offline.ts'

const SIDE = 1600

/** At most 1600 px and of its pixels alone: a tenth of the bytes. @throws for what this browser cannot read as a picture */
export async function scaled(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('no canvas')
  // what a screenshot leaves out would be black in a JPEG
  paper.fillStyle = '#fff'
  paper.fillRect(0, 0, canvas.width, canvas.height)
  paper.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture'))), 'image/jpeg', 0.8),
  )
}

/** Sends a photo; under the same key it is sent once, however often it is tried. @returns its id @throws Trouble */
export async function upload(
  photo: Blob,
  key: string,
  ownerType: 'USER' | 'VERIFICATION',
  filename: string,
): Promise<string> {
  const media = await data(
    api.POST('/api/v1/media', {
      params: { header: { 'Idempotency-Key': `${key}-photo` } },
      body: {
        ownerType,
        ownerId: userId(),
        kind: 'PHOTO',
        filename,
        contentType: 'image/jpeg',
        sizeBytes: photo.size,
      },
    }),
  )
  const { method, url, headers } = media.upload
  const sent = await fetch(url, { method, headers, body: photo }).catch(() => undefined)
  // 409: it is there already, from an answer that was lost
  if (sent?.status !== 204 && sent?.status !== 409) throw new Trouble()
  await data(
    api.POST('/api/v1/media/{id}/complete', {
      params: { path: { id: media.id }, header: { 'Idempotency-Key': `${key}-complete` } },
    }),
  )
  return media.id
}
