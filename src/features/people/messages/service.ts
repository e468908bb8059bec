import { randomInt } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import type { Channel, Outcome, OutgoingMessage } from '../../../adapters/messaging/port.ts'
import { systemCtx } from '../../../context.ts'
import { smsText } from '../../../core/gsm.ts'
import { maskPhone } from '../../../core/phone.ts'
import { deriveKey, seal, unseal } from '../../../core/seal.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalid } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import {
  LEASE_MS,
  MESSAGE_CHANNELS,
  type MessageStatus,
  moves,
  NEWS_LIFE_MS,
  nextAttempt,
  reportedStatus,
} from './rules.ts'
import {
  cancelSend,
  claimOutbound,
  dropCode,
  dropSettled,
  earlyReports,
  findOutbound,
  findReported,
  insertOutbound,
  type MessageRow,
  saveOutbound,
} from './store.ts'
import { NO_VENDOR } from './texts.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log'>

export type NewMessage = OutgoingMessage & {
  /** From the job that enqueues the message: if the job runs twice, the message is sent once. */
  readonly id?: string
  readonly challengeId?: string
  /** Epoch ms of real time before which it is not sent; default now. */
  readonly sendAtMs?: number | undefined
  /** Epoch ms of real time; default a day after it may first be sent. */
  readonly expiresAt?: number
  readonly insteadOf?: string
  /** The caller delivers it at once: the queue leaves it alone until then. */
  readonly claimed?: boolean
}

const keyOf = (masterKey: Uint8Array): Buffer => deriveKey(masterKey, 'outbound messages')

/**
 * Puts a message into the outbox, in the transaction of the change that it is about. Number and text are encrypted
 * with the data folder's key, which is not in the database. @returns its id; undefined if it is already there
 */
export function enqueueMessage(deps: Work, tx: Tx, request: NewMessage): string | undefined {
  const { id = deps.newId(), challengeId = null, insteadOf = null, claimed = false, ...rest } = request
  const now = deps.clock.wall()
  const { sendAtMs = now } = rest
  const { orgId, to, purpose, locale, code, expiresAt = sendAtMs + NEWS_LIFE_MS } = rest
  const { vendors } = deps.messenger
  // If no vendor serves WhatsApp, its messages go by SMS.
  const channel = rest.channel === 'WHATSAPP' && !vendors.WHATSAPP && vendors.SMS ? 'SMS' : rest.channel
  const message: OutgoingMessage = {
    ...{ orgId, to, channel, purpose, locale },
    text: channel === 'SMS' ? smsText(rest.text) : rest.text,
    ...(code === undefined ? {} : { code }),
  }
  const added = insertOutbound(tx, {
    ...{ id, orgId, channel, purpose, challengeId, insteadOf, expiresAt },
    vendor: vendors[channel] ?? '',
    vendorMessageId: null,
    maskedDestination: maskPhone(to),
    status: claimed ? 'SENDING' : 'QUEUED',
    attempts: claimed ? 1 : 0,
    reason: null,
    sealed: seal(keyOf(deps.masterKey), id, JSON.stringify({ ...message, text: rest.text })),
    nextAt: claimed ? now + LEASE_MS : sendAtMs,
    createdAt: now,
    sentAt: null,
    updatedAt: now,
  })
  if (!added) return undefined
  deps.messenger.prepare?.(tx, message)
  return id
}

/** Forgets a code that is no longer valid: used, replaced, or out of attempts. */
export const forgetCode = ({ clock }: Pick<Deps, 'clock'>, tx: Tx, challengeId: string): void =>
  dropCode(tx, challengeId, clock.wall())

/**
 * The channel for a code: the one asked for, else WhatsApp if it works, else SMS. With `anyway`, one is named even if
 * none works now. @throws validation_failed if the channel is not served, delivery_unavailable
 */
export function workingChannel(
  messenger: Work['messenger'],
  requested: Channel | undefined,
  earlier: Channel | undefined,
  anyway: boolean,
): Channel {
  if (messenger.mute) throw new AppError('delivery_unavailable', NO_VENDOR, { retryAfter: 3600 })
  const served = MESSAGE_CHANNELS.filter((channel) => messenger.vendors[channel] !== undefined)
  if (requested !== undefined && !served.includes(requested)) {
    const name = { WHATSAPP: 'WhatsApp', SMS: 'SMS' }[requested]
    throw invalid('/channel', `Codes are not sent by ${name} here.`, `Aucun code n’est envoyé par ${name} ici.`)
  }
  const wanted =
    requested === undefined ? served.toSorted((a, b) => Number(b === earlier) - Number(a === earlier)) : [requested]
  const working = wanted.find((channel) => messenger.pausedMs(channel) === 0)
  if (working === undefined && !anyway) throw undelivered(messenger, wanted)
  return working ?? wanted[0] ?? 'WHATSAPP'
}

/** 503, with the time until a vendor is tried again, at least `leastMs`. */
export function undelivered(messenger: Work['messenger'], channels: readonly Channel[], leastMs = 1000): AppError {
  const wait = Math.min(...channels.map((channel) => messenger.pausedMs(channel)))
  return new AppError('delivery_unavailable', undefined, { retryAfter: Math.ceil(Math.max(wait, leastMs) / 1000) })
}

export type Delivery = { readonly status: MessageStatus; readonly channel: Channel }

/**
 * Makes one attempt at a due message; if WhatsApp fails, at once another by SMS. Undefined if it is not due: another
 * attempt has claimed it, or its code is void. A message never has two attempts at once. `claimed`: as it was
 * enqueued.
 */
export async function deliverMessage(deps: Work, id: string, claimed = false): Promise<Delivery | undefined> {
  const { db, write, clock, messenger } = deps
  const row = claimed
    ? findOutbound(db, id)
    : await write(null, (tx) => {
        const now = clock.wall()
        dropSettled(tx, id, now)
        return claimOutbound(tx, id, now) ?? null
      })
  if (!row) return undefined
  const outcome = await attempt(deps, row)
  const { after, insteadId } = await write(null, (tx) => settle(deps, tx, row, outcome))
  if (!outcome.took) {
    const { vendor, channel, purpose, attempts, status } = after
    deps.log.warn('message.not_taken', { vendor, channel, purpose, attempts, status, reason: outcome.reason })
  }
  if (insteadId === undefined) return after
  const instead = messenger.pausedMs('SMS') > 0 ? undefined : await deliverMessage(deps, insteadId)
  return instead ?? { status: 'QUEUED', channel: 'SMS' }
}

/** How long a person waits for the vendor before the answer says that the message is on its way. */
const PATIENCE_MS = 800
/** The first attempt at a message enqueued as claimed; undefined if it takes longer than a person waits. */
export function deliverSoon(deps: Work, id: string, what: { purpose: string; channel: Channel }) {
  const sent = deliverMessage(deps, id, true).catch((e: unknown) => {
    deps.log.error('message.failed', e, what)
    return undefined
  })
  return Promise.race([sent, new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))])
}

const opened = (masterKey: Uint8Array, { id, sealed }: MessageRow): OutgoingMessage =>
  JSON.parse(unseal(keyOf(masterKey), id, sealed ?? '')) as OutgoingMessage

async function attempt({ messenger, masterKey, clock }: Work, row: MessageRow): Promise<Outcome> {
  let message: OutgoingMessage
  try {
    message = opened(masterKey, row)
  } catch {
    // The master key has changed: the database was restored without its data folder.
    return { took: false, reason: 'unreadable', again: false, fault: 'message' }
  }
  const lifeSeconds = Math.max(1, Math.floor((row.expiresAt - clock.wall()) / 1000))
  return messenger.send(row.channel === 'SMS' ? { ...message, text: smsText(message.text) } : message, {
    id: row.id,
    lifeSeconds,
  })
}

/** Records the result of an attempt; if WhatsApp failed, enqueues the SMS that replaces it. */
function settle(
  deps: Work,
  tx: Tx,
  claimed: MessageRow,
  outcome: Outcome,
): { after: MessageRow; insteadId?: string | undefined } {
  const now = deps.clock.wall()
  // The code may have become void during the attempt: then no SMS follows.
  const row = findOutbound(tx, claimed.id) ?? claimed
  if (outcome.took) {
    const sent: MessageRow = {
      ...row,
      status: moves(row.status, 'SENT') ? 'SENT' : row.status,
      vendorMessageId: outcome.vendorMessageId ?? null,
      reason: null,
      nextAt: null,
      sentAt: now,
      updatedAt: now,
      // Keep the text: WhatsApp may still report that it could not deliver.
      sealed: row.channel === 'WHATSAPP' && deps.messenger.vendors.SMS !== undefined ? row.sealed : null,
    }
    saveOutbound(tx, sent)
    const early = earlyReports(tx, outcome.vendorMessageId ?? '').map((status) =>
      applyReport(deps, tx, sent.id, status),
    )
    return { after: findOutbound(tx, sent.id) ?? sent, insteadId: early.find((id) => id !== undefined) }
  }
  const untried = outcome.untried === true
  const paused = untried && row.challengeId !== null && smsCanDo(deps, row)
  const attempts = untried ? row.attempts - 1 : row.attempts
  const afterMs = outcome.afterMs ?? 0
  const timing = { attempts, code: row.challengeId !== null, now, expiresAt: row.expiresAt, afterMs }
  const nextAt =
    row.sealed === null || !outcome.again || paused
      ? undefined
      : untried
        ? now + Math.ceil(afterMs)
        : nextAttempt({ ...timing, random: randomInt(1000) / 1000 })
  if (nextAt !== undefined) {
    const after: MessageRow = { ...row, attempts, status: 'QUEUED', reason: outcome.reason, nextAt, updatedAt: now }
    saveOutbound(tx, after)
    return { after }
  }
  return fail(deps, tx, { ...row, attempts }, outcome.reason)
}

/** Whether an SMS can now replace a WhatsApp message that failed. */
const smsCanDo = ({ messenger }: Work, row: MessageRow): boolean =>
  row.channel === 'WHATSAPP' && messenger.vendors.SMS !== undefined && messenger.pausedMs('SMS') === 0

/** Ends a message. If a WhatsApp message still has its text, an SMS replaces it, once. */
function fail(
  deps: Work,
  tx: Tx,
  row: MessageRow,
  reason: string,
): { after: MessageRow; insteadId?: string | undefined } {
  const now = deps.clock.wall()
  const after: MessageRow = {
    ...row,
    status: moves(row.status, 'FAILED') ? 'FAILED' : row.status,
    reason,
    sealed: null,
    nextAt: null,
    updatedAt: now,
  }
  saveOutbound(tx, after)
  const over =
    row.channel !== 'WHATSAPP' ||
    row.sealed === null ||
    row.expiresAt <= now ||
    deps.messenger.vendors.SMS === undefined ||
    reason === 'unreadable'
  if (over) {
    // No vendor accepted it, so it costs no budget.
    if (row.challengeId !== null && row.sentAt === null) cancelSend(tx, row.challengeId)
    if (row.challengeId === null && row.orgId !== null)
      enqueue(systemCtx(deps, tx, row.orgId, row.id), 'message.undelivered', row.id)
    return { after }
  }
  const insteadId = enqueueMessage(deps, tx, {
    ...opened(deps.masterKey, row),
    channel: 'SMS',
    expiresAt: row.expiresAt,
    insteadOf: row.id,
    ...(row.challengeId === null ? {} : { challengeId: row.challengeId }),
  })
  return { after, insteadId }
}

/**
 * Applies a delivery report. Statuses only move forward, so a repeated or late report changes nothing. @returns the
 * SMS's id
 */
function applyReport(deps: Work, tx: Tx, id: string, reported: string): string | undefined {
  const row = findOutbound(tx, id)
  const status = reportedStatus(reported)
  if (!row || !status || !moves(row.status, status)) return undefined
  if (status === 'FAILED') return fail(deps, tx, row, `reported_${reported.toLowerCase()}`).insteadId
  // A delivered message needs no SMS, so its text can go.
  const sealed = status === 'SENT' ? row.sealed : null
  saveOutbound(tx, { ...row, status, sealed, updatedAt: deps.clock.wall() })
  return undefined
}

/** Records a vendor's report by the vendor's id. @returns the message; undefined if none has that id */
export function reportMessage(
  deps: Work,
  tx: Tx,
  report: { readonly vendorMessageId: string; readonly status: string },
): MessageRow | undefined {
  const row = report.vendorMessageId === '' ? undefined : findReported(tx, report.vendorMessageId)
  if (row) applyReport(deps, tx, row.id, report.status)
  return row
}
