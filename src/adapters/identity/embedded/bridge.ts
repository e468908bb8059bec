import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, Writable } from 'node:stream'

/** The part of a Node response that Koa and the provider use, collected for the Fetch response. */
class Answer extends Writable {
  statusCode = 404
  statusMessage = ''
  headersSent = false
  readonly chunks: Buffer[] = []
  readonly #headers = new Map<string, string | string[]>()

  setHeader(name: string, value: string | number | readonly string[]): this {
    this.#headers.set(name.toLowerCase(), Array.isArray(value) ? value.map(String) : String(value))
    return this
  }
  getHeader = (name: string) => this.#headers.get(name.toLowerCase())
  getHeaders = () => Object.fromEntries(this.#headers)
  getHeaderNames = () => [...this.#headers.keys()]
  hasHeader = (name: string) => this.#headers.has(name.toLowerCase())
  removeHeader = (name: string) => void this.#headers.delete(name.toLowerCase())
  flushHeaders = () => undefined
  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)
    done()
  }
}

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>
export type Mount = {
  /** The issuer's host, scheme and path override those of the request. */
  readonly issuer: URL
  readonly handler: Handler
}

/** Runs a Node request handler on a Fetch request whose body has been read. `path`: the path below the issuer. */
export async function bridge(
  mount: Mount,
  request: Request,
  body: Buffer,
  path: string,
  address: string,
): Promise<Response> {
  const { issuer } = mount
  const headers = Object.fromEntries(request.headers)
  for (const name of Object.keys(headers))
    if (/^(x-forwarded-|forwarded$|transfer-encoding$|content-length$)/.test(name)) delete headers[name]
  headers.host = issuer.host
  if (body.length > 0) headers['content-length'] = String(body.length)
  const url = path + new URL(request.url).search
  const req = Object.assign(Readable.from(body.length > 0 ? [body] : [], { objectMode: false }), {
    method: request.method,
    url,
    originalUrl: issuer.pathname + url,
    baseUrl: issuer.pathname,
    headers,
    httpVersion: '1.1',
    socket: { encrypted: issuer.protocol === 'https:', remoteAddress: address },
  })
  const res = new Answer()
  const finished = new Promise<void>((resolve, reject) => res.once('finish', resolve).once('error', reject))
  // The provider uses only the members above.
  await mount.handler(req as unknown as IncomingMessage, res as unknown as ServerResponse)
  await finished
  const answer = new Headers()
  for (const [name, value] of Object.entries(res.getHeaders()))
    for (const item of Array.isArray(value) ? value : [value]) answer.append(name, item)
  const empty = request.method === 'HEAD' || [204, 205, 304].includes(res.statusCode)
  return new Response(empty ? null : Buffer.concat(res.chunks), { status: res.statusCode, headers: answer })
}
