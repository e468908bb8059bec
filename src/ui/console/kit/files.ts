// Files on their way to the server: announced, sent by a signed link, completed; and files that the browser saves.
import { api, data, type Schemas, Trouble } from '../../shared/api.ts'
import { refuseHeic } from '../../shared/scaled.ts'

type About = Pick<Schemas['MediaObject'], 'ownerType' | 'ownerId' | 'kind'>
/** A spreadsheet of Excel. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf', 'text/csv', XLSX]

/**
 * Sends a file; under the same key it is sent once, however often it is tried. @returns its id @throws Trouble, also of
 * a type or size that the server refuses
 */
export async function sendFile(file: Blob & { readonly name?: string }, about: About, key: string): Promise<string> {
  await refuseHeic(file)
  // a type that the browser does not know is refused by the server with a sentence
  const contentType = (TYPES.includes(file.type) ? file.type : 'application/pdf') as Schemas['MediaContentType']
  const media = await data(
    api.POST('/api/v1/media', {
      params: { header: { 'Idempotency-Key': `${key}-file` } },
      body: { ...about, filename: file.name?.slice(0, 200) || 'photo.jpg', contentType, sizeBytes: file.size },
    }),
  )
  const { method, url, headers } = media.upload
  const sent = await fetch(url, { method, headers, body: file }).catch(() => undefined)
  // 409: the file is there already, because an earlier answer was lost
  if (sent?.status !== 204 && sent?.status !== 409)
    throw new Trouble((await sent?.json().catch(() => undefined)) as Schemas['Problem'] | undefined)
  const params = { path: { id: media.id }, header: { 'Idempotency-Key': `${key}-complete` } }
  await data(api.POST('/api/v1/media/{id}/complete', { params }))
  return media.id
}

/** Hands a file to the browser, which saves it. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
