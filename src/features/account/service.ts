import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '../../../db/open.ts'
import type { Claims } from '../../adapters/identity/verify.ts'
import { isUuid } from '../../core/id.ts'
import { normalizePhone } from '../../core/phone.ts'
import type { Role } from '../../core/roles.ts'
import type { Deps } from '../../deps.ts'
import { AppError, invalid } from '../../errors.ts'
import { type Caller, type Ctx, scopeOf } from '../../http/caller.ts'
import { systemCtx } from '../../jobs/worker.ts'
import { record } from '../audit/service.ts'
import { createOrganization } from '../organizations/service.ts'
import { findOrganization, operatorOrganization } from '../organizations/store.ts'
import { linkAccount } from '../tenants/service.ts'
import { createUser, profileOf, refreshUser, sameProfile } from '../users/service.ts'
import { findUser, findUserBySubject, type UserRow } from '../users/store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'config'>

/** A valid token without organization: known, and told 403 wherever an organization is needed. */
const outsider = (claims: Claims): Caller => ({
  userId: claims.sub,
  orgId: '',
  roles: claims.roles,
  scope: scopeOf(claims.sub, []),
})

const callerFor = (claims: Claims, user: UserRow): Caller => ({
  userId: user.id,
  orgId: user.orgId,
  roles: claims.roles,
  scope: scopeOf(user.id, claims.roles),
  sessionId: claims.sid,
})

/**
 * The caller behind a verified token. With an external issuer the rows of user and organization are made at first
 * sight, and refreshed by tokens issued after the row's last change; with the embedded one they must exist.
 * @throws unauthorized for a disabled user and for tokens issued before sessions were ended
 */
export function resolveCaller({ db, write, clock, newId, config }: Work): (claims: Claims) => Promise<Caller> {
  const external = config.authUrl !== undefined

  function sight(tx: Tx, orgId: string, claims: Claims): UserRow {
    const nowMs = clock.now()
    const requestId = `token-${createHash('sha256').update(`${claims.sub} ${claims.iat}`).digest('hex').slice(0, 12)}`
    const known = findUserBySubject(tx, orgId, claims.sub)
    const caller: Caller = { ...outsider(claims), userId: known?.id ?? claims.sub, orgId }
    const ctx: Ctx = {
      tx,
      caller,
      nowMs,
      now: new Date(nowMs).toISOString(),
      newId,
      requestId,
      expectVersion: () => {},
    }
    if (!findOrganization(tx, orgId)) createOrganization(ctx, orgId, config)
    const user = known ? refreshUser(ctx, known, profileOf(claims)) : createUser(ctx, claims.sub, profileOf(claims))
    if (user.phoneVerified) linkAccount(ctx, user)
    return user
  }

  return async (claims) => {
    const { orgId } = claims
    if (orgId === undefined) return outsider(claims)
    const known = findUserBySubject(db, orgId, claims.sub)
    if (known?.status === 'DISABLED' || (known?.notBefore ?? 0) > claims.iat) throw new AppError('unauthorized')
    if (!external) {
      if (!known) throw new AppError('unauthorized')
      return callerFor(claims, known)
    }
    const newer = known !== undefined && claims.iat * 1000 > Date.parse(known.updatedAt)
    if (known && !(newer && !sameProfile(known, profileOf(claims)))) return callerFor(claims, known)
    return callerFor(claims, await write(orgId, (tx) => sight(tx, orgId, claims)))
  }
}

type NewUser = {
  readonly phone: string
  readonly roles: readonly Role[]
  readonly orgId?: string | undefined
  readonly orgName?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly password?: string | undefined
}

/**
 * An account made by the operator (`loyer user create`, the demo): in the organization named, else in a new one if
 * there is none yet, else in the operator's. Without a password one is made and returned, to be handed over.
 */
export async function addUser(
  deps: Work & Pick<Deps, 'identity'>,
  user: NewUser,
): Promise<{ userId: string; orgId: string; password: string | undefined }> {
  const { db, write, newId, config, identity } = deps
  if (!identity)
    throw new AppError('identity_unavailable', {
      en: 'Accounts are made at the identity provider that AUTH_URL names.',
      fr: "Les comptes se créent chez le fournisseur d'identité indiqué par AUTH_URL.",
    })
  const phoneNumber = normalizePhone(user.phone)
  if (phoneNumber === undefined)
    throw invalid('/phone', 'This is no phone number.', "Ce n'est pas un numéro de téléphone.")
  if (user.orgId !== undefined && !isUuid(user.orgId))
    throw invalid('/org', 'An organization id is a UUID.', "Un identifiant d'organisation est un UUID.")
  const orgId = user.orgId ?? operatorOrganization(db)?.id ?? newId()
  const context = (tx: Tx): Ctx => ({ ...systemCtx(deps, tx, orgId, `operator-${newId()}`) })
  await write(orgId, (tx) => {
    if (!findOrganization(tx, orgId)) createOrganization(context(tx), orgId, config, user.orgName ?? null)
  })
  const password = user.password ?? randomBytes(9).toString('base64url')
  const { userId } = await identity.createAccount({
    orgId,
    phoneNumber,
    phoneVerified: true,
    password,
    firstName: user.firstName ?? phoneNumber,
    lastName: user.lastName ?? '',
    roles: user.roles,
    locale: config.locale,
  })
  await write(orgId, (tx) => {
    const ctx = context(tx)
    const row = findUser(tx, orgId, userId)
    if (!row) throw new AppError('internal')
    record(ctx, 'user.create', { type: 'user', after: row })
    linkAccount(ctx, row)
  })
  return { userId, orgId, password: user.password === undefined ? password : undefined }
}
