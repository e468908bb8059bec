import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../../db/open.ts'
import { networkOf } from '../../core/network.ts'
import { maskPhone, prefixAllowed } from '../../core/phone.ts'
import type { Deps } from '../../deps.ts'
import { AppError, type Kept, keep } from '../../errors.ts'
import { deliverMessage, enqueueMessage, forgetCode, undelivered, workingChannel } from '../messages/service.ts'
import {
  CAPS,
  type CHANNELS,
  CODE_MS,
  MAX_ATTEMPTS,
  type Purpose,
  prefixOf,
  RECOVERY_DIGITS,
  RECOVERY_MS,
  RESEND_MS,
} from './rules.ts'
import {
  type ChallengeRow,
  countSends,
  findChallenge,
  giveBackChallenge,
  liveChallenge,
  markUsed,
  noteSend,
  putChallenge,
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

const tooMany = (seconds: number) => new AppError('too_many_requests', undefined, { retryAfter: Math.ceil(seconds) })

/** Whether the account has had its codes of the day. @throws too_many_requests for every other cap */
function checkCaps(tx: Tx, r: CodeRequest, address: string, now: number): boolean {
  let accountSpent = false
  for (const { of, ms, most } of CAPS) {
    if (of === 'user' && r.userId === null) continue
    const { n, first } = countSends(tx, of, {
      phoneNumber: r.phoneNumber,
      prefix: prefixOf(r.phoneNumber),
      purpose: r.purpose,
      address,
      userId: r.userId,
      since: now - ms,
    })
    if (n < most) continue
    // Only a number with an account can reach this one: a reset must not tell.
    if (of !== 'user' || r.purpose !== 'PASSWORD_RESET') throw tooMany(((first ?? now) + ms - now) / 1000)
    accountSpent = true
  }
  return accountSpent
}

/**
 * Sends a code, or a new one for the same challenge: the old code is dead, its attempts stay. Answers once the vendor took
 * it, or within a second: it is then under way, and tried again while it lives. @throws too_many_requests, delivery_unavailable
 */
export async function requestCode(deps: Work, r: CodeRequest): Promise<PhoneChallenge> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const address = networkOf(r.address)
  const { row, messageId } = await deps.write(null, (tx) => {
    const now = deps.clock.wall()
    const { phoneNumber, purpose, userId, subject = null } = r
    const old = liveChallenge(tx, { phoneNumber, purpose, userId, subject, now })
    if (old && now - old.sentAt < RESEND_MS) throw tooMany((old.sentAt + RESEND_MS - now) / 1000)
    // Its attempts stay, so a new code could not be used either: it is not sent.
    if (old && old.attempts >= MAX_ATTEMPTS) throw tooMany((old.expiresAt - now) / 1000)
    const decoy = checkCaps(tx, r, address, now) || r.decoy === true
    const id = old?.id ?? randomUUID()
    const fresh = {
      id,
      purpose,
      phoneNumber,
      userId,
      subject,
      // A reset answers the same whether or not there is an account, and whether or not the vendor does.
      channel: workingChannel(deps.messenger, r.channel, old?.channel, r.purpose === 'PASSWORD_RESET'),
      codeHash: hashOf(deps.masterKey, r.purpose, id, decoy ? randomUUID() : code),
      decoy,
      attempts: old?.attempts ?? 0,
      expiresAt: now + CODE_MS,
      sentAt: now,
    }
    putChallenge(tx, fresh)
    noteSend(tx, {
      id: deps.newId(),
      phoneNumber: r.phoneNumber,
      prefix: prefixOf(r.phoneNumber),
      purpose: r.purpose,
      address,
      userId: decoy ? null : r.userId,
      sentAt: now,
    })
    forgetCode(deps, tx, id)
    const messageId = decoy
      ? undefined
      : enqueueMessage(deps, tx, {
          orgId: r.orgId,
          to: r.phoneNumber,
          channel: fresh.channel,
          purpose: r.purpose.toLowerCase(),
          locale: r.locale,
          text: codeText(code, r.locale, r.paper),
          code,
          challengeId: id,
          claimed: r.purpose !== 'PASSWORD_RESET',
          expiresAt: fresh.expiresAt,
        })
    return { row: fresh, messageId }
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

/** How long a person waits for the vendor before being told that it is under way. */
const PATIENCE_MS = 800

/** The channel that the code went out by, or is about to. @throws delivery_unavailable when none will do now */
async function delivered(
  deps: Work,
  r: CodeRequest,
  row: { readonly id: string; readonly channel: Channel },
  messageId: string,
): Promise<Channel> {
  const sent = deliverMessage(deps, messageId, true).catch((e: unknown) => {
    deps.log.error('message.failed', e, { purpose: r.purpose, channel: row.channel })
    return undefined
  })
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))
  const delivery = await Promise.race([sent, late])
  if (!delivery || delivery.status === 'SENT') return delivery?.channel ?? row.channel
  // Refused, or put off while nobody would take it: then it is not sent behind the back of who was told so.
  if (delivery.status !== 'FAILED' && deps.messenger.pausedMs(delivery.channel) === 0) return delivery.channel
  await deps.write(null, (tx) => forgetCode(deps, tx, row.id))
  throw undelivered(deps.messenger, [delivery.channel], RESEND_MS)
}

/**
 * Checks a code inside a write: the attempt is counted before the compare, so parallel guesses have five in all.
 * The challenge is used up by the right code. Returns Kept with wrong_code; throws challenge_gone or attempts_exhausted.
 */
export function redeemCode(
  deps: Work,
  tx: Tx,
  r: { purpose: Purpose; challengeId: string; code: string; userId: string | null; subject?: string },
): Redeemed | Kept {
  const now = deps.clock.wall()
  const found = findChallenge(tx, r.challengeId)
  if (
    !found ||
    found.purpose !== r.purpose ||
    (r.userId !== null && found.userId !== r.userId) ||
    found.subject !== (r.subject ?? null) ||
    found.usedAt !== null ||
    found.expiresAt <= now
  )
    throw new AppError('challenge_gone')
  const row = takeAttempt(tx, r.challengeId, now)
  if (!row)
    throw new AppError('attempts_exhausted', undefined, { retryAfter: Math.ceil((found.expiresAt - now) / 1000) })
  const recovery = r.purpose === 'PASSWORD_RESET' ? handedOver(deps, tx, row) : undefined
  const recovered = recovery && fits(deps, recovery, r.code) && takeAttempt(tx, recovery.id, now)
  if (!recovered && !fits(deps, row, r.code)) {
    if (row.attempts >= MAX_ATTEMPTS) forgetCode(deps, tx, row.id)
    return keep(new AppError('wrong_code'))
  }
  const spent = recovered ? [row.id, recovered.id] : [row.id]
  for (const id of spent) markUsed(tx, id, now)
  forgetCode(deps, tx, row.id)
  return { ...row, spent }
}

/** A challenge met; `spent` are those used up by it. */
export type Redeemed = ChallengeRow & { readonly spent: readonly string[] }
/** What the code was for could not be done: it may be tried again. */
export function giveBack(tx: Tx, { spent }: Redeemed): void {
  for (const id of spent) giveBackChallenge(tx, id)
}

function fits({ masterKey }: Pick<Deps, 'masterKey'>, row: ChallengeRow, code: string): boolean {
  const given = Buffer.from(hashOf(masterKey, row.purpose, row.id, code))
  const expected = Buffer.from(row.codeHash)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

type Held = Pick<ChallengeRow, 'phoneNumber' | 'userId'>
const handedOver = (deps: Work, tx: Tx, { phoneNumber, userId }: Held): ChallengeRow | undefined =>
  userId === null
    ? undefined
    : liveChallenge(tx, { phoneNumber, userId, subject: null, purpose: 'RECOVERY', now: deps.clock.wall() })

/** A code that an administrator hands over to whoever cannot receive one; it takes the place of an earlier one. */
export function makeRecoveryCode(deps: Work, tx: Tx, of: Held): { readonly code: string; readonly expiresAt: number } {
  const now = deps.clock.wall()
  const code = String(randomInt(10 ** RECOVERY_DIGITS)).padStart(RECOVERY_DIGITS, '0')
  const id = handedOver(deps, tx, of)?.id ?? randomUUID()
  const expiresAt = now + RECOVERY_MS
  putChallenge(tx, {
    id,
    purpose: 'RECOVERY',
    ...of,
    subject: null,
    channel: 'WHATSAPP',
    codeHash: hashOf(deps.masterKey, 'RECOVERY', id, code),
    decoy: false,
    attempts: 0,
    expiresAt,
    sentAt: now,
  })
  return { code, expiresAt }
}

/** The account is recovered: a code still in somebody's hands opens nothing. */
export function dropRecoveryCode(deps: Work, tx: Tx, of: Held): void {
  const row = handedOver(deps, tx, of)
  if (row) markUsed(tx, row.id, deps.clock.wall())
}
