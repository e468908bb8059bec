import type { Db, Tx } from '../../../../db/open.ts'
import { change } from '../../../changes/record.ts'
import { type Caller, type Ctx, createCtx } from '../../../context.ts'
import { DAY_MS, daysBetween, localDate, startOfDay } from '../../../core/dates.ts'
import { leastIdAt } from '../../../core/id.ts'
import { reachOf } from '../../../core/scope.ts'
import { refused } from '../../../errors.ts'
import { getInvoice } from '../../money/invoices/store.ts'
import { messagingOf } from '../../people/organizations/rules.ts'
import { todayOf } from '../../people/organizations/service.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import { findTenant } from '../../people/tenants/store.ts'
import type { Outbox, OutboxEntry } from './model.ts'
import { type Handling, joined, MOST_IN_OUTBOX, OUTBOX_DAYS, whatsApp } from './rules.ts'
import { claimIn, linkOf, rentMessageOf, type Work, wordsOf } from './service.ts'
import { outboxCount, outboxMessages, type RentMessageRow, saveRentMessage } from './store.ts'

type Viewer = { readonly org: OrganizationRow; readonly caller: Caller; readonly nowMs: number }
const windowOf = ({ org, caller, nowMs }: Viewer) => {
  const today = localDate(nowMs, org.timeZone)
  return {
    orgId: org.id,
    owner: reachOf(caller.scope),
    after: leastIdAt(nowMs - OUTBOX_DAYS * DAY_MS),
    today,
    since: new Date(startOfDay(today, org.timeZone)).toISOString(),
  }
}
/** How many messages wait to be sent by hand. */
export const messagesWaiting = (db: Db, viewer: Viewer): number =>
  // Nothing was sent after the end of time, so that only what waits is counted.
  outboxCount(db).get({ ...windowOf(viewer), since: '9999' })?.n ?? 0

type Read = { readonly row: RentMessageRow; readonly tenantId: string } & OutboxEntry['messages'][number] &
  Pick<OutboxEntry, 'to' | 'text'>
/** A message with its text as of now; undefined where there is nobody to write to, or nothing to ask for any more. */
function read(deps: Work, ctx: Ctx, row: RentMessageRow): Read | undefined {
  const { orgId, id, step, invoiceId, bookingId } = row
  const invoice = getInvoice(ctx.tx, orgId, ctx.caller.scope, invoiceId)
  const tenant = invoice && findTenant(ctx.tx, orgId, invoice.tenantId)
  if (!invoice || !tenant?.phoneNumber) return undefined
  // A dead link would be worse than none: the landlord answers instead.
  const link = messagingOf(deps).links ? linkOf(deps, id, tenant.phoneNumber) : ''
  const { balance, text } = wordsOf(ctx, invoice, step, tenant.locale, link)
  if (balance === 0 && row.handling !== 'SENT_BY_HAND') return undefined
  const late = daysBetween(invoice.dueDate, todayOf(ctx))
  return {
    ...{ row, tenantId: tenant.id, id, step, bookingId, invoiceId, text },
    to: { name: tenant.fullName, phoneNumber: tenant.phoneNumber },
    ...{ propertyName: invoice.propertyName, unitLabel: invoice.unitLabel, amount: balance, preparedAt: row.createdAt },
    ...(late > 0 ? { daysLate: late } : {}),
  }
}

/** What is to be sent by hand, the messages to one person as one; and what was sent so today. Times in UTC. */
export function outboxOf(deps: Work, viewer: Viewer): Outbox {
  const ctx = createCtx(deps, deps.db as Tx, viewer.caller, '')
  const rows = outboxMessages(deps.db).all({ ...windowOf(viewer), limit: MOST_IN_OUTBOX })
  const all = rows.flatMap((row) => read(deps, ctx, row) ?? [])
  const groups = Map.groupBy(all, ({ tenantId, row }) => `${tenantId} ${row.handling === 'SENT_BY_HAND'}`)
  const entries = [...groups.values()].map((messages): OutboxEntry => {
    const [first] = messages as [Read]
    const text = joined(messages.map((one) => one.text))
    const handled = messages.find(({ row }) => row.handling !== null)?.row
    return {
      to: first.to,
      status: first.row.handling === 'SENT_BY_HAND' ? 'SENT_BY_HAND' : handled ? 'OPENED' : 'WAITING',
      text,
      forwardUrl: whatsApp(first.to.phoneNumber, text),
      ...(handled?.handledAt ? { handledAt: handled.handledAt } : {}),
      messages: messages.map(({ row: _r, tenantId: _t, to: _to, text: _x, ...message }) => message),
    }
  })
  return { today: todayOf(ctx), waiting: messagesWaiting(deps.db, viewer), entries }
}

/**
 * Notes what a person did with a message that was not sent from here; WAITING: nothing yet. Repeating it changes nothing.
 * @throws not_found; invalid_state for a message that was sent from here
 */
export function handle(ctx: Ctx, id: string, status: Handling | 'WAITING'): RentMessageRow {
  const before = rentMessageOf(ctx, id)
  if (before.withheld === null) throw refused('SENT', [])
  const handling = status === 'WAITING' ? null : status
  if (before.handling === handling) return before
  const invoice = getInvoice(ctx.tx, before.orgId, ctx.caller.scope, before.invoiceId)
  // What the text that was opened asks for stands in the history.
  const asked = status === 'OPENED' && invoice ? { amount: claimIn(ctx, invoice, before.step).askedAmount } : {}
  const by =
    handling === null ? { handledAt: null, handledBy: null } : { handledAt: ctx.now, handledBy: ctx.caller.userId }
  return change(ctx, saveRentMessage, before, { ...asked, handling, ...by }, 'rent_message.handle')
}
