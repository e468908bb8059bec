import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { Ctx } from '../../../context.ts'
import { RECORDS } from '../../../core/budgets.ts'
import { formatMoney } from '../../../core/money.ts'
import { ERRORS } from '../../../error-codes.ts'
import { AppError, refused } from '../../../errors.ts'
import { invoiceOf } from '../../money/invoices/service.ts'
import { getInvoice } from '../../money/invoices/store.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { findTenant } from '../../people/tenants/store.ts'
import type { Remind, Reminded, RemindMany } from './model.ts'
import { nextStep, type Step, whatsApp } from './rules.ts'
import { claimIn, linkOf, payable, type Sending, sendRentMessage, type Work, wordsOf } from './service.ts'
import { messagesOf, type RentMessageRow, remindersByHand } from './store.ts'

/** `amount`: what is owed, in francs. */
const covered = (amount: number): AppError =>
  new AppError('deposit_covers', {
    en: `This lease has ended, and the deposit that you hold covers what is owed on it. Deduct ${formatMoney(amount, 'en')} from the deposit instead.`,
    fr: `Ce bail a pris fin, et le dépôt de garantie que vous détenez couvre ce qui reste dû. Déduisez plutôt ${formatMoney(amount, 'fr')} du dépôt.`,
  })

/**
 * The invoice that a reminder is about, its step, by default the next one, and the message of this step that was made
 * today already. @throws not_found, invalid_state, deposit_covers
 */
function stepFor(ctx: Ctx, invoiceId: string, wanted: Remind['step']) {
  const invoice = invoiceOf(ctx, invoiceId)
  if (!payable(invoice)) throw refused(invoice.status, [])
  const today = todayOf(ctx)
  const sent = messagesOf(ctx.tx, invoice.orgId, invoiceId)
  // A message that nobody opened is no step of the ladder.
  const steps = sent.filter(({ withheld, handling }) => withheld === null || isDone(handling)).map((n) => n.step)
  const step = wanted ?? nextStep(invoice.dueDate, today, steps)
  if (step === 'FORMAL_NOTICE' && today <= invoice.dueDate) throw refused(invoice.status, [])
  const { askedAmount, depositAmount } = claimIn(ctx, invoice, step)
  if (askedAmount === 0) throw covered(depositAmount)
  return { invoice, step, already: sent.find((n) => n.step === step && n.sentOn === today)?.id }
}

/**
 * Sends a reminder by hand, by default the next step. Each step can be sent once a day.
 * @throws not_found, invalid_state, deposit_covers, duplicate, quota_exceeded, no_phone_number
 */
export function remind(
  deps: Work,
  ctx: Ctx,
  invoiceId: string,
  { step: wanted, channel }: { readonly step?: Remind['step']; readonly channel?: Sending['channel'] | null },
): RentMessageRow {
  const { invoice, step, already } = stepFor(ctx, invoiceId, wanted)
  if (already !== undefined)
    throw new AppError('duplicate', {
      en: 'This reminder was already sent today.',
      fr: 'Ce rappel est déjà parti aujourd’hui.',
    })
  if (remindersByHand(ctx.tx, invoice.orgId, invoice.bookingId) >= RECORDS.reminders)
    throw new AppError('quota_exceeded', {
      en: `A lease can have at most ${RECORDS.reminders} reminders by hand. Scheduled reminders continue.`,
      fr: `Un bail reçoit au plus ${RECORDS.reminders} rappels à la main. Ceux du calendrier continuent.`,
    })
  const row = sendRentMessage(deps, ctx, invoice, { step, channel: channel ?? undefined })
  if (!row) throw new AppError('no_phone_number')
  return row
}

const isDone = (handling: string | null): boolean => handling === 'OPENED' || handling === 'SENT_BY_HAND'

/** A message that is the landlord's to send, with its text, its link, and WhatsApp opened on both. */
type Forward = Pick<Reminded, 'text' | 'link' | 'forwardUrl'>
/** The text and links to forward a message by hand; empty for a message that was sent from here. */
export function forwardOf(deps: Work, ctx: Ctx, row: RentMessageRow): Forward {
  if (row.withheld === null) return {}
  return forward(deps, ctx, invoiceOf(ctx, row.invoiceId), row.step, row.id)
}

function forward(deps: Work, ctx: Ctx, invoice: InvoiceRow, step: Step, messageId: string): Forward {
  const tenant = findTenant(ctx.tx, invoice.orgId, invoice.tenantId)
  const number = tenant?.phoneNumber ?? null
  const link = linkOf(deps, messageId, number)
  const { text } = wordsOf(ctx, invoice, step, tenant?.locale ?? 'fr', link)
  return {
    text,
    link,
    ...(number ? { forwardUrl: whatsApp(number, text) } : {}),
  }
}

type RemindOptions = Pick<RemindMany, 'step' | 'channel' | 'dryRun'>

/** @throws what `remind` throws */
function one(deps: Work, ctx: Ctx, invoiceId: string, { step: wanted, channel, dryRun }: RemindOptions): Reminded {
  const { invoice, step, already } = stepFor(ctx, invoiceId, wanted)
  if (dryRun) {
    const { text = '', link = '' } = forward(deps, ctx, invoice, step, invoiceId)
    return { invoiceId, step, text: text.replace(link, `${deps.config.publicUrl}/i/…`) }
  }
  // A landlord who sends it themselves may ask for the text again.
  if (channel === 'NONE' && already !== undefined)
    return { invoiceId, messageId: already, step, ...forward(deps, ctx, invoice, step, already) }
  const row = remind(deps, ctx, invoiceId, { step, channel: channel ?? null })
  return {
    invoiceId,
    messageId: row.id,
    step,
    ...(row.withheld === null ? {} : { withheld: row.withheld }),
    ...(row.sendAfter === null ? {} : { sendAfter: row.sendAfter }),
    ...(channel === 'NONE' ? forward(deps, ctx, invoice, step, row.id) : forwardOf(deps, ctx, row)),
  }
}

/** The invoice whose reminder covers each requested one: the oldest overdue one of its lease, or the invoice itself. */
function spokenFor(ctx: Ctx, invoiceIds: readonly string[]): Map<string, string> {
  const today = todayOf(ctx)
  const oldest = new Map<string, InvoiceRow>()
  const late = invoiceIds
    .flatMap((id) => getInvoice(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id) ?? [])
    .filter((invoice) => payable(invoice) && invoice.dueDate < today)
  for (const invoice of late) {
    const { dueDate } = oldest.get(invoice.bookingId) ?? {}
    if (dueDate === undefined || invoice.dueDate < dueDate) oldest.set(invoice.bookingId, invoice)
  }
  return new Map(late.map(({ id, bookingId }) => [id, oldest.get(bookingId)?.id ?? id]))
}

/**
 * Reminds of each invoice, once for each lease with everything overdue on it; a refusal is reported at its invoice, and
 * does not stop the others.
 */
export function remindMany(
  deps: Work,
  ctx: Ctx,
  { invoiceIds, ...choices }: RemindMany,
  language: 'fr' | 'en',
): Reminded[] {
  const ids = [...new Set(invoiceIds)]
  const speaker = spokenFor(ctx, ids)
  const answers = new Map<string, Reminded>()
  function answer(invoiceId: string): Reminded {
    try {
      return one(deps, ctx, invoiceId, choices)
    } catch (e) {
      if (!(e instanceof AppError) || ERRORS[e.code].status >= 500) throw e
      return { invoiceId, problem: { code: e.code, detail: (e.text ?? ERRORS[e.code])[language] } }
    }
  }
  for (const id of ids) if ((speaker.get(id) ?? id) === id) answers.set(id, answer(id))
  return ids.flatMap((invoiceId) => {
    const own = answers.get(invoiceId)
    if (own) return own
    const { text: _t, link: _l, forwardUrl: _f, ...said } = answers.get(speaker.get(invoiceId) ?? '') ?? {}
    return { ...said, invoiceId }
  })
}
