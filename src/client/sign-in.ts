import { type Send, sendAgain } from './again.ts'

/** Where an app keeps its session: the keychain of the phone, never a place that other apps can read. */
export type Vault = {
  readonly get: () => Promise<string | undefined> | string | undefined
  readonly set: (value: string | undefined) => Promise<void> | void
}
type Options = {
  /** Where Loyer answers: `https://rent.example.cm`. */
  readonly baseUrl: string
  /** The issuer, where it is a Keycloak: `https://id.example.cm/realms/svc`. */
  readonly issuer?: string | undefined
  /** The app's callback, one of OIDC_REDIRECT_URIS: `com.example.app:/callback`. */
  readonly redirectUri: string
  readonly vault: Vault
  readonly fetch?: Send | undefined
}
type Tokens = {
  readonly access: string
  readonly refresh: string | undefined
  /** When it was given, and until when it is good, by the clock of the phone. */
  readonly from: number
  readonly until: number
}
type Attempt = { readonly verifier: string; readonly state: string }
type Stored = { readonly tokens?: Tokens | undefined; readonly attempt?: Attempt | undefined }

const CLIENT = 'svc-mobile'
/** Renewed this long before its end, for slow networks. */
const EARLY_MS = 30_000

/** The session has ended: sign in again. */
export class SignedOut extends Error {}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (c) => ({ '+': '-', '/': '_' })[c] ?? '')
const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

/**
 * Signs a person in through the system's browser (authorization code with PKCE), and keeps the session renewed. Give
 * `session.token` to `createClient`: however many requests wait for it, a token is renewed once.
 */
export function createSession({ baseUrl, redirectUri, vault, ...rest }: Options) {
  const issuer = rest.issuer ?? `${baseUrl.replace(/\/+$/, '')}/realms/svc`
  const send = rest.fetch ?? ((request: Request) => globalThis.fetch(request))
  const endpoint = (name: string): string => `${issuer}/protocol/openid-connect/${name}`
  const read = async (): Promise<Stored> => JSON.parse((await vault.get()) ?? '{}')
  let renewing: Promise<string> | undefined

  let changes: Promise<unknown> = Promise.resolve()

  /** Changes what is kept, one change after the other: renewing, signing in and signing out may overlap. */
  function change(to: (now: Stored) => Stored): Promise<Stored> {
    const done = changes.then(async () => {
      const { tokens, attempt } = to(await read())
      await vault.set(tokens || attempt ? JSON.stringify({ tokens, attempt } satisfies Stored) : undefined)
      return { tokens, attempt }
    })
    changes = done.catch(() => undefined)
    return done
  }

  /** Undefined if the service refuses. A code is good once; a refresh token whose answer was lost may be sent again at once. */
  async function ask(fields: Record<string, string>): Promise<Tokens | undefined> {
    const body = new URLSearchParams({ client_id: CLIENT, ...fields })
    const request = () => new Request(endpoint('token'), { method: 'POST', body })
    const answer = await (fields.grant_type === 'refresh_token' ? sendAgain(send, request) : send(request()))
    if (answer.status === 400 || answer.status === 401) return undefined
    if (!answer.ok) throw new TypeError(`The sign-in service answered ${answer.status}.`)
    const got: { access_token: string; refresh_token?: string; expires_in: number } = await answer.json()
    const from = Date.now()
    return { access: got.access_token, refresh: got.refresh_token, from, until: from + got.expires_in * 1000 }
  }

  async function renew(): Promise<string> {
    const { tokens } = await read()
    // After the clock was set back nobody knows how old a token is.
    if (tokens && Date.now() >= tokens.from && Date.now() < tokens.until - EARLY_MS) return tokens.access
    if (tokens?.refresh === undefined) throw new SignedOut('Nobody is signed in.')
    const renewed = await ask({ grant_type: 'refresh_token', refresh_token: tokens.refresh })
    let isOurs = false
    // A refresh token is good once: the next one has to be kept before anybody uses the new access token.
    await change((now) => {
      isOurs = now.tokens?.refresh === tokens.refresh
      return isOurs ? { ...now, tokens: renewed } : now
    })
    // Somebody signed out or in meanwhile: what was renewed belongs to the session before.
    if (!isOurs) return renew()
    if (!renewed) throw new SignedOut('The session has ended.')
    return renewed.access
  }

  return {
    /** The address to open in the browser; it comes back to the app's callback. */
    async begin(): Promise<string> {
      const attempt = { verifier: random(), state: random() }
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(attempt.verifier))
      await change((now) => ({ ...now, attempt }))
      const query = new URLSearchParams({
        client_id: CLIENT,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'openid profile phone',
        state: attempt.state,
        code_challenge: base64url(new Uint8Array(digest)),
        code_challenge_method: 'S256',
      })
      return `${endpoint('auth')}?${query}`
    },
    /**
     * Takes the callback that the browser opened. A session that is there goes on until then.
     * @throws SignedOut if it is not the answer to the last `begin`; TypeError without network
     */
    async finish(callback: string): Promise<void> {
      const { attempt } = await read()
      const answer = new URL(callback).searchParams
      const code = answer.get('code')
      if (attempt === undefined || answer.get('state') !== attempt.state || code === null)
        throw new SignedOut(answer.get('error_description') ?? 'This is no answer to a sign-in of this app.')
      const fields = { code, redirect_uri: redirectUri, code_verifier: attempt.verifier }
      const tokens = await ask({ grant_type: 'authorization_code', ...fields })
      await change((now) => ({ tokens: tokens ?? now.tokens }))
      if (!tokens) throw new SignedOut('This sign-in was refused.')
    },
    /** An access token that is good for the next call. @throws SignedOut; TypeError without network */
    token(): Promise<string> {
      renewing ??= renew().finally(() => {
        renewing = undefined
      })
      return renewing
    },
    /** Ends the session here and at the server; without network only here. */
    async signOut(): Promise<void> {
      let refresh: string | undefined
      await change(({ tokens }) => {
        refresh = tokens?.refresh
        return {}
      })
      if (refresh === undefined) return
      const body = new URLSearchParams({ client_id: CLIENT, token: refresh, token_type_hint: 'refresh_token' })
      await send(new Request(endpoint('revoke'), { method: 'POST', body })).catch(() => undefined)
    },
  }
}
export type Session = ReturnType<typeof createSession>
