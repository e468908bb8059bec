import { type Send, sendAgain } from './again.ts'
import { type Client, ok, type Schema } from './client.ts'

/**
 * Uploads a photo or a document: announces it, sends its bytes, and has it checked. A photo that the network lost on its
 * way is sent again. @throws ProblemError, with what the API refused; TypeError without network
 */
export async function upload(
  client: Client,
  about: Omit<Schema<'MediaCreate'>, 'sizeBytes'>,
  bytes: Blob,
  send: Send = (request) => fetch(request),
): Promise<Schema<'MediaObject'>> {
  const body = { ...about, sizeBytes: bytes.size }
  const { id, upload: to } = ok(await client.POST('/api/v1/media', { body }))
  const request = () => new Request(to.url, { method: to.method, headers: { ...to.headers }, body: bytes })
  const answer = await sendAgain(send, request)
  ok({ error: answer.ok ? undefined : await answer.json().catch(() => undefined), response: answer })
  return ok(await client.POST('/api/v1/media/{id}/complete', { params: { path: { id } } }))
}
