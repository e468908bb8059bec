import type { EventEmitter } from 'node:events'
import type { Adapter, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { InvalidGrant, InvalidTarget } from 'oidc-provider/lib/helpers/errors.js'
import { Provider } from 'oidc-provider/lib/provider.js'
import type { Db } from '../../../../db/open.ts'
import { AppError } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import type { Terms } from '../port.ts'
import { CLAIMS, LIFETIME, personClaims, RESOURCE, SCOPES } from './claims.ts'
import {
  clients,
  idTokenAlgOf,
  logoutRedirectAllowed,
  MOBILE,
  ownPages,
  type ProviderConfig,
  redirectAllowed,
} from './clients.ts'
import type { Factors } from './factors/factors.ts'
import { cookieSigner } from './pages/cookies.ts'
import type { SignIn } from './pages/sign-in.ts'
import { PATHS } from './paths.ts'
import { idleSince, loadExistingGrant, loginPolicy } from './policy.ts'
import { deriveKey, type Keys } from './rows/keys.ts'
import { accountById, liveAccount } from './rows/users.ts'
import { issueTokens, resourceServer, shapeAccessToken } from './tokens.ts'

/** The library looks up storage and lifetimes by these class names, so the minifier must not shorten them. */
const MODELS = [
  'AccessToken',
  'AuthorizationCode',
  'BackchannelAuthenticationRequest',
  'Client',
  'ClientCredentials',
  'DeviceCode',
  'Grant',
  'IdToken',
  'InitialAccessToken',
  'Interaction',
  'PreAuthorizedCode',
  'PushedAuthorizationRequest',
  'RefreshToken',
  'RegistrationAccessToken',
  'ReplayDetection',
  'Session',
] as const

const CLIENT_AUTH = ['none', 'client_secret_basic'] as const

export type ProviderDeps = {
  readonly issuer: string
  readonly config: ProviderConfig
  readonly masterKey: Uint8Array
  readonly keys: Keys
  readonly db: Db
  readonly adapter: (model: string) => Adapter
  readonly signIn: SignIn
  readonly factors: Factors
  readonly log: Log
  readonly terms: Terms | undefined
  readonly pages: Pick<Configuration, 'renderError'> & {
    readonly logout: (ctx: KoaContextWithOIDC) => void
    readonly loggedOut: (ctx: KoaContextWithOIDC) => void
  }
}

function configuration(deps: ProviderDeps): Configuration {
  const { config, db, issuer, keys, masterKey, pages } = deps
  const { alg, publicUrl } = config
  const secure = publicUrl.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true, secure } as const
  const corsOrigins = [new URL(publicUrl).origin, ...(config.corsOrigins ?? [])]
  return {
    adapter: deps.adapter,
    clients: clients(config, masterKey),
    jwks: keys.signingSet() as NonNullable<Configuration['jwks']>,
    findAccount: async (_ctx, id, token) => {
      const since = token && 'authTime' in token ? Number(token.authTime) : undefined
      const user = liveAccount(db, id, since)
      // A session without a second factor ends once one is required: its refresh tokens and codes become invalid.
      const twice = token && 'acr' in token && token.acr === '2'
      if (user && since !== undefined && !twice && deps.factors.isRequired(user)) return undefined
      return user && { accountId: user.id, claims: async () => personClaims(user) }
    },
    claims: Object.fromEntries(Object.entries(CLAIMS).map(([scope, names]) => [scope, [...names]])),
    scopes: [...SCOPES],
    acrValues: ['1', '2'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: [...CLIENT_AUTH],
    clientDefaults: { id_token_signed_response_alg: idTokenAlgOf(config) },
    enabledJWA: { idTokenSigningAlgValues: [idTokenAlgOf(config)] },
    clientBasedCORS: (_ctx, origin) => corsOrigins.includes(origin),
    conformIdTokenClaims: false,
    acceptQueryParamAccessTokens: false,
    discovery: {
      userinfo_endpoint: issuer + PATHS.userinfo,
      revocation_endpoint_auth_methods_supported: CLIENT_AUTH,
      prompt_values_supported: ['none', 'login', 'consent'],
      ui_locales_supported: ['fr', 'en'],
      request_parameter_supported: false,
    },
    expiresWithSession: () => true,
    // Loyer's pages renew by session cookie, so a script can steal at most one short-lived access token.
    issueRefreshToken: (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') &&
      !('redirectUri' in code && ownPages(config).includes(String(code.redirectUri))),
    rotateRefreshToken: true,
    loadExistingGrant,
    interactions: {
      policy: loginPolicy(db, deps.factors, deps.terms),
      url: (_ctx, interaction) => new URL(issuer).pathname + PATHS.login + interaction.uid,
    },
    cookies: {
      keys: cookieSigner(deriveKey(masterKey, 'cookies')),
      // The __Host- prefix requires Path=/, but the two cookies of a sign-in are limited to its path.
      names: {
        session: secure ? '__Host-loyer_session' : 'loyer_session',
        interaction: secure ? '__Secure-loyer_login' : 'loyer_login',
        resume: secure ? '__Secure-loyer_resume' : 'loyer_resume',
      },
      long: cookie,
      short: cookie,
    },
    routes: {
      authorization: PATHS.authorization,
      token: PATHS.token,
      jwks: PATHS.jwks,
      userinfo: PATHS.userinfo,
      end_session: PATHS.end_session,
      revocation: PATHS.revocation,
    },
    ttl: {
      AccessToken: LIFETIME.access,
      ClientCredentials: LIFETIME.access,
      AuthorizationCode: LIFETIME.code,
      IdToken: LIFETIME.id,
      Interaction: LIFETIME.login,
      RefreshToken: (_ctx, token) => idleSince(token.authTime),
      Session: (_ctx, session) => idleSince(session.loginTs),
      Grant: LIFETIME.most,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      claimsParameter: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      clientCredentials: { enabled: true },
      rpInitiatedLogout: { enabled: true, logoutSource: pages.logout, postLogoutSuccessSource: pages.loggedOut },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource, client) => {
          if (resource !== RESOURCE) throw new InvalidTarget()
          return resourceServer(alg, client.clientId)
        },
      },
    },
    formats: {
      customizers: {
        jwt: async (ctx: KoaContextWithOIDC | undefined, token, jwt) => {
          // The session may have ended during this request: a token issued now would outlive it.
          if ('grantId' in token && token.grantId && !(await deps.adapter('Grant').find(token.grantId)))
            throw new InvalidGrant('grant not found')
          const user =
            'accountId' in token && token.accountId ? accountById(db).get({ id: token.accountId }) : undefined
          const { AuthorizationCode: code, RefreshToken: refresh } = ctx?.oidc?.entities ?? {}
          const members = token as { clientId?: string; sessionUid?: string; authTime?: number }
          shapeAccessToken(jwt, members, user, code ?? refresh ?? members)
        },
      },
    },
    ...(pages.renderError ? { renderError: pages.renderError } : {}),
  }
}

/** Adds the headers and errors that RFC 6749 section 5.2 and RFC 9110 section 15.5.2 require and the library omits. */
function refused(ctx: KoaContextWithOIDC, error: { readonly error?: string }): void {
  const { client, params, issuer } = ctx.oidc
  const grant = params?.grant_type
  if (client && typeof grant === 'string' && error.error === 'invalid_request' && !client.grantTypeAllowed(grant))
    ctx.body = { error: 'unauthorized_client', error_description: 'this grant is not for this client' }
  if (ctx.status === 401 && !ctx.response.get('WWW-Authenticate'))
    ctx.set('WWW-Authenticate', `Basic realm="${issuer}", error="invalid_client"`)
}

/** A provider for the store and the current keys; it is replaced (2 ms) when the signing key changes. */
export function createProvider(deps: ProviderDeps): Provider {
  const { config, log, signIn } = deps
  const provider = new Provider(deps.issuer, configuration(deps))
  for (const name of MODELS) Object.defineProperty(provider[name], 'name', { value: name })
  Object.assign(provider.Client.prototype, {
    redirectUriAllowed(this: { readonly clientId: string }, uri: string) {
      return redirectAllowed(config, uri, this.clientId)
    },
    postLogoutRedirectUriAllowed(this: { readonly clientId: string }, uri: string) {
      return this.clientId === MOBILE && logoutRedirectAllowed(config, uri)
    },
    // An unknown response type gets an error of its own (RFC 6749, 4.1.2.1), which the library checks later.
    responseModeAllowed: (mode: string, type = '') =>
      mode === 'query' || (type !== '' && type.split(' ').some((word) => word !== 'code')),
    includeSid: () => true,
  })
  // Without an error listener Koa would print the error itself.
  const emitter: EventEmitter = provider
  emitter.on('error', (error: unknown) => log.error('identity_failed', error))
  provider.on('server_error', (ctx, error) => {
    log.error('identity_failed', error, { path: ctx.path.slice(0, 60) })
    if (!(error instanceof AppError)) return
    ctx.status = error.code === 'too_many_requests' ? 429 : 503
    ctx.set('Retry-After', String(error.details.retryAfter ?? 30))
    if (typeof ctx.body === 'object') ctx.body = { error: 'temporarily_unavailable' }
  })
  provider.on('grant.error', refused)
  provider.on('revocation.error', refused)
  if (config.sandbox)
    provider.registerGrantType(
      'password',
      async (ctx) => {
        const { username, password, scope } = ctx.oidc.params ?? {}
        const user = await signIn(String(username ?? ''), String(password ?? ''), ctx.ip).catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'invalid_credentials')
            throw new InvalidGrant('invalid credentials')
          throw error
        })
        ctx.body = await issueTokens(provider, config.alg, user, typeof scope === 'string' ? scope : undefined)
      },
      ['username', 'password', 'scope'],
      [],
    )
  return provider
}
