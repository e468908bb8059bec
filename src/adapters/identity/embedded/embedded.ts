import type { JSONWebKeySet } from 'jose'
import type { Provider } from 'oidc-provider'
import type { Db, Tx, Write } from '../../../../db/open.ts'
import { AppError, notFound } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import type { FactorNews, Identity, Terms } from '../port.ts'
import { createAccounts } from './accounts.ts'
import { bridge } from './bridge.ts'
import { idTokenAlgOf, type ProviderConfig } from './clients.ts'
import { createFactors, forgetFactors } from './factors/factors.ts'
import { createSecondStep } from './factors/second-step.ts'
import { FILES } from './pages/files.ts'
import { formOf } from './pages/forms.ts'
import { createPages } from './pages/login.ts'
import { createRenewal } from './pages/renewal.ts'
import { createSignIn } from './pages/sign-in.ts'
import { createVisits, type Resumed } from './pages/visits.ts'
import { formLimit, isOpen, methodsOf, PATHS, REALM } from './paths.ts'
import { deriveKey, openKeys } from './rows/keys.ts'
import { createStore, type SessionRow } from './rows/store.ts'
import { type AccountRow, liveAccount } from './rows/users.ts'
import { issueTokens, type TokenAnswer } from './tokens.ts'
import { createUserinfo } from './userinfo.ts'

export type EmbeddedDeps = {
  readonly db: Db
  readonly write: Write
  /** Real time in milliseconds. The OpenID library reads Date.now() itself, so this must agree with it. */
  readonly wall: () => number
  /** The machine's clock, which a phone that makes codes agrees with; defaults to real time. */
  readonly machine?: () => number
  /** Business time in milliseconds, for the timestamps of users; defaults to real time. */
  readonly now?: () => number
  readonly newId: () => string
  readonly config: ProviderConfig
  /** The master key of the data folder, 32 bytes: the database alone is not enough to sign tokens or cookies. */
  readonly masterKey: Uint8Array
  readonly log: Log
  /** Notifies the person and the audit trail that second factors changed or a recovery code was used. */
  readonly factorNews?: FactorNews
  /** The texts that people accept anew when they change; none in tests. */
  readonly terms?: Terms | undefined
  /** Whether the password of an account is public, as in a demo: wrong passwords then make nobody wait. */
  readonly isOpen?: (userId: string) => boolean
}

export type EmbeddedIdentity = {
  readonly identity: Identity
  /**
   * Serves everything under /realms/svc. `clientAddress`: the address of the client, for the limits. Protocol endpoints
   * answer protocol errors; any other request rejects with an AppError: not_found, method_not_allowed
   * (`details.allow`), body_too_large, unsupported_media_type.
   */
  readonly fetch: (request: Request, clientAddress: string) => Promise<Response>
  readonly issuer: string
  /** The public keys that verify tokens now. */
  readonly jwks: () => JSONWebKeySet
  /** Called after the public keys have changed. */
  readonly onKeysChanged: (listener: () => void) => void
  /**
   * Whether a token's session was ended after the token was issued (`iat`, epoch seconds): sign-out, or a code or
   * refresh token used twice.
   */
  readonly tokensEnded: (sid: unknown, iat: number) => boolean
  /** Called with the user whose tokens were ended, so that caches drop them. */
  readonly onTokensEnded: (listener: (userId: string) => void) => void
  /** The account that is signed in in the browser of this request, or null. */
  readonly visitor: (request: Request, address: string) => Promise<Pick<AccountRow, 'id' | 'roles'> | null>
  /**
   * Signs an account in, in the browser of this request, as a sign-in by `amr` would; another session of the browser
   * ends. @returns Set-Cookie headers
   */
  readonly beginSession: (request: Request, address: string, accountId: string, amr: string[]) => Promise<string[]>
  /**
   * The address that continues an unfinished sign-in (`uid`) once there is a session, and the `target` that a form-action
   * policy has to allow; null if the sign-in has expired.
   */
  readonly resume: (request: Request, address: string, uid: string) => Promise<Resumed | null>
  /** Tokens for a seeded user of the sandbox; AppError not_found for an unknown or disabled one. */
  readonly issueTokens: (userId: string, scope?: string) => Promise<TokenAnswer>
  /** Signs in like the page, with the same limits: AppError invalid_credentials, too_many_requests, overloaded. */
  readonly passwordTokens: (username: string, password: string, address: string, scope?: string) => Promise<TokenAnswer>
  /** Checks the password of a user who is signed in, with a separate count of failures; AppError too_many_requests. */
  readonly checkPassword: (username: string, password: string, address: string) => Promise<boolean>
  /** Whether the account has a second factor. */
  readonly hasSecondFactor: (userId: string) => boolean
  /** Removes an account's second factors and recovery codes and ends its sessions; false when it had none. */
  readonly dropSecondFactor: (tx: Tx, userId: string) => boolean
  readonly sessions: (userId: string) => readonly SessionRow[]
  /** False when the account has no such session. */
  readonly endSession: (userId: string, sid: string) => Promise<boolean>
  /** Makes the next signing key, which signs from ten minutes later on. Run by a timer, or by hand after a leak. */
  readonly rotateKeys: () => Promise<void>
  /** Makes new keys after all sessions, tokens and keys were deleted. */
  readonly beginAnew: () => Promise<void>
  /** Age of the signing key in seconds. */
  readonly keyAge: () => number
  /** Deletes expired sessions, codes, tokens and keys. Run by a timer, never in a request. */
  readonly purgeExpired: () => Promise<void>
}

/** The keys change while the server runs. */
const keySetOf = (request: Request, keys: unknown): Response =>
  new Response(request.method === 'HEAD' ? null : JSON.stringify(keys), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
    },
  })

/**
 * The embedded OpenID provider: sign-in, tokens and accounts in the service's own database. Opens the signing keys, or
 * makes them at the first start. @throws WrongMasterKey
 */
export async function createEmbeddedIdentity(deps: EmbeddedDeps): Promise<EmbeddedIdentity> {
  const { db, write, wall, machine = wall, newId, config, masterKey, log, terms } = deps
  const issuer = config.publicUrl + REALM
  const issuerUrl = new URL(issuer)
  const secure = issuerUrl.protocol === 'https:'
  const keys = await openKeys({ db, write, wall, masterKey, algs: [config.alg, idTokenAlgOf(config)] })
  const store = createStore({ db, write, wall })
  const signIn = createSignIn({ ...deps, limit: config.addressLimit ?? 20 })
  const csrfKey = deriveKey(masterKey, 'forms')
  const home = `${config.publicUrl}/`
  const news = deps.factorNews ?? (() => undefined)
  const { publicUrl } = config
  const factors = createFactors({ db, write, wall, machine, store, newId, masterKey, publicUrl, news, log })
  const second = createSecondStep({ db, factors })
  const links = config.links ?? {}
  const visits = createVisits({ db, store, issuer: issuerUrl })
  const pages = createPages({
    ...{ issuer: issuerUrl, home, links, csrfKey, masterKey, signIn, store, second, db, factors, terms },
    visitAt: visits.at,
  })
  const userinfo = createUserinfo({ db, keys, issuer, wall, ended: store.tokensEnded })
  const listeners: (() => void)[] = []
  const changed = () => {
    for (const listener of listeners) listener()
  }

  type Running = {
    readonly kid: string
    readonly provider: Provider
    readonly handler: ReturnType<Provider['callback']>
  }
  let running: Running | undefined
  let kid = keys.current()
  /** The current signing key; listeners of public keys are notified when it changes. */
  function signing(): string {
    const now = keys.current()
    if (now === kid) return kid
    kid = now
    changed()
    return now
  }
  /**
   * The provider for the current signing key: a request in flight finishes with the provider it began with. The library
   * is loaded at the first sign-in, because it takes a third of the program's start.
   */
  async function active(): Promise<Running> {
    const { createProvider } = await import('./provider.ts')
    const kid = signing()
    if (running?.kid === kid) return running
    const { adapter } = store
    const provider = createProvider({
      ...{ issuer, config, masterKey, keys, db, adapter, signIn, factors, log, pages, terms },
    })
    provider.use(pages.middleware(provider))
    running = { kid, provider, handler: provider.callback() }
    return running
  }
  const renewal = createRenewal({ issuer: issuerUrl, config, handler: async () => (await active()).handler })

  async function route(request: Request, path: string, body: Buffer, address: string): Promise<Response> {
    if (path === PATHS.jwks) {
      signing()
      return keySetOf(request, keys.publicSet())
    }
    const file = FILES[path]
    if (file) return file(request)
    if (path === PATHS.userinfo) return userinfo(request)
    if (path === PATHS.renewal) return renewal(request, address)
    if (request.method === 'POST' && (path === PATHS.authorization || path === PATHS.end_session))
      return asGet(path, body)
    const { handler } = await active()
    const response = await bridge({ issuer: issuerUrl, handler }, request, body, path, address)
    if (path.startsWith('/.well-known/') && response.ok) response.headers.set('cache-control', 'public, max-age=300')
    return response
  }

  /**
   * Turns a form posted from an app's page into a GET request: only then does the browser send the session cookies
   * (SameSite=Lax), so that a foreign form cannot act in a person's session. The query of the form's address is
   * ignored.
   */
  const asGet = (path: string, body: Buffer): Response =>
    new Response(null, {
      status: 303,
      headers: { location: `${issuer}${path}?${new URLSearchParams(body.toString())}` },
    })

  /** The allowed methods of a path, and for pages of which origins; origins from the settings are handled by the edge. */
  function options(path: string, methods: readonly string[], request: Request): Response {
    const origin = request.headers.get('origin')
    const crossOrigin = isOpen(path) || (origin !== null && config.corsOrigins?.includes(origin))
    const headers = new Headers({ allow: [...methods, 'OPTIONS'].join(', ') })
    if (crossOrigin && origin !== null) {
      headers.set('access-control-allow-origin', isOpen(path) ? '*' : origin)
      headers.set('access-control-allow-methods', methods.join(', '))
      headers.set('access-control-allow-headers', 'Authorization, Content-Type')
      headers.set('access-control-max-age', '600')
    }
    headers.set('vary', 'Origin')
    return new Response(null, { status: 204, headers })
  }

  async function fetch(request: Request, clientAddress: string): Promise<Response> {
    const { pathname } = new URL(request.url)
    const path = pathname.slice(pathname.indexOf(REALM) + REALM.length)
    const methods = methodsOf(path)
    if (!methods) throw notFound()
    if (request.method === 'OPTIONS') return options(path, methods, request)
    if (!methods.includes(request.method))
      throw new AppError('method_not_allowed', undefined, { allow: [...methods, 'OPTIONS'] })
    const body = await formOf(request, formLimit(path))
    const response = await route(request, path, body, clientAddress).catch((error: unknown) => {
      log.error('identity_failed', error)
      return Response.json({ error: 'server_error' }, { status: error instanceof AppError ? 503 : 500 })
    })
    const { headers } = response
    headers.set('x-content-type-options', 'nosniff')
    headers.set('referrer-policy', 'no-referrer')
    // On plain http browsers log a warning about this header.
    if (secure) headers.set('cross-origin-opener-policy', 'same-origin')
    if (!headers.has('content-security-policy'))
      headers.set('content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
    if (secure) headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
    return response
  }

  /** Hands a question about the browser's session to the provider, with the cookies of the request and nothing else. */
  const inside = (request: Request, address: string) => async (path: string) => {
    const inner = new Request(issuer + path, { headers: { cookie: request.headers.get('cookie') ?? '' } })
    return bridge({ issuer: issuerUrl, handler: (await active()).handler }, inner, Buffer.alloc(0), path, address)
  }

  return {
    visitor: (request, address) => visits.who(inside(request, address)),
    beginSession: (request, address, accountId, amr) => visits.begin(inside(request, address), accountId, amr),
    resume: (request, address, uid) => visits.resume(inside(request, address), uid),
    identity: createAccounts({ db, write, wall, newId, now: deps.now ?? wall, store }),
    fetch,
    issuer,
    jwks: () => {
      signing()
      return keys.publicSet()
    },
    onKeysChanged: (listener) => void listeners.push(listener),
    tokensEnded: store.tokensEnded,
    onTokensEnded: store.onTokensEnded,
    async issueTokens(userId, scope) {
      const user = liveAccount(db, userId)
      if (!user) throw notFound()
      return issueTokens((await active()).provider, config.alg, user, scope)
    },
    passwordTokens: async (username, password, address, scope) =>
      issueTokens((await active()).provider, config.alg, await signIn(username, password, address), scope),
    checkPassword: (username, password, address) =>
      signIn(username, password, address, { session: true }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.code === 'invalid_credentials') return false
          throw error
        },
      ),
    hasSecondFactor: factors.has,
    dropSecondFactor(tx, userId) {
      if (forgetFactors(tx, userId) === 0) return false
      store.endSessions(tx, userId)
      return true
    },
    sessions: store.sessions,
    endSession: store.endSession,
    rotateKeys: () => keys.rotate().then(changed),
    beginAnew: () => keys.renew().then(changed),
    keyAge: keys.age,
    async purgeExpired() {
      await store.purge()
      await keys.purge()
    },
  }
}
