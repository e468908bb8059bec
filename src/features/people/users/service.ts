import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../../../db/open.ts'
import { deleteInvitation, ERASED, insertUser, saveUser, UNSAID } from '../../../../db/users.ts'
import type { Account, Identity } from '../../../adapters/identity/port.ts'
import { change, existing, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { isUuid } from '../../../core/id.ts'
import { maskPhone } from '../../../core/phone.ts'
import { isRole, ROLES } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound, refused, refusedAt } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { endCodes, eraseCodes } from '../codes/service.ts'
import { forgetRecoveries, voidRecoveriesBy } from '../codes/store.ts'
import { checkElsewhere } from '../messages/budgets.ts'
import { tellWith, warnWith } from '../messages/news.ts'
import { TEXTS } from '../messages/texts.ts'
import { findOrganization } from '../organizations/store.ts'
import { forgetAnswers } from './answers.ts'
import { limitsAsText, limitsFor } from './caretakers.ts'
import type { Invitation, ProfilePatch, UserPatch } from './model.ts'
import { type Profile, SHUT_OUT, sameProfile } from './rules.ts'
import {
  assign,
  assignedTo,
  findUser,
  findUserByPhone,
  hasOtherAdmin,
  invitationsOf,
  nameIn,
  phoneElsewhere,
  type UserRow,
  userIdTaken,
} from './store.ts'

/** What a message about an account needs. */
export type Telling = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log' | 'config'>

/** Sends news to a user's own number, in their language, in the transaction of the change it reports. */
export function tellUser(
  tx: Tx,
  deps: Telling,
  user: UserRow,
  purpose: string,
  say: (t: Texts, organization: string) => string,
  tell = tellWith,
): void {
  const { orgId, phoneNumber: to, locale } = { ...user, locale: user.locale ?? deps.config.locale }
  if (to !== null)
    tell(deps, tx, { orgId, to, locale, purpose, text: say(TEXTS[locale], findOrganization(tx, orgId)?.name ?? '') })
}
type Texts = (typeof TEXTS)['fr' | 'en']

/**
 * Creates a person's row when their token is first seen. If their verified number was invited, the invitation becomes
 * the row; else a new row takes the token's subject as id if that is an unused UUID.
 */
export function createUser(ctx: Ctx, subject: string, profile: Profile, locale: 'fr' | 'en' | null = null): UserRow {
  const waiting =
    profile.phoneVerified && profile.phoneNumber !== null
      ? invitationsOf(ctx.tx, profile.phoneNumber).find(({ orgId }) => orgId === ctx.caller.orgId)
      : undefined
  if (waiting) return change(ctx, saveUser, waiting, { ...profile, subject, status: 'ACTIVE' }, 'user.accept')
  const row: UserRow = {
    id: isUuid(subject) && !userIdTaken(ctx.tx, subject) ? subject : ctx.newId(),
    orgId: ctx.caller.orgId,
    subject,
    ...profile,
    locale,
    status: 'ACTIVE',
    notBefore: null,
    ...UNSAID,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertUser(ctx.tx, row)
  record(ctx, 'user.create', { type: 'user', after: row })
  return row
}

/** Copies what an external issuer now says; if it changed the number, both numbers are told. */
export function refreshUser(ctx: Ctx, deps: Telling, before: UserRow, profile: Profile): UserRow {
  if (sameProfile(before, profile)) return before
  const after = change(ctx, saveUser, before, { ...profile, ...leaving(ctx, deps, before, profile) }, 'user.refresh')
  const moved = after.phoneNumber !== before.phoneNumber
  if (moved || after.roles.join() !== before.roles.join()) endCodes(deps, ctx.tx, before, moved)
  if (!moved || after.phoneNumber === null) return after
  const masked = maskPhone(after.phoneNumber)
  for (const user of [before, after])
    tellUser(ctx.tx, deps, user, 'phone_changed', (t, name) => t.phoneChanged(masked, name))
  return after
}

/**
 * What losing the role ADMIN brings with it: nobody recovers the account at once for a day, and what the person asked
 * for of others is void.
 */
function leaving(
  ctx: Ctx,
  deps: Pick<Deps, 'clock'>,
  before: UserRow,
  { roles, status = before.status }: { readonly roles: readonly string[]; readonly status?: UserRow['status'] },
): Pick<UserRow, 'adminUntil'> | undefined {
  if (!before.roles.includes('ADMIN') || (roles.includes('ADMIN') && status === 'ACTIVE')) return undefined
  voidRecoveriesBy(ctx.tx, { askedBy: before.id, now: deps.clock.wall() })
  return roles.includes('ADMIN') ? undefined : { adminUntil: secondsOf(deps) }
}

/** Changes the caller's own names, e-mail and language, or what they are told of. */
export function updateProfile(ctx: Ctx, patch: ProfilePatch | Pick<UserRow, 'notifications'>): UserRow {
  const before = findUser(ctx.tx, ctx.caller.orgId, ctx.caller.userId)
  if (!before) throw notFound()
  const changed = { ...before, ...patch }
  return isDeepStrictEqual(changed, before) ? before : change(ctx, saveUser, before, changed, 'user.update')
}

const TAKEN = {
  en: 'This number has an account already. Sign in with it, or reset its password.',
  fr: 'Ce numéro a déjà un compte. Connectez-vous avec lui, ou réinitialisez son mot de passe.',
}
/** 409 for a number that already has an account; `path` is the member that names it, if the request does. */
export const numberTaken = (path?: string): AppError =>
  path === undefined ? new AppError('duplicate', TAKEN) : refusedAt(path, 'duplicate', TAKEN)

/** Marks the number on file as verified. */
export const markVerified = (ctx: Ctx, before: UserRow): UserRow =>
  before.phoneVerified ? before : change(ctx, saveUser, before, { phoneVerified: true }, 'user.phone_verify')

/** The identity provider's accounts. @throws identity_unavailable if they are administered elsewhere */
export function accountsOf({ identity }: Pick<Deps, 'identity'>): Identity {
  if (!identity)
    throw new AppError('identity_unavailable', {
      en: 'Accounts are administered at the identity provider that AUTH_URL names, and not from here.',
      fr: 'Les comptes s’administrent chez le fournisseur d’identité indiqué par AUTH_URL, et non d’ici.',
    })
  return identity
}

/** A user of the caller's organization. @throws not_found */
export const userOf = existing(findUser)

const inOrder = (roles: readonly string[]): string[] => ROLES.filter((role) => roles.includes(role))

/**
 * Invites a number: the person who registers with it joins the organization with these roles. `account` is the
 * number's account at the identity provider, or the error of looking it up. @throws duplicate, member_elsewhere
 */
export function inviteUser(ctx: Ctx, body: Invitation, account: Account | AppError | undefined): UserRow {
  if (account instanceof AppError) throw account
  const { orgId } = ctx.caller
  const { phoneNumber, firstName = null, lastName = null, locale = null } = body
  checkElsewhere(ctx)
  if ((account && account.orgId !== orgId) || phoneElsewhere(ctx.tx, orgId, phoneNumber))
    throw refusedAt('/phoneNumber', 'member_elsewhere')
  const waiting = invitationsOf(ctx.tx, phoneNumber).some((row) => row.orgId === orgId)
  if (account || waiting || findUserByPhone(ctx.tx, orgId, phoneNumber))
    throw refusedAt('/phoneNumber', 'duplicate', {
      en: 'This number is that of a user of your organization, or invited already: change their roles instead.',
      fr: 'Ce numéro est celui d’un utilisateur de votre organisation, ou déjà invité : changez plutôt ses rôles.',
    })
  const id = ctx.newId()
  const row: UserRow = {
    id,
    orgId,
    subject: id,
    username: null,
    email: null,
    firstName,
    lastName,
    phoneNumber,
    phoneVerified: false,
    roles: inOrder(body.roles),
    locale,
    status: 'INVITED',
    notBefore: null,
    ...UNSAID,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  const limits = limitsFor(ctx, row, row.roles, body.propertyIds)
  row.limited = limits !== null
  insertUser(ctx.tx, row)
  if (limits) assign(ctx, row, limits)
  record(ctx, 'user.invite', {
    type: 'user',
    after: row,
    details: { roles: row.roles.join(','), ...limitsAsText(limits) },
  })
  enqueue(ctx, 'user.invited', id)
  return row
}

/** Withdraws an invitation. @returns it @throws not_found, invalid_state once it was accepted */
export function withdrawInvitation(ctx: Ctx, id: string): UserRow {
  const row = userOf(ctx, id)
  if (row.status !== 'INVITED') throw refused(row.status, [])
  assign(ctx, row, [])
  deleteInvitation(ctx.tx, row)
  record(ctx, 'user.withdraw', { type: 'user', before: row })
  return row
}

/** Removes number and names of a withdrawn invitation from the answers that are kept for retries. */
export function forgetInvitation(deps: Pick<Deps, 'write'>, row: UserRow): Promise<void> {
  const texts = [row.phoneNumber, row.firstName, row.lastName].flatMap((text) => (text === null ? [] : [text]))
  return forgetAnswers(deps, row, new Map(texts.map((text) => [text, null])))
}

/** Withdraws all invitations of a number, because its account was created another way. */
export function withdrawInvitationsOf(ctx: Ctx, phoneNumber: string): void {
  for (const row of invitationsOf(ctx.tx, phoneNumber))
    if (row.orgId === ctx.caller.orgId) withdrawInvitation(ctx, row.id)
}

/** @throws last_admin when nobody else administers the organization */
function checkOtherAdmin(ctx: Ctx, user: UserRow): void {
  if (user.roles.includes('ADMIN') && !hasOtherAdmin(ctx.tx, user.orgId, user.id)) throw new AppError('last_admin')
}

/**
 * Changes roles, disables or enables. Removed rights end at once, also for tokens in use, and open codes are void. The
 * identity provider follows at once if it can be reached, else in a job.
 * @throws not_found, invalid_state, own_account, last_admin, validation_failed
 */
export function changeUser(ctx: Ctx, deps: Telling, id: string, patch: UserPatch): UserRow {
  const before = userOf(ctx, id)
  const roles = patch.roles ? inOrder(patch.roles) : before.roles
  const status = patch.status ?? before.status
  const moves = status !== before.status
  if (before.status === 'ERASED' || (moves && before.status === 'INVITED')) throw refused(before.status, [])
  const { roles: _r, status: _s, propertyIds, ...more } = patch
  const limits = limitsFor(ctx, before, roles, propertyIds)
  const changes = { ...more, limited: limits !== null }
  const former = assignedTo(ctx.tx, before) ?? null
  const isLimitedAnew = !isDeepStrictEqual(limits, former)
  const limitText = limitsAsText(limits, isLimitedAnew ? former : null)
  if (isLimitedAnew) assign(ctx, before, limits ?? [])
  if (!moves && roles.join() === before.roles.join()) {
    const changed = { ...before, ...changes }
    if (isLimitedAnew) return change(ctx, saveUser, before, changed, 'user.limit', limitText)
    return isDeepStrictEqual(changed, before) ? before : change(ctx, saveUser, before, changed, 'user.update')
  }
  const rules = before.status === 'ACTIVE' && before.roles.includes('ADMIN')
  if (rules && !(status === 'ACTIVE' && roles.includes('ADMIN'))) {
    if (id === ctx.caller.userId) throw new AppError('own_account')
    checkOtherAdmin(ctx, before)
  }
  const notBefore = moves && status === 'DISABLED' ? secondsOf(deps) : before.notBefore
  const action = !moves ? 'user.roles' : status === 'DISABLED' ? 'user.disable' : 'user.enable'
  const left = leaving(ctx, deps, before, { roles, status })
  const after = change(ctx, saveUser, before, { ...changes, ...left, roles, status, notBefore }, action, {
    roles: roles.join(','),
    ...limitText,
  })
  if (after.status === 'INVITED') return after
  enqueue(ctx, 'user.changed', `${id}:${after.version}`, { userId: id, status: moves })
  endCodes(deps, ctx.tx, before, after.status === 'DISABLED')
  if (moves && status === 'DISABLED')
    tellUser(ctx.tx, deps, after, 'account_disabled', (t, name) => t.accountDisabled(name))
  else if (moves) tellUser(ctx.tx, deps, after, 'account_enabled', (t) => t.accountEnabled())
  if (left)
    tellUser(
      ctx.tx,
      deps,
      after,
      'admin_removed',
      (t) => t.adminRemoved(nameIn(ctx.tx, before.orgId, ctx.caller.userId)),
      warnWith,
    )
  return after
}

/** Ends what a user's tokens were good for, and makes the account at the identity provider match the user's row. */
export async function followUser(
  deps: Pick<Deps, 'db' | 'identity' | 'access'>,
  orgId: string,
  id: string,
  { roles, status }: { readonly roles?: unknown; readonly status?: unknown },
): Promise<void> {
  const user = findUser(deps.db, orgId, id)
  if (!user || (user.status !== 'ACTIVE' && user.status !== 'DISABLED')) return
  deps.access.forget(user.subject)
  if (!roles && !status) return
  const identity = accountsOf(deps)
  await identity.setRoles(user.subject, user.roles.filter(isRole))
  if (status) await identity.disable(user.subject, { enable: user.status === 'ACTIVE' })
}

const secondsOf = ({ clock }: Pick<Deps, 'clock'>): number => Math.floor(clock.wall() / 1000)
/** Ends a user's access for good; the name stays. @returns the subject of the account, which is to be deleted */
export function shutOut(ctx: Ctx, deps: Pick<Deps, 'clock'>, id: string): string {
  const before = userOf(ctx, id)
  eraseCodes(deps, ctx.tx, before)
  voidRecoveriesBy(ctx.tx, { askedBy: id, now: deps.clock.wall() })
  change(ctx, saveUser, before, { ...SHUT_OUT, notBefore: secondsOf(deps) }, 'user.disable')
  return before.subject
}

/** Erases the personal data of a user who leaves; the row stays, because others refer to it. @throws last_admin */
export function eraseUser(ctx: Ctx, deps: Pick<Deps, 'clock'>, id: string): UserRow {
  const before = userOf(ctx, id)
  checkOtherAdmin(ctx, before)
  eraseCodes(deps, ctx.tx, before)
  forgetRecoveries(ctx.tx, id)
  voidRecoveriesBy(ctx.tx, { askedBy: id, now: deps.clock.wall() })
  assign(ctx, before, [])
  change(ctx, saveUser, before, { ...ERASED, notBefore: secondsOf(deps) }, 'user.erase')
  return before
}
