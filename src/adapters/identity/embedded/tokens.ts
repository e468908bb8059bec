import type { Provider } from 'oidc-provider'
import { accessClaims, LIFETIME, personClaims, RESOURCE, SCOPES } from './claims.ts'
import { ADMIN, API, MOBILE } from './clients.ts'
import type { Alg } from './rows/keys.ts'
import type { AccountRow } from './rows/users.ts'

/** A token endpoint's answer (RFC 6749 section 5.1). */
export type TokenAnswer = {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly refresh_token: string
  readonly id_token?: string
  readonly scope: string
}

const DEFAULT_SCOPE = 'openid profile email'

/** The requested scopes that exist, without duplicates. */
const knownScope = (requested: string | undefined): string =>
  SCOPES.filter((scope) => (requested ?? DEFAULT_SCOPE).split(' ').includes(scope)).join(' ')

export const resourceServer = (alg: Alg, clientId: string) => ({
  scope: clientId === ADMIN ? '' : SCOPES.join(' '),
  // svc-admin's own tokens must not pass as a user's.
  audience: clientId === ADMIN ? ADMIN : API,
  accessTokenFormat: 'jwt' as const,
  accessTokenTTL: LIFETIME.access,
  jwt: { sign: { alg } },
})

/** How and when the person signed in (epoch seconds). */
type Proof = {
  readonly authTime?: number | undefined
  readonly acr?: string | undefined
  readonly amr?: readonly string[] | undefined
}

/** Adds Keycloak's claims to an access token that is about to be signed. */
export function shapeAccessToken(
  jwt: { header?: Record<string, unknown> | undefined; payload: Record<string, unknown> },
  token: { readonly clientId?: string | undefined; readonly sessionUid?: string | undefined },
  user: AccountRow | undefined,
  proof: Proof = {},
): void {
  jwt.header = { ...jwt.header, typ: 'JWT' }
  delete jwt.payload.client_id
  Object.assign(jwt.payload, user ? accessClaims(user) : { typ: 'Bearer' }, {
    azp: token.clientId,
    ...(user && token.sessionUid ? { sid: token.sessionUid } : {}),
    ...(user && proof.authTime !== undefined ? { auth_time: proof.authTime } : {}),
    ...(user ? { acr: proof.acr ?? '1', amr: proof.amr ?? ['pwd'] } : {}),
  })
}

/** Signs an account in without a browser: a session of its own, with a refresh token of svc-mobile. */
export async function issueTokens(
  provider: Provider,
  alg: Alg,
  user: AccountRow,
  requested?: string,
): Promise<TokenAnswer> {
  const client = await provider.Client.find(MOBILE)
  if (!client) throw new Error('svc-mobile is not registered')
  const scope = knownScope(requested)
  const authTime = Math.floor(Date.now() / 1000)
  const grant = new provider.Grant({ accountId: user.id, clientId: MOBILE })
  grant.addOIDCScope(scope)
  grant.addResourceScope(RESOURCE, scope)
  const grantId = await grant.save()
  const session = new provider.Session()
  session.loginAccount({ accountId: user.id, loginTs: authTime, acr: '1', amr: ['pwd'] })
  session.authorizations = { [MOBILE]: { grantId, sid: session.uid } }
  await session.save(LIFETIME.idle)
  const source = {
    accountId: user.id,
    client,
    grantId,
    sessionUid: session.uid,
    sid: session.uid,
    expiresWithSession: true,
  }
  const access = new provider.AccessToken({ ...source, gty: 'password', scope })
  access.resourceServer = new provider.ResourceServer(RESOURCE, resourceServer(alg, MOBILE))
  // Without a browser request these members have to be set here.
  Object.assign(access, { authTime })
  const refresh = new provider.RefreshToken({
    ...source,
    gty: 'password',
    scope,
    authTime,
    acr: '1',
    amr: ['pwd'],
    resource: RESOURCE,
    rotations: 0,
  })
  const answer = {
    access_token: await access.save(),
    token_type: 'Bearer',
    expires_in: LIFETIME.access,
    refresh_token: await refresh.save(),
    scope,
  }
  if (!scope.split(' ').includes('openid')) return answer
  const id = new provider.IdToken(personClaims(user), { client })
  // The library reads the allowed claims from this member, which its types leave out.
  Object.assign(id, { scope })
  for (const [name, value] of Object.entries({ sid: session.uid, auth_time: authTime, acr: '1', amr: ['pwd'] }))
    id.set(name, value)
  return { ...answer, id_token: await id.issue({ use: 'idtoken' }) }
}
