// Who is signed in. The provider's HttpOnly session is the only lasting credential: this page holds tokens in memory
// alone, and a reload asks the provider again, in the background where it is of the same origin.
import { forgetSeen, forgetShown, isTabOf } from './storage.ts'

const CLIENT = 'svc-mobile'
const SCOPE = 'openid profile phone'
/** Renewed this long before its end, for slow networks. */
const EARLY_MS = 30_000

type Hash = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>
/** Browsers give SHA-256 to https and localhost only; a landlord may try Loyer at http://192.168.1.20. */
let lend: (hash: Hash) => void = () => undefined
const hash: Promise<Hash> = crypto.subtle
  ? Promise.resolve(async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  : new Promise((resolve) => {
      lend = resolve
    })
/** Gives the hash that this browser lacks; until then nobody signs in. */
export const lendHash = (one: Hash): void => lend(one)

type Tokens = {
  readonly access: string
  readonly refresh: string | undefined
  readonly id: string | undefined
  readonly until: number
}
export type Role = 'TENANT' | 'OWNER' | 'MANAGER' | 'ADMIN'
type Claims = {
  readonly sub: string
  readonly sid?: string
  readonly name?: string
  readonly org_id?: string
  readonly realm_access?: { readonly roles?: readonly Role[] }
}
type Attempt = { readonly verifier: string; readonly state: string; readonly back: string; readonly step: boolean }

/** The provider knows nobody here: only a person can sign in. */
export class SignedOut extends Error {}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (c) => ({ '+': '-', '/': '_' })[c] ?? '')
const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

function claimsOf(access: string | undefined): Claims | undefined {
  const payload = access?.split('.')[1]?.replace(/-/g, '+').replace(/_/g, '/')
  if (payload === undefined) return undefined
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(payload), (c) => c.charCodeAt(0)))) as Claims
}

/** `entry`: 'console' or 'portal', each with a callback address of its own; `own`: the provider is Loyer's. */
function createSession(entry: 'console' | 'portal', issuer: string, own: boolean) {
  const redirectUri = `${location.origin}/${entry}/callback`
  const endpoint = (name: string): string => `${issuer}/protocol/openid-connect/${name}`
  const key = `loyer.${entry}.sign-in`
  let tokens: Tokens | undefined
  let renewing: Promise<string> | undefined
  let stepped = false

  async function authorizeUrl(attempt: Attempt, more: Record<string, string>): Promise<string> {
    const challenge = base64url(await (await hash)(new TextEncoder().encode(attempt.verifier)))
    const query = new URLSearchParams({
      client_id: CLIENT,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: attempt.state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ui_locales: document.documentElement.lang,
      ...more,
    })
    return `${endpoint('auth')}?${query}`
  }

  /** Takes the tokens of an answer. @throws SignedOut, or TypeError without one */
  async function received(asked: Promise<Response>): Promise<string> {
    const response = await asked
    if (response.status === 204 || (response.status >= 400 && response.status < 405)) throw new SignedOut()
    if (!response.ok) throw new TypeError(`The sign-in service answered ${response.status}`)
    const answer = (await response.json()) as {
      access_token: string
      refresh_token?: string
      id_token?: string
      expires_in: number
    }
    const user = claimsOf(answer.access_token)?.sub
    if (user !== undefined && !isTabOf(user)) {
      // somebody else signed in in another tab: the content of this one is not theirs
      location.reload()
      return new Promise(() => undefined)
    }
    const until = Date.now() + answer.expires_in * 1000
    const id = answer.id_token ?? tokens?.id
    tokens = { access: answer.access_token, refresh: answer.refresh_token, id, until }
    return tokens.access
  }
  function ask(fields: Record<string, string>): Promise<string> {
    const body = new URLSearchParams({ client_id: CLIENT, ...fields })
    return received(fetch(endpoint('token'), { method: 'POST', body, credentials: 'omit' }))
  }

  function redeem(url: URL, { state, verifier }: Attempt): Promise<string> {
    const code = url.searchParams.get('code')
    if (url.searchParams.get('state') !== state || code === null) throw new SignedOut()
    return ask({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier })
  }

  async function renew(): Promise<string> {
    const { refresh } = tokens ?? {}
    if (refresh !== undefined) return ask({ grant_type: 'refresh_token', refresh_token: refresh })
    if (!own) throw new SignedOut()
    // by the session of this browser, in one answer: on a slow network each wait is seen
    return received(fetch(endpoint('renewal'), { method: 'POST' }))
  }

  /** A token good for the next call. @throws SignedOut, or TypeError without network */
  async function token(): Promise<string> {
    await returned
    if (tokens && Date.now() < tokens.until - EARLY_MS) return tokens.access
    renewing ??= renew().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  /** Comes back from the sign-in page, if this is such a return, and goes on to where the person wanted to go. */
  async function finish(): Promise<void> {
    if (location.pathname !== `/${entry}/callback`) return
    const kept = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    const attempt = kept === null ? undefined : (JSON.parse(kept) as Attempt)
    const from = new URL(location.href)
    history.replaceState(null, '', attempt?.back ?? `/${entry}`)
    stepped = !!attempt?.step && from.searchParams.has('code')
    if (attempt) await redeem(from, attempt).catch(() => undefined)
  }

  /** Leaves for the sign-in page; `more` is what it is asked for, as `acr_values`. */
  async function signIn(more: Record<string, string> = {}): Promise<never> {
    // another person may come back: until then the portal's storage belongs to nobody
    localStorage.removeItem('loyer.user')
    forgetSeen()
    // for another step the person stays signed in
    const step = more.max_age !== undefined
    if (!step) await forgetShown()
    const attempt: Attempt = { verifier: random(), state: random(), back: location.pathname + location.search, step }
    sessionStorage.setItem(key, JSON.stringify(attempt))
    location.assign(await authorizeUrl(attempt, more))
    return new Promise(() => undefined)
  }

  const returned = finish()
  return {
    token,
    /** Whether this page was opened by coming back from the second step. */
    stepped,
    /** The server refused the token: the next call gets another. */
    forget(): void {
      if (tokens) tokens = { ...tokens, until: 0 }
    },
    /** What the token says of its holder; it is checked where it is used, by the server. */
    claims: (): Claims | undefined => claimsOf(tokens?.access),
    roles: (): readonly Role[] => claimsOf(tokens?.access)?.realm_access?.roles ?? [],
    /** Where another provider ends its session, which it alone can, and leads back here. */
    logoutUrl(): string {
      const query = new URLSearchParams({ client_id: CLIENT, post_logout_redirect_uri: `${location.origin}/` })
      if (tokens?.id !== undefined) query.set('id_token_hint', tokens.id)
      return `${endpoint('logout')}?${query}`
    },
    /** Signs in silently, or leaves for the sign-in page if the person is needed; without network it goes on. */
    async begin(): Promise<void> {
      try {
        await token()
      } catch (error) {
        if (error instanceof SignedOut) await signIn()
      }
    },
    signIn,
  }
}

const meta = document.querySelector<HTMLMetaElement>('meta[name=issuer]')
const issuer = meta?.content ?? ''
const own = meta?.dataset.provider === 'own'
export const session = createSession(location.pathname.startsWith('/portal') ? 'portal' : 'console', issuer, own)
/** Where people set up a second factor; undefined with an external provider, which has a page of its own. */
export const securityUrl = own ? `${issuer}/account/security` : undefined
