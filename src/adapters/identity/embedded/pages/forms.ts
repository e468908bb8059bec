import { readStream } from '../../../../core/streams.ts'
import { AppError, bodyRefusals } from '../../../../errors.ts'

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/**
 * The body of a request, read no further than `limit` bytes; empty where there is none.
 * @throws body_too_large; unsupported_media_type for anything but a form as it is
 */
export async function formOf(request: Request, limit: number): Promise<Buffer> {
  const { headers } = request
  if (Number(headers.get('content-length') ?? 0) > limit) throw new AppError('body_too_large')
  const bytes = await readStream(request.body, limit, bodyRefusals)
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (bytes.length > 0 && (encoding.toLowerCase() !== 'identity' || !FORM.test(headers.get('content-type') ?? '')))
    throw new AppError('unsupported_media_type')
  return bytes
}
