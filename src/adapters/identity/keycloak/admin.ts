import { AppError } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import { member } from '../keys/key-set.ts'
import { trustedUrl, within } from '../outbound.ts'

export type AdminOptions = {
  /** Base address of the Keycloak, without a trailing slash; https, or http on loopback. */
  readonly authUrl: string
  /** Secret of the service account svc-admin. */
  readonly secret: string
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly log: Log
  /** Timeout of one request in milliseconds, body included; default 4,000. */
  readonly timeout?: number | undefined
  /** Timeout of one operation with several requests in milliseconds; default 10,000. */
  readonly patience?: number | undefined
  /** Milliseconds before the one retry of a request that may be repeated; default 200. */
  readonly pause?: number | undefined
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** Keycloak's reply for the caller to interpret: done (2xx), refused (400), gone (404) or taken (409). */
export type Reply = { readonly status: number; readonly body: unknown; readonly location: string | null }
/** One request of an operation. `again`: the POST may be repeated. Rejects with identity_unavailable only. */
export type Call = (method: Method, path: string, body?: unknown, again?: 'again') => Promise<Reply>

const CLIENT = 'svc-admin'
const UNDERSTOOD = [400, 404, 409]

export const unavailable = (cause: unknown): AppError =>
  new AppError('identity_unavailable', undefined, { retryAfter: 30 }, cause)

/** An error that a retry will not change. */
class Refused extends Error {}

/** Keycloak's Admin REST API of the realm, as svc-admin. `begin` starts an operation, whose requests share one deadline. */
export function createAdmin(options: AdminOptions): { readonly begin: () => Call } {
  const { fetch, log, secret, timeout = 4_000, patience = 10_000, pause = 200 } = options
  const base = trustedUrl(options.authUrl).replace(/\/$/, '')
  let token: { readonly value: string; readonly until: number } | undefined
  let flight: Promise<string> | undefined

  const ask = (path: string, init: RequestInit, ms: number): Promise<Reply> =>
    within(ms, async (signal) => {
      const response = await fetch(base + path, { ...init, redirect: 'manual', signal })
      const text = await response.text()
      const { ok, status, headers } = response
      const json = text !== '' && (headers.get('content-type')?.startsWith('application/json') ?? false)
      // A proxy or a captive portal answers 200 to everything: check that the answer is Keycloak's.
      if (ok && text !== '' && !json) throw new Error('an answer that is no JSON')
      return { status, body: json ? (JSON.parse(text) as unknown) : undefined, location: headers.get('location') }
    })

  async function fetchToken(): Promise<string> {
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: CLIENT, client_secret: secret })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    const init = { method: 'POST', headers, body: form.toString() }
    const { status, body } = await ask('/realms/svc/protocol/openid-connect/token', init, timeout)
    const [value, seconds] = [member(body, 'access_token'), member(body, 'expires_in')]
    if (status !== 200 || typeof value !== 'string' || typeof seconds !== 'number')
      throw new Error(`no token for ${CLIENT}: status ${status}, ${String(member(body, 'error') ?? 'no reason')}`)
    // A short-lived token is used for half its life.
    token = { value, until: performance.now() + Math.max(seconds - 30, seconds / 2) * 1000 }
    return value
  }

  function bearer(): Promise<string> {
    if (token && performance.now() < token.until) return Promise.resolve(token.value)
    flight ??= fetchToken().finally(() => {
      flight = undefined
    })
    return flight
  }

  /** One attempt; a token that Keycloak refuses is replaced once. */
  async function attempt(method: Method, path: string, body: unknown, ms: number): Promise<Reply> {
    for (let fresh = false; ; fresh = true) {
      const value = await bearer()
      const headers = {
        authorization: `Bearer ${value}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const reply = await ask(`/admin/realms/svc${path}`, init, ms)
      const { status } = reply
      if ((status >= 200 && status < 300) || UNDERSTOOD.includes(status)) return reply
      if (status >= 500) throw new Error(`status ${status}`)
      if (status !== 401 || fresh) throw new Refused(`status ${status}`)
      if (token?.value === value) token = undefined
    }
  }

  function begin(): Call {
    const end = performance.now() + patience
    return async (method, path, body, again) => {
      const most = method !== 'POST' || again !== undefined ? 2 : 1
      // The path without its query, which contains a phone number and must not be logged.
      const what = { method, path: path.replace(/\?.*/, '') }
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(method, path, body, Math.max(1, Math.min(timeout, end - performance.now())))
        } catch (error) {
          if (tries === most || error instanceof Refused || performance.now() + pause >= end) {
            log.error('identity_admin_failed', error, what)
            throw unavailable(error)
          }
          log.warn('identity_admin_retried', { ...what, reason: String(error).slice(0, 200) })
        }
        await new Promise((resume) => setTimeout(resume, pause))
      }
    }
  }

  return { begin }
}
