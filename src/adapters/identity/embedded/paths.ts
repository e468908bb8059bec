/** Where the provider stands under the service's address. */
export const REALM = '/realms/svc'

/** Paths under the issuer, as Keycloak has them. */
export const PATHS = {
  authorization: '/protocol/openid-connect/auth',
  token: '/protocol/openid-connect/token',
  renewal: '/protocol/openid-connect/renewal',
  jwks: '/protocol/openid-connect/certs',
  userinfo: '/protocol/openid-connect/userinfo',
  end_session: '/protocol/openid-connect/logout',
  revocation: '/protocol/openid-connect/revoke',
  login: '/login-actions/authenticate/',
  security: '/account/security',
  discovery: '/.well-known/openid-configuration',
  style: '/resources/login.css',
  icon: '/resources/icon.svg',
  passkeys: '/resources/passkey.js',
} as const

const READ = ['GET', 'HEAD'] as const
const BOTH = ['GET', 'HEAD', 'POST'] as const
const WRITE = ['POST'] as const
const FIXED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  [PATHS.discovery, READ],
  // The same document under its name of RFC 8414.
  ['/.well-known/oauth-authorization-server', READ],
  [PATHS.jwks, READ],
  [PATHS.style, READ],
  [PATHS.icon, READ],
  [PATHS.passkeys, READ],
  [PATHS.security, BOTH],
  [PATHS.authorization, BOTH],
  [PATHS.token, WRITE],
  [PATHS.renewal, WRITE],
  [PATHS.userinfo, BOTH],
  [PATHS.revocation, WRITE],
  [PATHS.end_session, BOTH],
  [`${PATHS.end_session}/confirm`, WRITE],
  [`${PATHS.end_session}/success`, READ],
])

/** The methods of a path under the issuer, without OPTIONS; undefined for an unknown path. Each path has one spelling. */
export function methodsOf(path: string): readonly string[] | undefined {
  if (path.startsWith(PATHS.login) && path.length > PATHS.login.length) return BOTH
  // The sign-in page sends the browser back here, with the id of the sign-in.
  return /^\/protocol\/openid-connect\/auth\/[\w-]+$/.test(path) ? READ : FIXED.get(path)
}

/** CORS allows every origin: these documents hold nothing personal. */
export const isOpen = (path: string): boolean => path.startsWith('/.well-known/') || path === PATHS.jwks

/** Largest form in bytes: its fields must fit into an address when it is redirected as GET. */
export const formLimit = (path: string): number =>
  path === PATHS.authorization || path === PATHS.end_session
    ? 4_096
    : path.startsWith(PATHS.login) || path === PATHS.security
      ? 16_384
      : 8_192
