import { AppError } from '../../../../errors.ts'

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/**
 * The body of a request, read no further than `limit` bytes; empty where there is none.
 * @throws body_too_large; unsupported_media_type for anything but a form as it is
 */
export async function formOf(request: Request, limit: number): Promise<Buffer> {
  const { headers } = request
  if (Number(headers.get('content-length') ?? 0) > limit) throw new AppError('body_too_large')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw new AppError('body_too_large')
    chunks.push(chunk)
  }
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (size > 0 && (encoding.toLowerCase() !== 'identity' || !FORM.test(headers.get('content-type') ?? '')))
    throw new AppError('unsupported_media_type')
  return Buffer.concat(chunks)
}
