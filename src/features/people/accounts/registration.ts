import { hash, randomBytes } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import { type Ctx, systemCtx } from '../../../context.ts'
import { passwordProblem } from '../../../core/password.ts'
import { isRole } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, CommitThenFail, invalid } from '../../../errors.ts'
import { TICKET_MS } from '../codes/rules.ts'
import { checkPrefix, type PhoneChallenge, redeemCode, requestCode } from '../codes/service.ts'
import { checkAccepted, writeConsents } from '../legal/service.ts'
import { knowSite } from '../messages/budgets.ts'
import { createOrganization } from '../organizations/service.ts'
import { findOrganization, operatorOrganization } from '../organizations/store.ts'
import { linkAccount } from '../tenants/service.ts'
import { createUser, numberTaken } from '../users/service.ts'
import { findUserBySubject, invitationsOf } from '../users/store.ts'
import type { Completion } from './model.ts'
import { giveBackTicket, insertTicket, invitingOrganization, takeTicket, useTicket } from './store.ts'

type Request = {
  readonly phoneNumber: string
  readonly channel: 'WHATSAPP' | 'SMS' | undefined
  readonly address: string
  readonly locale: 'fr' | 'en'
}

/**
 * Sends a code to a number for a new account; the answer is the same if it has one. @throws phone_prefix_not_allowed,
 * too_many_requests
 */
export function requestRegistration(deps: Deps, r: Request): Promise<PhoneChallenge> {
  const invited = invitationsOf(deps.db, r.phoneNumber)[0]?.orgId ?? invitingOrganization(deps.db, r.phoneNumber)
  checkPrefix(deps, r.phoneNumber, invited !== undefined)
  return requestCode(deps, {
    ...r,
    purpose: 'REGISTRATION',
    userId: null,
    orgId: invited ?? null,
    invited: invited !== undefined,
  })
}

const hashOf = (ticket: string): string => hash('sha256', ticket, 'base64url')

/**
 * Exchanges the right code for a ticket: 256 bits, 900 s, single use. @throws wrong_code, challenge_gone,
 * attempts_exhausted
 */
export function verifyRegistration(
  deps: Deps,
  challengeId: string,
  code: string,
): Promise<{ ticket: string; expiresAt: string }> {
  const ticket = randomBytes(32).toString('base64url')
  return deps.write(null, (tx) => {
    const challenge = redeemCode(deps, tx, { purpose: 'REGISTRATION', challengeId, code, userId: null })
    if (challenge instanceof CommitThenFail) return challenge
    const expiresAt = deps.clock.wall() + TICKET_MS
    insertTicket(tx, {
      hash: hashOf(ticket),
      phoneNumber: challenge.phoneNumber,
      expiresAt,
      takenAt: null,
      usedAt: null,
    })
    return { ticket, expiresAt: new Date(expiresAt).toISOString() }
  })
}

/** 422 at the member `path` if a password is too short, too long or too common. */
export function checkPassword(password: string, path: string, phoneNumber?: string): void {
  const problem = passwordProblem(password, phoneNumber)
  if (problem === 'length') throw invalid(path, 'Must have 8 to 128 characters.', 'Doit avoir de 8 à 128 caractères.')
  if (problem === 'common')
    throw new AppError('weak_password', undefined, {
      errors: [{ path, message: { en: 'Too easy to guess.', fr: 'Trop facile à deviner.' } }],
    })
}

/**
 * Exchanges a ticket for an account: with the roles of an administrator's invitation, else as TENANT; in the
 * organization that invited the number, else in the operator's. A refusal (409, 422, 503) leaves the ticket valid.
 * @throws ticket_invalid, duplicate, outdated_terms, account_unavailable
 */
export async function completeRegistration(
  deps: Deps,
  body: Completion,
  { locale, requestId, address }: Pick<Request, 'locale' | 'address'> & { readonly requestId: string },
): Promise<{ userId: string; username: string }> {
  checkPassword(body.password, '/password')
  checkAccepted(deps.legal, body.acceptedTermsVersion, body.acceptedPrivacyVersion)
  const { identity, db, write, clock } = deps
  if (!identity) throw new AppError('account_unavailable', undefined, { retryAfter: 60 })
  const hash = hashOf(body.ticket)
  // The ticket is taken before the password is hashed, so that a thousand parallel requests hash only one.
  const phoneNumber = await write(null, (tx) => takeTicket(tx, hash, clock.wall()) ?? null)
  if (phoneNumber === null) throw new AppError('ticket_invalid')
  try {
    checkPassword(body.password, '/password', phoneNumber)
    if (await identity.findByPhone(phoneNumber)) throw numberTaken()
    const [invited] = invitationsOf(db, phoneNumber)
    const orgId =
      invited?.orgId ?? invitingOrganization(db, phoneNumber) ?? operatorOrganization(db)?.id ?? deps.newId()
    const context = (tx: Tx): Ctx => systemCtx(deps, tx, orgId, requestId)
    await write(orgId, (tx) => {
      if (!findOrganization(tx, orgId)) createOrganization(context(tx), orgId, deps.config)
    })
    const { firstName, lastName, password, email } = body
    const roles = invited?.roles.filter(isRole) ?? ['TENANT']
    const account = await identity.createAccount({
      orgId,
      phoneNumber,
      phoneVerified: true,
      password,
      firstName,
      lastName,
      email: email ?? undefined,
      locale,
      roles,
      invitedUserId: invited?.id,
    })
    const userId = await write(orgId, (tx) => {
      const ctx = context(tx)
      useTicket(tx, hash, clock.wall())
      const profile = { username: phoneNumber, email: email ?? null, firstName, lastName, phoneNumber, roles }
      const user =
        findUserBySubject(tx, orgId, account.userId) ??
        createUser(ctx, account.userId, { ...profile, phoneVerified: true }, locale)
      record(ctx, 'user.register', { type: 'user', after: user })
      linkAccount(ctx, user)
      knowSite(deps, tx, user.id, address)
      writeConsents(deps, tx, { orgId, userId: user.id, locale, acceptedAt: ctx.now })
      return user.id
    })
    return { userId, username: phoneNumber }
  } catch (e) {
    await write(null, (tx) => giveBackTicket(tx, hash))
    if (!(e instanceof AppError)) throw new AppError('account_unavailable', undefined, { retryAfter: 30 }, e)
    if (e.code === 'duplicate') throw numberTaken()
    throw ['identity_unavailable', 'storage_unavailable', 'overloaded', 'not_found'].includes(e.code)
      ? new AppError('account_unavailable', undefined, { retryAfter: 30 }, e)
      : e
  }
}
