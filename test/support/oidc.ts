import { createHash, randomBytes } from 'node:crypto'
import Database from 'better-sqlite3'
import { attach, type Store } from '../../db/open.ts'
import type { ProviderConfig } from '../../src/adapters/identity/embedded/clients.ts'
import { createEmbeddedIdentity, type EmbeddedIdentity } from '../../src/adapters/identity/embedded/embedded.ts'
import { AppError } from '../../src/errors.ts'
import { problem } from '../../src/http/problems.ts'
import type { Log } from '../../src/log.ts'

export const ORG = '0196a1b2-0000-7000-8000-000000000001'
export const PHONE = '+237677123456'
export const PASSWORD = 'trois mangues mûres'
export const CALLBACK = 'com.svc.app:/callback'

export type TestIdentity = EmbeddedIdentity & {
  readonly store: Store
  readonly userId: string
  readonly masterKey: Uint8Array
  readonly logged: string[]
  readonly publicUrl: string
}

/** The part of a provider that signing in uses, whether it runs within the app or alone. */
export type Realm = Pick<TestIdentity, 'issuer' | 'fetch'>

type Options = Partial<ProviderConfig> & {
  readonly store?: Store
  readonly masterKey?: Uint8Array
  readonly user?: boolean
}

/** A database in memory with one organization in it. */
export function openTestStore(client = new Database(':memory:')): Store {
  const store = attach(client)
  const at = '2026-01-01T00:00:00.000Z'
  store.client
    .prepare(
      `insert into organization(id, tva_registered, time_zone, locale, issue_days_before, require_proof, created_at, updated_at)
       values (?, 0, 'Africa/Douala', 'fr', 0, 0, ?, ?) on conflict do nothing`,
    )
    .run(ORG, at, at)
  return store
}

/** An embedded provider with one owner in it; ES256 for speed unless told otherwise. */
export async function createTestIdentity(options: Options = {}): Promise<TestIdentity> {
  const { store = openTestStore(), masterKey = randomBytes(32), user = true, alg = 'ES256', ...config } = options
  const logged: string[] = []
  const line = (...parts: unknown[]) =>
    void logged.push(JSON.stringify(parts, (_, v) => (v instanceof Error ? v.stack : v)))
  const log: Log = { info: line, warn: line, error: line }
  const publicUrl = config.publicUrl ?? 'https://rent.example.cm'
  const embedded = await createEmbeddedIdentity({
    db: store.db,
    write: store.write,
    wall: () => Date.now(),
    newId: () => crypto.randomUUID(),
    masterKey,
    log,
    config: { sandbox: true, redirectUris: [], alg, idTokenAlg: alg, addressLimit: 0, ...config, publicUrl },
  })
  const known = await embedded.identity.findByPhone(PHONE)
  const userId = known?.userId ?? (user ? await addUser(embedded, PHONE) : '')
  // What is no request of the protocol the app answers.
  const fetch = (request: Request, address: string): Promise<Response> =>
    embedded.fetch(request, address).catch((error: unknown) => {
      if (error instanceof AppError) return problem(error, request, 'test-request')
      throw error
    })
  return { ...embedded, fetch, store, userId, masterKey, logged, publicUrl }
}

/** An OWNER who signs in with the test password. */
export async function addUser(embedded: EmbeddedIdentity, phoneNumber: string): Promise<string> {
  const { userId } = await embedded.identity.createAccount({
    orgId: ORG,
    phoneNumber,
    phoneVerified: true,
    password: PASSWORD,
    firstName: 'Ama',
    lastName: 'Ngo Bell',
    email: 'ama@example.cm',
    roles: ['OWNER'],
  })
  return userId
}

/** What a browser does: keeps cookies by name and path, follows redirects as long as they stay at the provider. */
export class Browser {
  readonly #idp: Realm
  readonly cookies = new Map<string, { value: string; path: string; attributes: string }>()
  readonly headers: Record<string, string> = { 'accept-language': 'en', accept: 'text/html' }

  /** Where its requests come from. */
  readonly #address: string

  constructor(idp: Realm, address = '203.0.113.9') {
    this.#idp = idp
    this.#address = address
  }

  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(url)
    const sent = [...this.cookies]
      .filter(([, c]) => pathname.startsWith(c.path))
      .map(([n, c]) => `${n.split('|')[0]}=${c.value}`)
    const headers = new Headers({ ...this.headers, ...(sent.length > 0 ? { cookie: sent.join('; ') } : {}) })
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    const response = await this.#idp.fetch(new Request(url, { ...init, headers }), this.#address)
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie) ?? []
      const path = /path=([^;]*)/i.exec(attributes)?.[1] ?? '/'
      if (/expires=Thu, 01 Jan 1970/i.test(attributes)) this.cookies.delete(`${name}|${path}`)
      else this.cookies.set(`${name}|${path}`, { value, path, attributes })
    }
    return response
  }

  /** The page or the first redirect that leaves the provider. */
  async visit(url: string, init: RequestInit = {}): Promise<Page> {
    let next = url
    let response = await this.send(next, init)
    for (let hops = 0; hops < 8 && response.status >= 300 && response.status < 400; hops++) {
      next = new URL(response.headers.get('location') ?? '', next).href
      if (!next.startsWith(`${this.#idp.issuer}/`)) return { response, url: next, text: '', left: true }
      response = await this.send(next)
    }
    return { response, url: next, text: await response.text(), left: false }
  }

  /** Posts the page's form with its hidden fields. */
  submit(page: Page, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const hidden = [...page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
    const body = new URLSearchParams({ ...Object.fromEntries(hidden.map((m) => [m[1], m[2]])), ...fields })
    return this.visit(new URL(action, page.url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: body.toString(),
    })
  }
}
export type Page = { readonly response: Response; readonly url: string; readonly text: string; readonly left: boolean }

export const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

/** An authorization request as svc-mobile makes it; `undefined` leaves a parameter out. */
export function authorizeUrl(idp: Realm, change: Record<string, string | undefined> = {}): string {
  const params = {
    client_id: 'svc-mobile',
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid profile email',
    state: 'abc',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...change,
  }
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${idp.issuer}/protocol/openid-connect/auth?${new URLSearchParams(given)}`
}

export type Tokens = {
  access_token: string
  refresh_token: string
  id_token: string
  error?: string
  error_description?: string
}
export type TokenResponse = { readonly status: number; readonly body: Tokens; readonly headers: Headers }

/** Posts a form to the token, revocation or logout endpoint without a browser. */
export async function post(
  idp: Realm,
  form: Record<string, string>,
  path = 'token',
  headers = {},
): Promise<TokenResponse> {
  const response = await idp.fetch(
    new Request(`${idp.issuer}/protocol/openid-connect/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    }),
    '203.0.113.9',
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers }
}

export const refresh = (idp: Realm, token: string): Promise<TokenResponse> =>
  post(idp, { grant_type: 'refresh_token', client_id: 'svc-mobile', refresh_token: token })

export const exchange = (idp: Realm, code: string, change: Record<string, string> = {}): Promise<TokenResponse> =>
  post(idp, {
    grant_type: 'authorization_code',
    client_id: 'svc-mobile',
    code,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    ...change,
  })

/** Signs in on the page; the address that the app is sent back to. */
export async function signIn(
  idp: Realm,
  browser = new Browser(idp),
  change: Record<string, string> = {},
): Promise<URL> {
  const page = await browser.visit(authorizeUrl(idp, change))
  const done = page.left ? page : await browser.submit(page, { username: PHONE, password: PASSWORD })
  if (!done.left) throw new Error(`not signed in: ${done.response.status} ${done.text.slice(0, 2000)}`)
  return new URL(done.url)
}

export const codeOf = (url: URL): string => url.searchParams.get('code') ?? ''

/** Signs in on the page and exchanges the code. */
export async function signInForTokens(idp: Realm, browser = new Browser(idp)): Promise<Tokens> {
  const { status, body } = await exchange(idp, codeOf(await signIn(idp, browser)))
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`)
  return body
}

export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
