import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Db, Tx } from '../../../../db/open.ts'
import { CODES } from '../../../core/budgets.ts'
import { networkOf, siteOf } from '../../../core/network.ts'
import { maskPhone, prefixAllowed } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type CommitThenFail, commitThenFail, refusedAt } from '../../../errors.ts'
import { judgeCode, tooMany } from '../messages/budgets.ts'
import { prefixOf } from '../messages/rules.ts'
import { deliverSoon, enqueueMessage, forgetCode, undelivered, workingChannel } from '../messages/service.ts'
import { cancelSend, forgetSends, giveBackSends, guessesAt, noteSend } from '../messages/store.ts'
import {
  ANONYMOUS,
  type CHANNELS,
  CODE_MS,
  hashOf,
  LONG,
  LONG_DIGITS,
  MAX_ATTEMPTS,
  type Purpose,
  RECOVERY_MS,
  RESEND_MS,
} from './rules.ts'
import {
  type ChallengeRow,
  closeRecoveries,
  codesOf,
  codeUnderWay,
  dropChallenge,
  dropTickets,
  findChallenge,
  forgetChallenges,
  giveBackChallenge,
  insertRecovery,
  liveChallenge,
  markUsed,
  openChallenge,
  putChallenge,
  type RecoveryRow,
  settleRecovery,
  silenceChallenge,
  takeAttempt,
} from './store.ts'
import { codeText, type Signs, TOO_EARLY } from './texts.ts'

type Channel = (typeof CHANNELS)[number]
type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log'>

/** A request for a code to one number, for one purpose. */
export type CodeRequest = {
  readonly purpose: Purpose
  readonly phoneNumber: string
  readonly userId: string | null
  /** The only thing that the code may be used for. */
  readonly subject?: string
  /** The paper that the code signs, for the text of the message. */
  readonly signs?: Signs
  readonly orgId: string | null
  readonly channel: Channel | undefined
  /** The client's address, for the limits. */
  readonly address: string
  readonly locale: 'fr' | 'en'
  /** Looks like a real request but sends nothing, so that nobody learns which numbers have an account. */
  readonly decoy?: boolean
  /** A landlord or an administrator entered this number: the limits that strangers share do not hold it back. */
  readonly invited?: boolean
}
export type PhoneChallenge = {
  readonly challengeId: string
  readonly channel: Channel
  readonly expiresAt: string
  readonly maskedDestination: string
}

const randomCode = (digits: number): string => String(randomInt(10 ** digits)).padStart(digits, '0')
/** @throws phone_prefix_not_allowed if codes may not go to this prefix; invited numbers always pass */
export function checkPrefix({ config }: Pick<Deps, 'config'>, phoneNumber: string, invited: boolean): void {
  if (!invited && !prefixAllowed(phoneNumber, config.allowedPhonePrefixes))
    throw new AppError('phone_prefix_not_allowed')
}

/**
 * The status of a request: SENT with its own code; JOINED to the code already sent, if strangers have used up the budget;
 * for a reset else HELD, as the answer must not reveal an account. @throws too_many_requests
 */
function grant(deps: Work, tx: Tx, r: CodeRequest, old: ChallengeRow | undefined, now: number) {
  const { kind, waitMs, last } = judgeCode(deps, tx, r)
  const guessed = kind === 'STRANGER' && outguessed(tx, r, now)
  const underWay = kind === 'STRANGER' ? codeUnderWay(tx, { ...r, now }) : undefined
  // Once strangers have used up their guesses, a short code would be refused to everybody who shares it.
  const other = underWay?.id === old?.id || (guessed && !underWay?.codeHash.startsWith(LONG)) ? undefined : underWay
  // The first request can use the code that just arrived; a second request means that it did not arrive.
  const soon = other !== undefined && (!old || (old.joins !== null && now - other.sentAt < CODES.paceMs))
  if (waitMs === 0 && !soon)
    return { kind, long: guessed || last, status: r.decoy ? 'DECOY' : 'SENT', joins: null } as const
  if (other && old?.joins !== null) return { kind, long: false, status: 'JOINED', joins: other.id } as const
  if (r.purpose !== 'PASSWORD_RESET') throw tooMany(waitMs)
  return { kind, long: false, status: 'HELD', joins: null } as const
}

/**
 * Sends a code, or a new one for the caller's open challenge: the old code is void, its attempts still count. Answers
 * once the vendor has accepted it, or after a second at most: the queue then retries while the code is valid.
 * @throws too_many_requests, delivery_unavailable
 */
export async function requestCode(deps: Work, r: CodeRequest): Promise<PhoneChallenge> {
  const address = networkOf(r.address)
  const { row, messageId } = await deps.write(null, (tx) => {
    const now = deps.clock.wall()
    const { phoneNumber, purpose, userId, subject = null } = r
    const asker = ANONYMOUS.includes(purpose) ? address : null
    const old = liveChallenge(tx, { phoneNumber, purpose, userId, subject, asker, now })
    if (old && now - old.sentAt < RESEND_MS) throw tooMany(old.sentAt + RESEND_MS - now)
    // The attempts are spent, so a new code would be useless: none is sent.
    if (old && old.attempts >= MAX_ATTEMPTS) throw tooMany(old.expiresAt - now)
    const { kind, status, joins, long } = grant(deps, tx, r, old, now)
    const sending = status === 'SENT'
    const code = randomCode(long ? LONG_DIGITS : 6)
    // A reset that may not send a new code keeps the code it has.
    const keepsCode = old !== undefined && !sending && old.joins === null && !old.decoy
    const id = old?.id ?? randomUUID()
    const fresh = {
      ...{ id, purpose, phoneNumber, userId, subject, asker, kind, joins },
      // A reset gives the same answer with or without an account, and with or without a working vendor.
      channel: workingChannel(deps.messenger, r.channel, old?.channel, purpose === 'PASSWORD_RESET'),
      codeHash: keepsCode
        ? old.codeHash
        : (long ? LONG : '') + hashOf(deps.masterKey, purpose, id, sending ? code : randomUUID()),
      decoy: (status === 'DECOY' || status === 'HELD') && !keepsCode,
      attempts: old?.attempts ?? 0,
      expiresAt: keepsCode ? old.expiresAt : now + CODE_MS,
      sentAt: now,
    }
    putChallenge(tx, fresh)
    noteSend(tx, {
      ...{ id: deps.newId(), phoneNumber, prefix: prefixOf(phoneNumber), purpose, address, site: siteOf(address) },
      ...{ userId, sentAt: now, challengeId: id, kind, status, subject },
    })
    if (!keepsCode) forgetCode(deps, tx, id)
    const messageId = sending
      ? enqueueMessage(deps, tx, {
          orgId: r.orgId,
          to: phoneNumber,
          channel: fresh.channel,
          purpose: purpose.toLowerCase(),
          locale: r.locale,
          text: codeText(code, r),
          code,
          challengeId: id,
          claimed: purpose !== 'PASSWORD_RESET',
          expiresAt: fresh.expiresAt,
        })
      : undefined
    return { row: { ...fresh, expiresAt: now + CODE_MS }, messageId }
  })
  // A reset never waits for the vendor: the queue's next round sends its code.
  const channel =
    messageId === undefined || r.purpose === 'PASSWORD_RESET' ? row.channel : await delivered(deps, r, row, messageId)
  return {
    challengeId: row.id,
    channel,
    expiresAt: new Date(row.expiresAt).toISOString(),
    maskedDestination: maskPhone(row.phoneNumber),
  }
}

/** The channel that carries the code. @throws delivery_unavailable if none works now */
async function delivered(
  deps: Work,
  r: CodeRequest,
  row: { readonly id: string; readonly channel: Channel },
  messageId: string,
): Promise<Channel> {
  const delivery = await deliverSoon(deps, messageId, { purpose: r.purpose, channel: row.channel })
  if (!delivery || delivery.status === 'SENT') return delivery?.channel ?? row.channel
  // If it was refused, or postponed because no vendor works, the caller is told so: then it must not be sent later.
  if (delivery.status !== 'FAILED' && deps.messenger.pausedMs(delivery.channel) === 0) return delivery.channel
  await deps.write(null, (tx) => {
    cancelSend(tx, row.id)
    forgetCode(deps, tx, row.id)
  })
  throw undelivered(deps.messenger, [delivery.channel], RESEND_MS)
}

/**
 * Checks a code inside a write. The attempt is counted before the comparison, so parallel guesses share the five. A
 * right code uses up the challenge. Returns CommitThenFail with wrong_code; throws challenge_gone or attempts_exhausted.
 */
export function redeemCode(
  deps: Work,
  tx: Tx,
  r: {
    readonly purpose: Purpose
    readonly challengeId: string
    readonly code: string
    readonly userId: string | null
    readonly subject?: string | undefined
    /** The account's number now: the code must have been sent to it. */
    readonly phoneNumber?: string | null
  },
): Redeemed | CommitThenFail {
  const now = deps.clock.wall()
  const requested = findChallenge(tx, r.challengeId)
  if (
    !requested ||
    requested.purpose !== r.purpose ||
    (r.userId !== null && requested.userId !== r.userId) ||
    requested.subject !== (r.subject ?? null) ||
    (r.phoneNumber !== undefined && requested.phoneNumber !== r.phoneNumber) ||
    requested.usedAt !== null ||
    requested.expiresAt <= now
  )
    throw new AppError('challenge_gone')
  const hidden = r.purpose === 'PASSWORD_RESET'
  const guessed = r.code.length < LONG_DIGITS && spentGuesses(tx, requested, now)
  const row = guessed && !hidden ? undefined : takeAttempt(tx, r.challengeId, now)
  if (!row)
    throw new AppError('attempts_exhausted', undefined, { retryAfter: Math.ceil((requested.expiresAt - now) / 1000) })
  const recovery = hidden ? handedOver(deps, tx, row) : undefined
  const isHandedOver = recovery !== undefined && fits(deps, recovery, r.code)
  // Only its holder learns that the code is right, and from when on.
  if (isHandedOver && (recovery.validFrom ?? 0) > now)
    return commitThenFail(refusedAt('/code', 'wrong_code', TOO_EARLY))
  const recovered = isHandedOver && takeAttempt(tx, recovery.id, now)
  const opened = guessed ? undefined : openedBy(deps, tx, row, r.code, now)
  if (!recovered && !opened) {
    if (row.attempts >= MAX_ATTEMPTS) forgetCode(deps, tx, row.id)
    return commitThenFail(refusedAt('/code', 'wrong_code'))
  }
  // The code was right until the account changed. Only its holder learns this; others see no difference.
  if (!recovered && opened?.decoy) return commitThenFail(new AppError('challenge_gone'))
  const spent = [row, opened, recovered].flatMap((c) => (c ? [c.id] : [])).filter((id, i, all) => all.indexOf(id) === i)
  for (const id of spent) markUsed(tx, id, now)
  for (const id of opened ? spent : []) giveBackSends(tx, id)
  forgetCode(deps, tx, row.id)
  return { ...row, spent, byRecovery: Boolean(recovered) }
}

/** Whether strangers have used up their guesses at this number; the first guess at one's own code is free. */
const spentGuesses = (tx: Tx, c: ChallengeRow, now: number): boolean =>
  c.kind === 'STRANGER' && (c.attempts > 0 || c.joins !== null) && outguessed(tx, c, now)
const outguessed = (tx: Tx, { phoneNumber, purpose }: Pick<ChallengeRow, 'phoneNumber' | 'purpose'>, now: number) =>
  guessesAt(tx, phoneNumber, purpose, now + CODE_MS - CODES.guesses.ms) >= CODES.guesses.most

/** The challenge that this code opens: the one given, or the one whose code it shares. */
function openedBy(deps: Work, tx: Tx, row: ChallengeRow, code: string, now: number): ChallengeRow | undefined {
  const of = row.joins === null ? row : findChallenge(tx, row.joins)
  return of && of.usedAt === null && of.expiresAt > now && fits(deps, of, code) ? of : undefined
}

/** A challenge passed with the right code; `spent` are the challenges that it used up. */
export type Redeemed = ChallengeRow & { readonly spent: readonly string[]; readonly byRecovery: boolean }
/** The action behind the code failed, so the code may be used again. False if the account has changed since. */
export function giveBack(tx: Tx, { spent }: Redeemed): boolean {
  const returned = spent.map((id) => giveBackChallenge(tx, id))
  return returned.every(Boolean)
}

/** Called when the action behind a code is done. @throws challenge_gone if the account has changed since */
export function checkStanding(db: Db, { spent }: Redeemed): void {
  if (!spent.every((id) => findChallenge(db, id))) throw new AppError('challenge_gone')
}

type Account = { readonly id: string; readonly subject: string; readonly phoneNumber: string | null }
/**
 * Voids every code of an account, also those being sent, and the tickets of its number: the account or its owner's
 * rights have changed. `leaves`: the number no longer belongs to the account. Strangers who asked for a code notice
 * nothing: their challenge now answers like that of a number without an account.
 */
export function endCodes({ clock }: Pick<Deps, 'clock'>, tx: Tx, account: Account, leaves = false): void {
  for (const { id, purpose, userId, usedAt } of codesOf(tx, account)) {
    forgetCode({ clock }, tx, id)
    if (usedAt === null && ANONYMOUS.includes(purpose)) silenceChallenge(tx, id, leaves ? null : userId)
    else dropChallenge(tx, id)
  }
  closeRecoveries(tx, { userId: account.id, kind: 'RECOVERY_CODE', now: clock.wall() })
  if (account.phoneNumber !== null) dropTickets(tx, account.phoneNumber)
}

/** Voids every code of a person and forgets whose they were. */
export function eraseCodes(deps: Pick<Deps, 'clock'>, tx: Tx, account: Account): void {
  endCodes(deps, tx, account, true)
  forgetChallenges(tx, account)
  forgetSends(tx, account)
}

function fits({ masterKey }: Pick<Deps, 'masterKey'>, row: ChallengeRow, code: string): boolean {
  const provided = Buffer.from(hashOf(masterKey, row.purpose, row.id, code))
  const expected = Buffer.from(row.codeHash.replace(LONG, ''))
  return provided.length === expected.length && timingSafeEqual(provided, expected)
}

type Held = Pick<ChallengeRow, 'phoneNumber' | 'userId'>
const RECOVERY = { purpose: 'RECOVERY', subject: null, asker: null } as const
const handedOver = ({ clock }: Work, tx: Tx, { phoneNumber, userId }: Held): ChallengeRow | undefined =>
  userId === null ? undefined : liveChallenge(tx, { ...RECOVERY, phoneNumber, userId, now: clock.wall() })

/**
 * A code for an administrator to hand over to somebody who cannot receive one; it replaces an earlier one and is valid
 * for a day. `validFrom`: when that day begins, epoch ms; default now.
 */
export function makeRecoveryCode(
  deps: Work,
  tx: Tx,
  { validFrom = null, ...of }: Held & { readonly id: string; readonly validFrom?: number | null },
): { readonly code: string; readonly expiresAt: number } {
  const now = deps.clock.wall()
  const code = randomCode(LONG_DIGITS)
  const earlier = handedOver(deps, tx, of)
  if (earlier) dropChallenge(tx, earlier.id)
  const expiresAt = (validFrom ?? now) + RECOVERY_MS
  putChallenge(tx, {
    ...{ ...RECOVERY, ...of, joins: null, kind: 'OWN', channel: 'WHATSAPP' },
    codeHash: hashOf(deps.masterKey, 'RECOVERY', of.id, code),
    ...{ decoy: false, attempts: 0, expiresAt, sentAt: now, validFrom },
  })
  return { code, expiresAt }
}

/** Writes what waits before it lets an ADMIN back in. */
export const addRecovery = insertRecovery

/** Settles it: EFFECTIVE makes its code valid now, STOPPED voids the code. @returns whether it was still pending */
export function decideRecovery(tx: Tx, { id, kind }: RecoveryRow, status: 'EFFECTIVE' | 'STOPPED'): boolean {
  if (!settleRecovery(tx, id, status)) return false
  if (kind === 'RECOVERY_CODE') (status === 'STOPPED' ? dropChallenge : openChallenge)(tx, id)
  return true
}
