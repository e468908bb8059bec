import type { ClientMetadata } from 'oidc-provider'
import type { HelpLinks } from './pages/pages.ts'
import { PATHS, REALM } from './paths.ts'
import { type Alg, deriveKey } from './rows/keys.ts'

export type ProviderConfig = {
  /** Absolute base without a trailing slash; the issuer is `${publicUrl}/realms/svc`. */
  readonly publicUrl: string
  /** Enables the password grant and the redirect URIs that developers need. */
  readonly sandbox: boolean
  /** Exact redirect URIs of svc-mobile beyond the pages' own. */
  readonly redirectUris: readonly string[]
  /** Signs access tokens. */
  readonly alg: Alg
  /**
   * The ID token algorithm that svc-mobile is registered with. The default is RS256, which OpenID Connect requires of
   * every provider, so that apps limited to it keep working when `alg` changes.
   */
  readonly idTokenAlg?: Alg
  /** Origins of web apps that may call the token endpoint from a browser. */
  readonly corsOrigins?: readonly string[]
  /** Failed sign-ins per minute and address, default 20; 0 turns this limit off, but never the waits of accounts. */
  readonly addressLimit?: number
  /** Pages for registration and a forgotten password, linked from the sign-in page when given. */
  readonly links?: HelpLinks
  /** Secret of the svc-admin service account; without it a random one is derived that nobody knows. */
  readonly adminSecret?: string | undefined
}

export const MOBILE = 'svc-mobile'
export const API = 'svc-api'
export const ADMIN = 'svc-admin'
/** The provider's own page for second factors, a client like an app. */
export const ACCOUNT = 'svc-account'
const accountUri = (config: ProviderConfig): string => config.publicUrl + REALM + PATHS.security

/** The clients of the realm. svc-api only names an audience: no grant is open to it. */
export function clients(config: ProviderConfig, masterKey: Uint8Array): ClientMetadata[] {
  const { sandbox } = config
  const secret = config.adminSecret ?? deriveKey(masterKey, 'svc-admin secret').toString('base64url')
  return [
    {
      client_id: MOBILE,
      client_name: 'Loyer',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', ...(sandbox ? ['password'] : [])],
      response_types: ['code'],
      response_modes: ['query'],
      id_token_signed_response_alg: idTokenAlgOf(config),
      // Apps need auth_time to tell a new sign-in from a silent one, whether or not they asked for it.
      require_auth_time: true,
      redirect_uris: ownPages(config),
      post_logout_redirect_uris: [],
    },
    { client_id: API, token_endpoint_auth_method: 'none', grant_types: [], response_types: [], redirect_uris: [] },
    {
      client_id: ACCOUNT,
      client_name: 'Loyer',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      response_modes: ['query'],
      redirect_uris: [accountUri(config)],
    },
    {
      client_id: ADMIN,
      client_secret: secret,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
    },
  ]
}

export const idTokenAlgOf = ({ idTokenAlg = 'RS256' }: ProviderConfig): Alg => idTokenAlg

const pageUris = (config: ProviderConfig, paths: readonly string[]): string[] => paths.map((p) => config.publicUrl + p)

/** Redirect URIs of Loyer's own pages. */
export const ownPages = (config: ProviderConfig): string[] =>
  pageUris(config, ['/console/callback', '/portal/callback'])

/**
 * Whether `uri` is a registered redirect URI, compared character by character except for a developer's loopback port
 * and path.
 */
export function redirectAllowed(config: ProviderConfig, uri: string, clientId = MOBILE): boolean {
  if (clientId !== MOBILE) return clientId === ACCOUNT && uri === accountUri(config)
  return allowed(config, uri, ['/console/callback', '/portal/callback'])
}

/** Allowed targets after sign-out: the pages' entries and all redirect URIs of sign-in. */
export function logoutRedirectAllowed(config: ProviderConfig, uri: string): boolean {
  return redirectAllowed(config, uri) || allowed(config, uri, ['', '/', '/console', '/console/', '/portal', '/portal/'])
}

function allowed(config: ProviderConfig, uri: string, paths: readonly string[]): boolean {
  if (pageUris(config, paths).includes(uri) || config.redirectUris.includes(uri)) return true
  return config.sandbox && (uri === 'com.svc.app:/callback' || isLoopback(uri))
}

/** RFC 8252 section 7.3: http on a loopback host, any port and path; refuses what two parsers might read differently. */
function isLoopback(uri: string): boolean {
  const match = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(\/[\w\-.~/]*)?(\?[\w\-.~/=&]*)?$/.exec(uri)
  return match !== null && URL.parse(uri)?.hostname === match[1] && !uri.includes('/..')
}
