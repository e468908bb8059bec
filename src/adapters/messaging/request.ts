import type { Channel, Outcome, OutgoingMessage } from './port.ts'

/** One vendor's API: what it can send, and one attempt at it. */
export type Vendor = {
  readonly name: string
  readonly channels: readonly Channel[]
  readonly send: (message: OutgoingMessage, lifeSeconds: number, id: string) => Promise<Outcome>
}
export type Request = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const PATIENCE_MS = 5_000
const MAX_BYTES = 65_536

/** Sends once; `read` returns the outcome of a 2xx body, or undefined where it recognizes nothing. */
export async function post(
  request: Request,
  read: (body: unknown) => Outcome | undefined,
  patienceMs = PATIENCE_MS,
): Promise<Outcome> {
  let answer: { status: number; retryAfter: string | null; text: string }
  try {
    answer = await exchange(request, AbortSignal.timeout(patienceMs))
  } catch (e) {
    return { took: false, reason: troubleOf(e), again: true, fault: 'vendor' }
  }
  const { status } = answer
  const body = jsonOf(answer.text)
  if (status >= 200 && status < 300)
    // The vendor may have accepted the message: a retry could duplicate it.
    return read(body) ?? { took: false, reason: 'unreadable_answer', again: false, fault: 'vendor' }
  const detail = errorCodeOf(body)
  const busy = status === 408 || status === 429
  const afterMs = busy || status === 503 ? millisecondsOf(answer.retryAfter) : undefined
  return {
    took: false,
    reason: `http_${status}${detail === undefined ? '' : `_${detail}`}`,
    again: busy || status >= 500,
    // Wrong credentials or a wrong address are not the fault of this message.
    fault: busy || status >= 500 || status === 401 || status === 403 || status < 400 ? 'vendor' : 'message',
    ...(afterMs === undefined ? {} : { afterMs }),
  }
}

async function exchange({ url, headers, body }: Request, signal: AbortSignal) {
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) break
    text += decoder.decode(chunk, { stream: true })
  }
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text }
}

/** The runtime's error code, never its sentence, which may contain the address and with it a key. */
function troubleOf(e: unknown): string {
  const of = (key: 'name' | 'code', from: unknown): string | undefined => {
    const value = typeof from === 'object' && from !== null ? Reflect.get(from, key) : undefined
    return typeof value === 'string' ? value : undefined
  }
  if (of('name', e) === 'TimeoutError') return 'timeout'
  const code = of('code', e) ?? of('code', e instanceof Error ? e.cause : undefined)
  return code !== undefined && /^[A-Za-z_]{1,40}$/.test(code) ? `network_${code}` : 'network'
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Retry-After as whole seconds or an HTTP date. */
function millisecondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  const ms = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** The value in a body at a path such as `messages.0.id`. */
export const at = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((o, key) => (typeof o === 'object' && o !== null ? Reflect.get(o, key) : undefined), body)

/** A message id of the vendor: text or number, short enough for a row. */
export function idOf(value: unknown): string | undefined {
  const id = typeof value === 'number' ? String(value) : value
  return typeof id === 'string' && id !== '' && id.length <= 128 ? id : undefined
}

/** A vendor's error code if it is a short word or number; longer ones could be a telephone number. */
function errorCodeOf(body: unknown): string | undefined {
  for (const path of ['error.code', 'code', 'errorCode', 'requestError.serviceException.messageId', 'error']) {
    const value = at(body, path)
    const word = typeof value === 'number' ? String(value) : value
    if (typeof word === 'string' && /^(\d{1,6}|[A-Za-z][A-Za-z_]{0,39})$/.test(word)) return word
  }
  return undefined
}

/** What a template parameter may contain: a single line, no runs of spaces, a thousand characters. */
export const templateText = (text: string): string => {
  const line = text.replace(/[\s\u00a0\u202f]+/g, ' ').trim()
  return line.length > 1000 ? `${line.slice(0, 997)}...` : line
}

export type Templates = { readonly code: string; readonly news: string }
export const digitsOf = (e164: string): string => e164.slice(1)
export const json = { 'content-type': 'application/json', accept: 'application/json' }
