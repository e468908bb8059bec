import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Db, Tx } from '../../../../db/open.ts'
import { CODES } from '../../../core/budgets.ts'
import { networkOf, siteOf } from '../../../core/network.ts'
import { maskPhone, prefixAllowed } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type Kept, keep } from '../../../errors.ts'
import { prefixOf } from '../budgets/rules.ts'
import { judgeCode, tooMany } from '../budgets/service.ts'
import { cancelSend, forgetSends, giveBackSends, guessesAt, noteSend } from '../budgets/store.ts'
import { deliverSoon, enqueueMessage, forgetCode, undelivered, workingChannel } from '../messages/service.ts'
import {
  ANONYMOUS,
  type CHANNELS,
  CODE_MS,
  MAX_ATTEMPTS,
  type Purpose,
  RECOVERY_DIGITS,
  RECOVERY_MS,
  RESEND_MS,
} from './rules.ts'
import {
  type ChallengeRow,
  codesOf,
  codeUnderWay,
  dropChallenge,
  dropTickets,
  findChallenge,
  forgetChallenges,
  giveBackChallenge,
  liveChallenge,
  markUsed,
  putChallenge,
  silenceChallenge,
  takeAttempt,
} from './store.ts'
import { codeText } from './texts.ts'

type Channel = (typeof CHANNELS)[number]
type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log'>

/** What is asked for: a code to one number, for one purpose. */
export type CodeRequest = {
  readonly purpose: Purpose
  readonly phoneNumber: string
  readonly userId: string | null
  /** What alone the code is good for. */
  readonly subject?: string
  /** The number of the paper that the code signs, for the message. */
  readonly paper?: string
  readonly orgId: string | null
  readonly channel: Channel | undefined
  /** The asking address, for the caps. */
  readonly address: string
  readonly locale: 'fr' | 'en'
  /** Behaves as the others and sends nothing: nobody learns which numbers have an account. */
  readonly decoy?: boolean
  /** A landlord or an administrator gave this number: what strangers share does not hold it back. */
  readonly invited?: boolean
}
export type PhoneChallenge = {
  readonly challengeId: string
  readonly channel: Channel
  readonly expiresAt: string
  readonly maskedDestination: string
}

const pepper = (masterKey: Uint8Array): Buffer =>
  createHmac('sha256', masterKey).update('loyer one-time codes v1').digest()
const hashOf = (masterKey: Uint8Array, purpose: Purpose, id: string, code: string): string =>
  createHmac('sha256', pepper(masterKey)).update(`${purpose}|${id}|${code}`).digest('base64url')

/** 422 phone_prefix_not_allowed where codes may not be sent; invited numbers are always allowed. */
export function checkPrefix({ config }: Pick<Deps, 'config'>, phoneNumber: string, invited: boolean): void {
  if (!invited && !prefixAllowed(phoneNumber, config.allowedPhonePrefixes))
    throw new AppError('phone_prefix_not_allowed')
}

/**
 * What an asker gets: SENT, a code of their own; JOINED, where strangers have had theirs, a share in the code that is under
 * way; for a reset else DECOY, the look of one: whether there is an account must not show. @throws too_many_requests
 */
function grant(deps: Work, tx: Tx, r: CodeRequest, old: ChallengeRow | undefined, now: number) {
  const { kind, waitMs } = judgeCode(deps, tx, r)
  const found = kind === 'STRANGER' ? codeUnderWay(tx, { ...r, now }) : undefined
  const other = found?.id === old?.id ? undefined : found
  // The first time the code that just came will do; who asks again wants another message.
  const soon = other !== undefined && (!old || (old.joins !== null && now - other.sentAt < CODES.paceMs))
  if (waitMs === 0 && !soon) return { kind, status: r.decoy ? 'DECOY' : 'SENT', joins: null } as const
  if (other && old?.joins !== null) return { kind, status: 'JOINED', joins: other.id } as const
  if (r.purpose !== 'PASSWORD_RESET') throw tooMany(waitMs)
  return { kind, status: 'DECOY', joins: null } as const
}

/**
 * Sends a code, or a new one for the same challenge of the same asker: the old code is dead, its attempts stay. Answers once
 * the vendor took it, or within a second: it is then under way, and tried again while it lives.
 * @throws too_many_requests, delivery_unavailable
 */
export async function requestCode(deps: Work, r: CodeRequest): Promise<PhoneChallenge> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const address = networkOf(r.address)
  const { row, messageId } = await deps.write(null, (tx) => {
    const now = deps.clock.wall()
    const { phoneNumber, purpose, userId, subject = null } = r
    const asker = ANONYMOUS.includes(purpose) ? address : null
    const old = liveChallenge(tx, { phoneNumber, purpose, userId, subject, asker, now })
    if (old && now - old.sentAt < RESEND_MS) throw tooMany(old.sentAt + RESEND_MS - now)
    // Its attempts stay, so a new code could not be used either: it is not sent.
    if (old && old.attempts >= MAX_ATTEMPTS) throw tooMany(old.expiresAt - now)
    const { kind, status, joins } = grant(deps, tx, r, old, now)
    const sending = status === 'SENT'
    // A reset that gets no other code keeps the one that it has.
    const kept = old !== undefined && !sending && old.joins === null && !old.decoy
    const id = old?.id ?? randomUUID()
    const fresh = {
      ...{ id, purpose, phoneNumber, userId, subject, asker, kind, joins },
      // A reset answers the same whether or not there is an account, and whether or not the vendor does.
      channel: workingChannel(deps.messenger, r.channel, old?.channel, purpose === 'PASSWORD_RESET'),
      codeHash: kept ? old.codeHash : hashOf(deps.masterKey, purpose, id, sending ? code : randomUUID()),
      decoy: status === 'DECOY' && !kept,
      attempts: old?.attempts ?? 0,
      expiresAt: kept ? old.expiresAt : now + CODE_MS,
      sentAt: now,
    }
    putChallenge(tx, fresh)
    noteSend(tx, {
      ...{ id: deps.newId(), phoneNumber, prefix: prefixOf(phoneNumber), purpose, address, site: siteOf(address) },
      ...{ userId, sentAt: now, challengeId: id, kind, status, subject },
    })
    if (!kept) forgetCode(deps, tx, id)
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
  // A reset never waits for the vendor: its code goes out with the next round of the queue.
  const channel =
    messageId === undefined || r.purpose === 'PASSWORD_RESET' ? row.channel : await delivered(deps, r, row, messageId)
  return {
    challengeId: row.id,
    channel,
    expiresAt: new Date(row.expiresAt).toISOString(),
    maskedDestination: maskPhone(row.phoneNumber),
  }
}

/** The channel that the code went out by, or is about to. @throws delivery_unavailable when none will do now */
async function delivered(
  deps: Work,
  r: CodeRequest,
  row: { readonly id: string; readonly channel: Channel },
  messageId: string,
): Promise<Channel> {
  const delivery = await deliverSoon(deps, messageId, { purpose: r.purpose, channel: row.channel })
  if (!delivery || delivery.status === 'SENT') return delivery?.channel ?? row.channel
  // Refused, or put off while nobody would take it: then it is not sent behind the back of who was told so.
  if (delivery.status !== 'FAILED' && deps.messenger.pausedMs(delivery.channel) === 0) return delivery.channel
  await deps.write(null, (tx) => {
    cancelSend(tx, row.id)
    forgetCode(deps, tx, row.id)
  })
  throw undelivered(deps.messenger, [delivery.channel], RESEND_MS)
}

/**
 * Checks a code inside a write: the attempt is counted before the compare, so parallel guesses have five in all.
 * The challenge is used up by the right code. Returns Kept with wrong_code; throws challenge_gone or attempts_exhausted.
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
    /** The account's number by now: the code must have been sent to it. */
    readonly phoneNumber?: string | null
  },
): Redeemed | Kept {
  const now = deps.clock.wall()
  const found = findChallenge(tx, r.challengeId)
  if (
    !found ||
    found.purpose !== r.purpose ||
    (r.userId !== null && found.userId !== r.userId) ||
    found.subject !== (r.subject ?? null) ||
    (r.phoneNumber !== undefined && found.phoneNumber !== r.phoneNumber) ||
    found.usedAt !== null ||
    found.expiresAt <= now
  )
    throw new AppError('challenge_gone')
  const hidden = r.purpose === 'PASSWORD_RESET'
  const guessed = spentGuesses(tx, found, now)
  const row = guessed && !hidden ? undefined : takeAttempt(tx, r.challengeId, now)
  if (!row)
    throw new AppError('attempts_exhausted', undefined, { retryAfter: Math.ceil((found.expiresAt - now) / 1000) })
  const recovery = hidden ? handedOver(deps, tx, row) : undefined
  const recovered = recovery && fits(deps, recovery, r.code) && takeAttempt(tx, recovery.id, now)
  const opened = guessed ? undefined : openedBy(deps, tx, row, r.code, now)
  if (!recovered && !opened) {
    if (row.attempts >= MAX_ATTEMPTS) forgetCode(deps, tx, row.id)
    return keep(new AppError('wrong_code'))
  }
  // Right until the account changed: told to who has it, while to all others it goes on as it was.
  if (!recovered && opened?.decoy) return keep(new AppError('challenge_gone'))
  const spent = [row, opened, recovered].flatMap((c) => (c ? [c.id] : [])).filter((id, i, all) => all.indexOf(id) === i)
  for (const id of spent) markUsed(tx, id, now)
  for (const id of opened ? spent : []) giveBackSends(tx, id)
  forgetCode(deps, tx, row.id)
  return { ...row, spent, byRecovery: recovered !== undefined && recovered !== false }
}

/** Whether strangers have guessed at this number as often as they may; the first guess at a code of one's own is free. */
function spentGuesses(tx: Tx, c: ChallengeRow, now: number): boolean {
  if (c.kind !== 'STRANGER' || (c.attempts === 0 && c.joins === null)) return false
  return guessesAt(tx, c.phoneNumber, c.purpose, now + CODE_MS - CODES.guesses.ms) >= CODES.guesses.most
}

/** The challenge whose code this is: the one given, or the one whose code it shares. */
function openedBy(deps: Work, tx: Tx, row: ChallengeRow, code: string, now: number): ChallengeRow | undefined {
  const of = row.joins === null ? row : findChallenge(tx, row.joins)
  return of && of.usedAt === null && of.expiresAt > now && fits(deps, of, code) ? of : undefined
}

/** A challenge met; `spent` are those used up by it. */
export type Redeemed = ChallengeRow & { readonly spent: readonly string[]; readonly byRecovery: boolean }
/** What the code was for could not be done: it may be tried again. False where the account changed meanwhile. */
export function giveBack(tx: Tx, { spent }: Redeemed): boolean {
  const given = spent.map((id) => giveBackChallenge(tx, id))
  return given.every(Boolean)
}

/** For what a code was redeemed for, when it is done. @throws challenge_gone where the account changed meanwhile */
export function checkStanding(db: Db, { spent }: Redeemed): void {
  if (!spent.every((id) => findChallenge(db, id))) throw new AppError('challenge_gone')
}

type Account = { readonly id: string; readonly subject: string; readonly phoneNumber: string | null }
/**
 * Uses up every code of an account, those on their way and the tickets of its number too: it is another's, or another's to
 * use, than when they were sent. `leaves`: the number is no longer the account's. Strangers who asked for a code see
 * nothing of it: what they hold answers like that of a number without account.
 */
export function endCodes({ clock }: Pick<Deps, 'clock'>, tx: Tx, account: Account, leaves = false): void {
  for (const { id, purpose, userId, usedAt } of codesOf(tx, account)) {
    forgetCode({ clock }, tx, id)
    if (usedAt === null && ANONYMOUS.includes(purpose)) silenceChallenge(tx, id, leaves ? null : userId)
    else dropChallenge(tx, id)
  }
  if (account.phoneNumber !== null) dropTickets(tx, account.phoneNumber)
}

/** Uses up every code of a person and forgets whose they were. */
export function eraseCodes(deps: Pick<Deps, 'clock'>, tx: Tx, account: Account): void {
  endCodes(deps, tx, account, true)
  forgetChallenges(tx, account)
  forgetSends(tx, account)
}

function fits({ masterKey }: Pick<Deps, 'masterKey'>, row: ChallengeRow, code: string): boolean {
  const given = Buffer.from(hashOf(masterKey, row.purpose, row.id, code))
  const expected = Buffer.from(row.codeHash)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

type Held = Pick<ChallengeRow, 'phoneNumber' | 'userId'>
const RECOVERY = { purpose: 'RECOVERY', subject: null, asker: null } as const
const handedOver = ({ clock }: Work, tx: Tx, { phoneNumber, userId }: Held): ChallengeRow | undefined =>
  userId === null ? undefined : liveChallenge(tx, { ...RECOVERY, phoneNumber, userId, now: clock.wall() })

/** A code that an administrator hands over to whoever cannot receive one; it takes the place of an earlier one. */
export function makeRecoveryCode(deps: Work, tx: Tx, of: Held): { readonly code: string; readonly expiresAt: number } {
  const now = deps.clock.wall()
  const code = String(randomInt(10 ** RECOVERY_DIGITS)).padStart(RECOVERY_DIGITS, '0')
  const id = handedOver(deps, tx, of)?.id ?? randomUUID()
  const expiresAt = now + RECOVERY_MS
  putChallenge(tx, {
    ...{ ...RECOVERY, ...of, id, joins: null, kind: 'OWN', channel: 'WHATSAPP' },
    codeHash: hashOf(deps.masterKey, 'RECOVERY', id, code),
    decoy: false,
    attempts: 0,
    expiresAt,
    sentAt: now,
  })
  return { code, expiresAt }
}
