// An S3 storage in memory that checks each signature by the text of "Signature Version 4", with the faults of a real one.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { atEnd } from './folder.ts'

export const KEY_ID = 'AKIDEXAMPLE'
export const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const SKEW_MS = 15 * 60_000
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Uint8Array | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

export type Signed = {
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}
/** RFC 3986: what JavaScript leaves as it is, S3 escapes. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** The signature that a request must carry. */
export function signatureOf(
  { method, url, headers }: Signed,
  signed: readonly string[],
  scope: string,
  secret: string,
) {
  const { pathname, searchParams } = new URL(url, 'http://x')
  const path = pathname
    .split('/')
    .map((part) => escaped(decodeURIComponent(part)))
    .join('/')
  const query = [...searchParams]
    .map(([name, value]) => [escaped(name), escaped(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')
  const lines = signed.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  )
  const request = [method, path, query, lines.join(''), signed.join(';'), headers['x-amz-content-sha256']].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n')
  const key = scope.split('/').reduce((made: Uint8Array | string, part) => hmac(made, part), `AWS4${secret}`)
  return hmac(key, text).toString('hex')
}

export type Fault =
  | 'none'
  /** Takes half of an upload, then hangs up. */
  | 'cut off'
  /** Says it has all of an upload, and keeps half. */
  | 'half kept'
  /** Sends half of an object, then hangs up. */
  | 'half sent'
  /** Answers the first two requests with 503. */
  | 'busy twice'
  | 'busy'
  | 'silent'
  /** Sends a little, then nothing more. */
  | 'stuck'
  | 'no deletes'
  /** Names the same page of its listing again and again. */
  | 'endless list'
  /** Sends an object without saying how long it is, and twice. */
  | 'longer'

export async function startS3({ bucket = 'homes', region = 'eu-west-3', page = 2 } = {}) {
  const objects = new Map<string, Buffer>()
  const asked: string[] = []
  const state = { fault: 'none' as Fault, skewMs: 0, bytes: 0 }
  let busy = 0

  /** Why a request is refused: status and code. */
  function refusal({ method = '', url = '', headers }: IncomingMessage, body: Buffer): [number, string] | undefined {
    const [, keyId = '', scope = '', names = '', given = ''] =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
        headers.authorization ?? '',
      ) ?? []
    if (keyId === '') return [403, 'AccessDenied']
    if (keyId !== KEY_ID) return [403, 'InvalidAccessKeyId']
    const date = String(headers['x-amz-date'])
    const [day, place, service, end] = scope.split('/')
    const sentAt = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
    if (!(Math.abs(Date.now() + state.skewMs - sentAt) <= SKEW_MS)) return [403, 'RequestTimeTooSkewed']
    if (place !== region) return [400, 'AuthorizationHeaderMalformed']
    if (day !== date.slice(0, 8) || service !== 's3' || end !== 'aws4_request') return [403, 'SignatureDoesNotMatch']
    const signed = names.split(';')
    const mustBe = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
    if (mustBe.some((name) => !signed.includes(name))) return [403, 'AccessDenied']
    const own = signatureOf({ method, url, headers }, signed, scope, SECRET)
    if (!timingSafeEqual(Buffer.from(own), Buffer.from(given))) return [403, 'SignatureDoesNotMatch']
    if (sha256(body) !== headers['x-amz-content-sha256']) return [400, 'XAmzContentSHA256Mismatch']
    if (!url.startsWith(`/${bucket}/`) && !url.startsWith(`/${bucket}?`)) return [404, 'NoSuchBucket']
    return undefined
  }
  const answerList = (query: URLSearchParams): string => {
    const all = [...objects.keys()].sort().filter((key) => key.startsWith(query.get('prefix') ?? ''))
    const from = Number(query.get('continuation-token')?.slice(2) ?? 0)
    const some = all.slice(from, from + page)
    const contents = some.map(
      (key) =>
        `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><Size>${objects.get(key)?.byteLength}</Size></Contents>`,
    )
    const next =
      state.fault === 'endless list'
        ? '<NextContinuationToken>t&amp;0</NextContinuationToken>'
        : from + page < all.length
          ? `<NextContinuationToken>t&amp;${from + page}</NextContinuationToken>`
          : ''
    return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
  }
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const end = (status: number, code: string) =>
      void response
        .writeHead(status, {
          'content-type': 'application/xml',
          date: new Date(Date.now() + state.skewMs).toUTCString(),
        })
        .end(method === 'HEAD' ? '' : `<Error><Code>${code}</Code><Message>No &amp; no.</Message></Error>`)
    const { fault } = state
    asked.push(`${method} ${url.split('?')[0]}`)
    if (fault === 'silent') return
    const pieces: Buffer[] = []
    for await (const piece of request) {
      pieces.push(piece as Buffer)
      if (fault === 'cut off' && method === 'PUT') return void request.socket.destroy()
    }
    const body = Buffer.concat(pieces)
    state.bytes += body.byteLength
    if (fault === 'busy' || (fault === 'busy twice' && busy++ < 2)) return end(503, 'SlowDown')
    const wrong = refusal(request, body)
    if (wrong) return end(...wrong)
    const { pathname, searchParams } = new URL(url, 'http://x')
    const key = decodeURIComponent(pathname.slice(bucket.length + 2))
    if (method === 'PUT') {
      objects.set(key, fault === 'half kept' ? body.subarray(0, body.byteLength >> 1) : body)
      return void response.end()
    }
    if (method === 'DELETE') {
      if (fault === 'no deletes') return end(403, 'AccessDenied')
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    if (key === '') return void response.end(answerList(searchParams))
    const object = objects.get(key)
    if (!object) return end(404, 'NoSuchKey')
    if (fault === 'longer') return void response.writeHead(200).end(Buffer.concat([object, object]))
    response.writeHead(200, { 'content-length': object.byteLength })
    if (method === 'HEAD') return void response.end()
    if (fault !== 'half sent' && fault !== 'stuck') return void response.end(object)
    response.write(object.subarray(0, object.byteLength >> 1), () => {
      if (fault === 'half sent') setTimeout(() => request.socket.destroy(), 50)
    })
  }
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  atEnd(stop)
  const endpoint = `http://127.0.0.1:${address.port}`
  const settings = { endpoint, region, keyId: KEY_ID, secret: SECRET }
  return { endpoint, settings, objects, asked, state, stop }
}
