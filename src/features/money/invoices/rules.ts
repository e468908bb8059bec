import { createHmac } from 'node:crypto'
import { addDays, addMonths, daysInclusive, maxDate, spanOf } from '../../../core/dates.ts'
import type { Transitions } from '../../../core/lifecycle.ts'
import { idOfToken, linkToken, type ToOf } from '../../../core/link-token.ts'
import { prorate, tvaAmount } from '../../../core/money.ts'
import { firstPeriodFrom, type Period } from '../../../core/periods.ts'

export const INVOICE_STATUS = ['ISSUED', 'OVERDUE', 'PAID', 'CANCELLED'] as const
/** Of a rent period, of which there is one; or of charges, besides. */
export const INVOICE_KINDS = ['PERIOD', 'CHARGES'] as const
export type InvoiceStatus = (typeof INVOICE_STATUS)[number]
/** The last day of rent that is paid without a gap, of a lease's invoices that are not cancelled, by period. */
export function coveredUntil(
  invoices: readonly {
    readonly status: InvoiceStatus
    readonly periodEnd: string
    readonly lines: readonly { readonly kind: string }[]
  }[],
): string | undefined {
  const rents = invoices.filter(({ lines }) => lines.some(({ kind }) => kind === 'RENT'))
  const gap = rents.findIndex(({ status }) => status !== 'PAID')
  return rents[(gap < 0 ? rents.length : gap) - 1]?.periodEnd
}
/** Net francs that an invoice asks for on account of charges. */
export const provisionsIn = ({
  lines,
}: {
  readonly lines: readonly { readonly amount: number; readonly provision?: boolean }[]
}): number => lines.reduce((sum, { amount, provision }) => (provision ? sum + amount : sum), 0)
/** Statuses in which money is still expected. */
export const PAYABLE = ['ISSUED', 'OVERDUE'] as const satisfies readonly InvoiceStatus[]

/** The only move made by hand, allowed while nothing is paid. All other statuses follow from money and dates: `statusAfter`. */
export const invoiceMoves: Transitions<InvoiceStatus, 'cancel'> = { cancel: { from: PAYABLE, to: 'CANCELLED' } }

/** Francs; gross = net + tva. */
export type Amounts = { readonly net: number; readonly tva: number; readonly gross: number }

/** Amounts of one period: `rent` (net francs of a full period) prorated half up, then TVA once on the result. */
export function amountsOf(
  rent: number,
  period: Pick<Period, 'days' | 'daysInPeriod'>,
  tvaBasisPoints: number,
): Amounts {
  return withTva(prorate(rent, period.days, period.daysInPeriod), tvaBasisPoints)
}

/** The status that money (francs) and dates give an invoice; `today` is the date in the organization's zone. */
export function statusAfter(invoice: {
  gross: number
  paid: number
  dueDate: string
  today: string
  cancelled: boolean
}): InvoiceStatus {
  if (invoice.cancelled) return 'CANCELLED'
  if (invoice.paid >= invoice.gross) return 'PAID'
  return invoice.today > invoice.dueDate ? 'OVERDUE' : 'ISSUED'
}

/** An invoice as settlement sees it. Amounts in francs. */
export type Settled = {
  /** The booking's anchor, or the one in force when this invoice was issued if the lease was re-anchored since. */
  readonly anchor: string
  readonly periodStart: string
  readonly periodEnd: string
  /** Net rent of a full period. */
  readonly rent: number
  /** Net charges added to this invoice (water, power…): used up, so never prorated nor given back. */
  readonly charges?: number
  readonly tvaBasisPoints: number
  /** Confirmed payments and credit taken. */
  readonly paid: number
  /** Last day of the lease; of a lease that never began, the day before its start. */
  readonly endDate: string
}

/**
 * What the end of a lease does to one invoice that is not cancelled:
 * - `keep`: its period lies within the lease, nothing changes and debts stay payable;
 * - `cancel`: its period lies after the lease and it has no charges; `release` = all that was paid on it, to become credit;
 * - `replace`: the lease ends inside its period, or before it and there are charges. The amounts are those of the charges
 *   and of the days up to `periodEnd` (the new one); no days, no rent, and the period stays.
 *   Of what was paid, `carried` counts towards them and `credit` is for the time after the end; together they are
 *   `paid`, and `gross − carried` is still owed. An invoice that took money may not be
 *   CANCELLED: its payments move (as `carried` and `credit`) before the new one replaces it.
 */
export type Settlement =
  | { readonly kind: 'keep' }
  | { readonly kind: 'cancel'; readonly release: number }
  | ({
      readonly kind: 'replace'
      readonly periodEnd: string
      readonly days: number
      readonly daysInPeriod: number
      readonly carried: number
      readonly credit: number
    } & Amounts)

/** Settles one invoice at the end of a lease; see `Settlement`. Throws RangeError for bad dates or amounts. */
export function settle(invoice: Settled): Settlement {
  const { anchor, periodStart, periodEnd, rent, charges = 0, tvaBasisPoints, paid, endDate } = invoice
  if (periodEnd <= endDate) return { kind: 'keep' }
  const after = periodStart > endDate
  if (after && charges === 0) return { kind: 'cancel', release: paid }
  const last = maxDate(periodEnd, lastDayOf(anchor, periodStart))
  const daysInPeriod = daysInclusive(periodStart, last)
  const days = after ? 0 : daysInclusive(periodStart, endDate)
  const amounts = withTva(prorate(rent, days, daysInPeriod) + charges, tvaBasisPoints)
  const credit = Math.max(0, paid - amounts.gross)
  const newEnd = after ? periodEnd : endDate
  return { kind: 'replace', periodEnd: newEnd, days, daysInPeriod, ...amounts, carried: paid - credit, credit }
}

/** `2026-000123`: number `n` (from 1) of the year's series; more digits from 1,000,000 on. */
export function invoiceNumber(year: number, n: number): string {
  if (!Number.isSafeInteger(n) || n < 1) throw new RangeError('n must be a positive integer')
  return `${String(year).padStart(4, '0')}-${String(n).padStart(6, '0')}`
}

/** The last day of the full period that starts on this day: a period counted from the anchor, or else a calendar month. */
export function lastDayOf(anchor: string, periodStart: string): string {
  const index = firstPeriodFrom(anchor, periodStart)
  const onGrid = addMonths(anchor, index) === periodStart
  return addDays(onGrid ? addMonths(anchor, index + 1) : addMonths(periodStart, 1), -1)
}

function withTva(net: number, tvaBasisPoints: number): Amounts {
  const tva = tvaAmount(net, tvaBasisPoints)
  return { net, tva, gross: net + tva }
}

const LABELS = { fr: { rent: 'Loyer', from: 'du', to: 'au' }, en: { rent: 'Rent', from: 'from', to: 'to' } } as const
/** The line of the rent of a period, or of a part of one. */
export function rentLine(
  { locale }: { readonly locale: 'fr' | 'en' },
  period: Pick<Period, 'start' | 'end'>,
  amount: number,
) {
  const l = LABELS[locale]
  const label = `${l.rent} ${l.from} ${spanOf(period.start, period.end, locale).join(` ${l.to} `)}`
  return { kind: 'RENT' as const, label, amount }
}

/**
 * Why something was taken off an invoice: it was cancelled, was paid for time after the end of the lease, its provisions
 * were higher than the charges, or the landlord waived it.
 */
export const CREDIT_NOTE_REASONS = ['CANCELLED', 'ENDED', 'REGULARISED', 'WAIVED'] as const
export type CreditNoteReason = (typeof CREDIT_NOTE_REASONS)[number]

type Whole = { readonly tvaAmount: number; readonly grossAmount: number; readonly tvaBasisPoints: number }
/**
 * Net and TVA of a part of an invoice, in francs with TVA: the rest keeps the TVA of its share, rounded half up, so that
 * both add up to the invoice.
 */
function partOf({ tvaAmount, grossAmount, tvaBasisPoints }: Whole, gross: number) {
  const left = prorate(grossAmount - gross, tvaBasisPoints, 10_000 + tvaBasisPoints)
  const tva = gross === grossAmount ? tvaAmount : tvaAmount - left
  return { netAmount: gross - tva, tvaAmount: tva, grossAmount: gross }
}

type Sums = { readonly netAmount: number; readonly tvaAmount: number; readonly grossAmount: number }
/** The same of a further part: with the parts that were taken off before it is what one part of all would be. */
export function partBeside(whole: Whole, taken: readonly Sums[], gross: number): Sums {
  const before = taken.reduce((sum, part) => sum + part.grossAmount, 0)
  const all = partOf(whole, before + gross)
  const tvaAmount = taken.reduce((left, part) => left - part.tvaAmount, all.tvaAmount)
  return { netAmount: gross - tvaAmount, tvaAmount, grossAmount: gross }
}

/** Days after its confirmation for which the link in a payment's message shows it. */
export const RECEIPT_LINK_DAYS = 60

const keyOf = (masterKey: Uint8Array): Buffer =>
  createHmac('sha256', masterKey).update('loyer receipt links v1').digest()

/** The path of the page that shows a payment and its receipt to whoever has the link, while `to` is the tenant's number. */
export const receiptPath = (masterKey: Uint8Array, paymentId: string, to?: string | null): string =>
  `/r/${linkToken(keyOf(masterKey), paymentId, to)}`

/** The id of the payment that a token belongs to; undefined if it is invalid. */
export const paymentOfToken = (masterKey: Uint8Array, token: string, toOf?: ToOf): string | undefined =>
  idOfToken(keyOf(masterKey), token, toOf)
