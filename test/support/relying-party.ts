import * as client from 'openid-client'
import { Browser, createTestIdentity, PASSWORD, type Page, PHONE, post, type TestIdentity } from './oidc.ts'

export type Json = Record<string, unknown>
export type Change = Record<string, string | undefined>
export type RelyingParty = Awaited<ReturnType<typeof startRelyingParty>>
/** Secret of svc-admin. */
export const SECRET = 'a secret of the operator'

export const errorOf = (page: Page): string | null => (page.left ? new URL(page.url).searchParams.get('error') : null)
export const asksForPassword = (page: Page): boolean => page.text.includes('name="password"')

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A request object that nobody signed. */
export const unsigned = (claims: object): string =>
  `${part({ alg: 'none' })}.${part({ client_id: 'svc-mobile', response_type: 'code', ...claims })}.`

/** A provider on a live port, as in production, and openid-client as svc-mobile, with all its checks. */
export async function startRelyingParty() {
  let idp: TestIdentity | undefined
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (r) => own().fetch(r, '127.0.0.1') })
  const own = (): TestIdentity => {
    if (!idp) throw new Error('not ready')
    return idp
  }
  const made = await createTestIdentity({
    publicUrl: `http://127.0.0.1:${server.port}`,
    // Loyer's own pages get no refresh token: this is an app.
    redirectUris: [`http://127.0.0.1:${server.port}/app/callback`],
    alg: 'RS256',
    sandbox: false,
    adminSecret: SECRET,
  })
  idp = made
  const config = await client.discovery(new URL(made.issuer), 'svc-mobile', undefined, client.None(), {
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  })

  const discovered = async () => (await fetch(`${made.issuer}/.well-known/openid-configuration`)).json()
  /** An authorization request with state, nonce and PKCE; `undefined` leaves a parameter out. */
  async function request(change: Change = {}) {
    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: `${made.publicUrl}/app/callback`,
      scope: 'openid',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    for (const [name, value] of Object.entries(change))
      if (value === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    const { searchParams } = url
    const checks = {
      pkceCodeVerifier: verifier,
      expectedState: state,
      ...(searchParams.has('nonce') ? { expectedNonce: nonce } : {}),
      ...(searchParams.has('max_age') ? { maxAge: Number(searchParams.get('max_age')) } : {}),
      idTokenExpected: true,
    }
    return { url: url.href, checks }
  }

  const typeIn = async (browser: Browser, page: Page): Promise<Page> =>
    page.left ? page : browser.submit(page, { username: PHONE, password: PASSWORD })

  /** Authorizes, signs in where asked, and exchanges the code; all checks of the relying party hold. */
  async function signedIn(change: Change = {}, browser = new Browser(made)) {
    const { url, checks } = await request(change)
    const first = await browser.visit(url)
    const back = await typeIn(browser, first)
    const tokens = await client.authorizationCodeGrant(config, new URL(back.url), checks)
    return { tokens, first, back, checks }
  }
  const codeAgain = (back: Page, verifier: string) =>
    post(made, {
      grant_type: 'authorization_code',
      client_id: 'svc-mobile',
      code: new URL(back.url).searchParams.get('code') ?? '',
      redirect_uri: `${made.publicUrl}/app/callback`,
      code_verifier: verifier,
    })
  const userinfo = async (token: string, method = 'GET'): Promise<Response> =>
    fetch(`${made.issuer}/protocol/openid-connect/userinfo`, { method, headers: { authorization: `Bearer ${token}` } })
  return {
    idp: made,
    config,
    discovered,
    request,
    typeIn,
    signedIn,
    codeAgain,
    userinfo,
    stop: () => server.stop(true),
  }
}
