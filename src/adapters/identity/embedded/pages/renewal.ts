import { createHash, randomBytes } from 'node:crypto'
import type { Provider } from 'oidc-provider'
import { bridge } from '../bridge.ts'
import { MOBILE, ownPages, type ProviderConfig } from '../clients.ts'
import { PATHS } from '../paths.ts'

type Handler = ReturnType<Provider['callback']>
type Deps = {
  readonly issuer: URL
  readonly config: ProviderConfig
  readonly handler: () => Promise<Handler>
}

/** Errors that only the person can resolve, at the sign-in page (OpenID Connect Core 3.1.2.6). */
const ASKS_PERSON = /_required$|^unmet_authentication_requirements$/

const refusal = (status: number, error: string): Response => Response.json({ error }, { status })

/**
 * A token for Loyer's own pages, by the session of their browser, in one answer; 204 if the person has to sign in. This is
 * the silent sign-in of OpenID Connect (`prompt=none`), with its requests made inside the service: a phone on a slow
 * network would wait two more times.
 */
export function createRenewal({ issuer, config, handler }: Deps) {
  const [redirect_uri = ''] = ownPages(config)
  const { origin } = new URL(config.publicUrl)

  return async (request: Request, address: string): Promise<Response> => {
    // Another site could not read the answer; it must not have a token made either.
    if (request.headers.get('origin') !== origin) return refusal(403, 'access_denied')
    const cookie = request.headers.get('cookie') ?? ''
    const run = async (path: string, inner: Request, body = ''): Promise<Response> =>
      bridge({ issuer, handler: await handler() }, inner, Buffer.from(body), path, address)

    const verifier = randomBytes(32).toString('base64url')
    const question = new URLSearchParams({
      client_id: MOBILE,
      response_type: 'code',
      redirect_uri,
      scope: 'openid profile phone',
      prompt: 'none',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const path = PATHS.authorization
    const redirect = await run(path, new Request(`${issuer.href}${path}?${question}`, { headers: { cookie } }))
    const back = URL.parse(redirect.headers.get('location') ?? '')?.searchParams
    const code = back?.get('code')
    if (code === undefined || code === null) {
      const error = back?.get('error') ?? 'server_error'
      // No failure: the page leads to the sign-in page, and the browser's console stays empty.
      return ASKS_PERSON.test(error) ? new Response(null, { status: 204 }) : refusal(503, 'temporarily_unavailable')
    }
    const form = new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: MOBILE, code, redirect_uri, code_verifier: verifier },
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await run(PATHS.token, new Request(issuer.href + PATHS.token, { method: 'POST', headers }), form)
    if (!answer.ok) return answer
    const { access_token, token_type, expires_in } = (await answer.json()) as Record<string, unknown>
    const renewed = Response.json({ access_token, token_type, expires_in })
    for (const one of redirect.headers.getSetCookie()) renewed.headers.append('set-cookie', one)
    return renewed
  }
}
