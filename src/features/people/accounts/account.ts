import { hash, randomBytes } from 'node:crypto'
import type { Db, Tx } from '../../../../db/open.ts'
import type { Claims } from '../../../adapters/identity/verify.ts'
import { record } from '../../../changes/record.ts'
import { type Asking, type Caller, type Ctx, createCtx, scopeOf, systemCtx } from '../../../context.ts'
import { isUuid } from '../../../core/id.ts'
import { normalizePhone } from '../../../core/phone.ts'
import type { Role } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { createOrganization } from '../organizations/service.ts'
import { findOrganization, operatorOrganization } from '../organizations/store.ts'
import { linkAccount } from '../tenants/service.ts'
import { profileOf, sameProfile } from '../users/rules.ts'
import {
  accountsOf,
  createUser,
  numberTaken,
  refreshUser,
  type Telling,
  withdrawInvitationsOf,
} from '../users/service.ts'
import { findUser, findUserBySubject, propertiesOf, type UserRow } from '../users/store.ts'
import { replacePassword } from './password-reset.ts'
import { checkPassword } from './registration.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'config'>

/** The caller of a valid token that names no organization: authenticated, but refused (403) where one is needed. */
const outsider = (claims: Claims): Caller => ({
  userId: claims.sub,
  orgId: '',
  roles: claims.roles,
  scope: scopeOf(claims.sub, []),
})

const callerFor = (db: Db, claims: Claims, user: UserRow, roles = claims.roles): Caller => ({
  userId: user.id,
  orgId: user.orgId,
  roles,
  scope: scopeOf(user.id, roles, user.limited ? propertiesOf(db, user) : undefined),
  sessionId: claims.sid,
  authTime: claims.authTime,
  acr: claims.acr,
})
/** Roles in both token and row: a removed role is lost at once, an added one takes effect with the next token. */
const rolesLeft = (claims: Claims, user: UserRow): readonly Role[] =>
  claims.roles.filter((role) => user.roles.includes(role))

/**
 * The caller behind a verified token. With an external issuer, the first token of a person creates the rows of user
 * and organization, and a token issued after the row's last change refreshes them; with the embedded provider the rows
 * must exist.
 * @throws unauthorized if the user is disabled or the token is older than the end of the sessions
 */
export function resolveCaller(deps: Telling): (claims: Claims) => Promise<Caller> {
  const { db, write, config } = deps
  const external = config.authUrl !== undefined

  function sight(tx: Tx, orgId: string, claims: Claims): UserRow {
    const requestId = `token-${hash('sha256', `${claims.sub} ${claims.iat}`, 'hex').slice(0, 12)}`
    const known = findUserBySubject(tx, orgId, claims.sub)
    const caller: Caller = { ...outsider(claims), userId: known?.id ?? claims.sub, orgId }
    const ctx = createCtx(deps, tx, caller, requestId)
    if (!findOrganization(tx, orgId)) createOrganization(ctx, orgId, config)
    const user = known
      ? refreshUser(ctx, deps, known, profileOf(claims))
      : createUser(ctx, claims.sub, profileOf(claims))
    if (user.phoneVerified) linkAccount(ctx, user)
    return user
  }

  return async (claims) => {
    const { orgId } = claims
    if (orgId === undefined) return outsider(claims)
    const known = findUserBySubject(db, orgId, claims.sub)
    if ((known && known.status !== 'ACTIVE') || (known?.notBefore ?? 0) > claims.iat) throw new AppError('unauthorized')
    if (!external) {
      if (!known) throw new AppError('unauthorized')
      return callerFor(db, claims, known, rolesLeft(claims, known))
    }
    const age = known === undefined ? 0 : claims.iat * 1000 - Date.parse(known.updatedAt)
    if (known && !(age > 0 && !sameProfile(known, profileOf(claims))))
      return callerFor(db, claims, known, age < 0 ? rolesLeft(claims, known) : claims.roles)
    return callerFor(db, claims, await write(orgId, (tx) => sight(tx, orgId, claims)))
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
 * Creates an account for the operator (`loyer user create`, the demo): in the organization named, else in a new one if
 * there is none yet, else in the operator's. Without a password it generates one and returns it.
 */
export async function addUser(
  deps: Work & Pick<Deps, 'identity'>,
  user: NewUser,
): Promise<{ userId: string; orgId: string; password: string | undefined }> {
  const { db, write, newId, config } = deps
  const identity = accountsOf(deps)
  const phoneNumber = normalizePhone(user.phone)
  if (phoneNumber === undefined)
    throw invalid('/phone', 'This is no phone number.', 'Ce n’est pas un numéro de téléphone.')
  if (user.orgId !== undefined && !isUuid(user.orgId))
    throw invalid('/org', 'An organization id is a UUID.', 'Un identifiant d’organisation est un UUID.')
  if (user.password !== undefined) checkPassword(user.password, '/password', phoneNumber)
  if (await identity.findByPhone(phoneNumber)) throw numberTaken()
  const orgId = user.orgId ?? operatorOrganization(db)?.id ?? newId()
  if (user.orgId !== undefined && user.orgName === undefined && !findOrganization(db, orgId))
    throw invalid('/org', 'There is no organization with this id.', 'Aucune organisation n’a cet identifiant.')
  const context = (tx: Tx): Ctx => ({ ...systemCtx(deps, tx, orgId, `operator-${newId()}`) })
  await write(orgId, (tx) => {
    if (!findOrganization(tx, orgId)) createOrganization(context(tx), orgId, config, user.orgName ?? null)
    withdrawInvitationsOf(context(tx), phoneNumber)
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

/**
 * Sets a new password for the caller and ends all other sessions. @throws validation_failed if the current one is
 * wrong
 */
export async function changePassword(
  deps: Deps,
  { caller, address, requestId, locale }: Asking,
  body: { currentPassword: string; newPassword: string },
): Promise<void> {
  const { embedded } = deps
  const user = findUser(deps.db, caller.orgId, caller.userId)
  if (!user) throw notFound()
  if (!embedded)
    throw new AppError('identity_unavailable', {
      en: 'Passwords are changed at the identity provider.',
      fr: 'Les mots de passe se changent chez le fournisseur d’identité.',
    })
  checkPassword(body.newPassword, '/newPassword', user.phoneNumber ?? '')
  if (!(await embedded.checkPassword(user.username ?? '', body.currentPassword, address)))
    throw invalid('/currentPassword', 'Is not your password.', 'N’est pas votre mot de passe.')
  await replacePassword(deps, { ...user, userId: user.subject }, body.newPassword, {
    action: 'user.password_change',
    requestId,
    caller,
    locale,
    keepSession: caller.sessionId,
    // Another request may have ended the session while the password was being checked.
    holds() {
      const { sessionId } = caller
      if (sessionId !== undefined && !embedded.sessions(user.subject).some(({ id }) => id === sessionId))
        throw new AppError('unauthorized')
    },
  })
}
