// Photos on their way to the server: small enough for a slow network, and without what the camera wrote into them.
import { api, data, Trouble } from '../shared/api.ts'
import { userId } from './offline.ts'

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
  // 409: the photo is there already, because an earlier answer was lost
  if (sent?.status !== 204 && sent?.status !== 409) throw new Trouble()
  await data(
    api.POST('/api/v1/media/{id}/complete', {
      params: { path: { id: media.id }, header: { 'Idempotency-Key': `${key}-complete` } },
    }),
  )
  return media.id
}
