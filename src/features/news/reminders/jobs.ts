import { hash } from 'node:crypto'
import type { Papers } from '../../../adapters/pdf/port.ts'
import { record } from '../../../changes/record.ts'
import { systemCtx } from '../../../context.ts'
import { addDays, localDate, localTime, maxDate } from '../../../core/dates.ts'
import { turn } from '../../../core/event-loop.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { Handlers, JobRow } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/leases/store.ts'
import { getInvoice } from '../../money/invoices/store.ts'
import { retry } from '../../papers/documents/rules.ts'
import { findOutbound } from '../../people/messages/store.ts'
import { tellLandlords } from '../../people/notifications/service.ts'
import { isQuiet, quietHoursOf, quietMs, remindersOf } from '../../people/organizations/rules.ts'
import { findOrganization, type OrganizationRow, timeZones } from '../../people/organizations/store.ts'
import { letterFile, offsetDue, stepAt } from './rules.ts'
import { isTimely, payable, sendRentMessage, type Work } from './service.ts'
import {
  dueLetters,
  findLetter,
  findRentMessage,
  type LetterRow,
  markReminded,
  openInvoices,
  organizationsToRemind,
  saveLetter,
} from './store.ts'
import { UNDELIVERED_TEXTS } from './texts.ts'

/** After a longer outage, older reminders are not sent late. */
const CATCH_UP_DAYS = 7
const BATCH = 200
/** Invoices in one write, which bounds how long other writes wait. */
const SLICE = 50
/** A job's source begins with the invoice's id, of this length. */
const UUID = 36
const ALL = { kind: 'all', userId: '' } as const

/**
 * Sends the rent call when an invoice is issued; if that is in quiet hours, as at midnight, it is sent when they end.
 */
export function reminderHandlers(deps: Work): Handlers {
  const call = async ({ id, orgId, source }: JobRow): Promise<void> =>
    void (await deps.write(orgId, (tx) => {
      const invoice = getInvoice(tx, orgId ?? '', ALL, source.slice(0, UUID))
      const organization = findOrganization(tx, orgId ?? '')
      if (!invoice || !organization || !isTimely(invoice)) return null
      const ctx = systemCtx(deps, tx, invoice.orgId, id)
      const hours = quietHoursOf(organization)
      const time = localTime(ctx.nowMs, organization.timeZone)
      if (isQuiet(hours, time)) {
        const runAt = deps.clock.wall() + quietMs(hours, time)
        enqueue(ctx, 'invoice.call', `${invoice.id} ${runAt}`, {}, runAt)
      } else sendRentMessage(deps, ctx, invoice, { step: 'RENT_CALL', once: 'RENT_CALL' })
      return true
    }))
  return { 'invoice.issued': call, 'invoice.call': call }
}

/**
 * Runs once each local day, outside of quiet hours, for every open invoice with a reminder due. What was sent is never
 * sent again, however often this runs. @returns how many messages were sent
 */
export async function remindTenants(deps: Work & Pick<Deps, 'stopping'>): Promise<number> {
  let sent = 0
  const now = deps.clock.now()
  for (const timeZone of timeZones(deps.db)) {
    const today = localDate(now, timeZone)
    const time = localTime(now, timeZone)
    let after = ''
    while (!deps.stopping.aborted) {
      const organizations = organizationsToRemind(deps.db).all({ timeZone, today, after, limit: BATCH })
      for (const organization of organizations)
        if (!isQuiet(quietHoursOf(organization), time)) sent += await remindOrganization(deps, organization, today)
      await turn()
      const last = organizations.at(-1)
      if (!last || organizations.length < BATCH) break
      after = last.id
    }
  }
  return sent
}

/** The invoices with a reminder due, the one due first before the others; others are answered in between. */
async function dueInvoices(
  { db, stopping }: Pick<Deps, 'db' | 'stopping'>,
  organization: OrganizationRow,
  since: string,
  today: string,
) {
  const schedule = remindersOf(organization)
  if (schedule.length === 0) return []
  const from = addDays(since, 1 - Math.max(...schedule))
  const due = new Map<string, { id: string; bookingId: string; offset: number; dueDate: string; row: number }>()
  for (const page of openInvoices(db, organization.id, addDays(today, -Math.min(...schedule)))) {
    for (const { id, bookingId, row, ...invoice } of page) {
      if (maxDate(invoice.dueDate, invoice.issuedOn) < from) continue
      const offset = offsetDue(schedule, invoice, since, today)
      if (offset !== undefined) due.set(id, { id, bookingId, offset, dueDate: invoice.dueDate, row })
    }
    await turn()
    stopping.throwIfAborted()
  }
  return [...due.values()].sort((a, b) => (a.dueDate === b.dueDate ? a.row - b.row : a.dueDate < b.dueDate ? -1 : 1))
}

async function remindOrganization(
  deps: Work & Pick<Deps, 'stopping'>,
  organization: OrganizationRow,
  today: string,
): Promise<number> {
  const { id: orgId, remindedOn } = organization
  const schedule = remindersOf(organization)
  const since = maxDate(remindedOn ?? addDays(today, -1), addDays(today, -CATCH_UP_DAYS))
  const due = await dueInvoices(deps, organization, since, today)
  // One message a day asks for everything overdue on a lease: that of its oldest invoice.
  const reminded = new Set<string>()
  const messages = due.filter(({ bookingId, offset }) => {
    if (offset <= 0) return true
    return !reminded.has(bookingId) && reminded.add(bookingId)
  })
  let sent = 0
  for (let i = 0; i < messages.length; i += SLICE) {
    deps.stopping.throwIfAborted()
    sent += await deps.write(orgId, (tx) => {
      let n = 0
      for (const { id, offset } of messages.slice(i, i + SLICE)) {
        const invoice = getInvoice(tx, orgId, ALL, id)
        if (!invoice || !payable(invoice)) continue
        const ctx = systemCtx(deps, tx, orgId, `reminder-${id}`)
        if (sendRentMessage(deps, ctx, invoice, { step: stepAt(offset, schedule), once: String(offset) })) n += 1
      }
      return n
    })
  }
  // The day is marked done last: after a crash the rest is found again, and nothing is sent twice.
  await deps.write(null, (tx) => {
    markReminded(tx).run({ orgId, today })
    return true
  })
  return sent
}

type Drawing = Work & Pick<Deps, 'pdf' | 'documents' | 'stopping'>
const LETTERS = 16
const MAX_BYTES = 20 * 1024 * 1024

/** Draws the letters that are due one after another; a failed one is retried later. @returns how many it tried */
export async function drawLetters(deps: Drawing): Promise<number> {
  const rows = dueLetters(deps.db).all({ now: deps.clock.wall(), limit: LETTERS })
  for (const { orgId, id } of rows) {
    if (deps.stopping.aborted) break
    const row = findLetter(deps.db, orgId, id)
    if (row) await drawLetter(deps, row)
  }
  return rows.length
}

async function drawLetter(deps: Drawing, row: LetterRow): Promise<void> {
  const { id, orgId, data } = row
  const dataSha256 = hash('sha256', JSON.stringify(data), 'hex')
  const save = (changes: Partial<LetterRow>) =>
    deps.write(orgId, (tx) => {
      const ctx = systemCtx(deps, tx, orgId, `letter-${id}`)
      const after = saveLetter(tx, row, { ...row, ...changes, updatedAt: ctx.now })
      if (after?.sha256)
        record(ctx, 'rent_message.letter', { type: 'rent_message', after, details: { sha256: after.sha256 } })
      return after ?? null
    })
  try {
    const seal = { url: deps.config.publicUrl, dataSha256 }
    const bytes = await deps.pdf.render('letter', data as unknown as Papers['letter'], seal)
    const { sha256, sizeBytes, keep, drop } = await deps.documents.receive(bytes, MAX_BYTES)
    try {
      await keep(letterFile({ ...row, sha256 }).name)
    } catch (e) {
      await drop()
      throw e
    }
    const renderedAt = new Date(deps.clock.now()).toISOString()
    await save({ sha256, sizeBytes, renderAt: null, renderedAt, templateVersion: deps.pdf.versions.letter })
  } catch (e) {
    const code = e instanceof AppError ? e.code : undefined
    // A full queue or a stop is not the letter's fault, so it counts as no attempt.
    if (deps.stopping.aborted || code === 'overloaded') return
    const failure = code === 'storage_unavailable' ? 'STORAGE' : 'DRAWING'
    const attempts = row.attempts + (failure === 'STORAGE' ? 0 : 1)
    deps.log.error('letter.failed', e, { messageId: id, failure, attempts })
    await save({ attempts, renderAt: deps.clock.wall() + retry(failure, attempts).afterMs })
  }
}

/** Tells the landlords of a message about rent that no vendor could deliver. */
export const undeliveredHandlers = (deps: Parameters<typeof tellLandlords>[0]): Handlers => ({
  'message.undelivered': async ({ id, orgId, source }) => {
    const message = findOutbound(deps.db, source)
    const rentMessage = message && findRentMessage(deps.db, orgId ?? '', message.insteadOf ?? message.id)
    const lease = rentMessage && findBooking(deps.db, rentMessage.orgId, rentMessage.bookingId)
    if (message?.status !== 'FAILED' || !lease) return
    const { ownerUserId, propertyId } = lease
    await tellLandlords(deps, {
      ...{ id, orgId: lease.orgId, ownerUserId, propertyId, kind: 'MESSAGE_UNDELIVERED' },
      say: (locale) => UNDELIVERED_TEXTS[locale].undelivered({ ...lease, to: message.maskedDestination }),
    })
  },
})
