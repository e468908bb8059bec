import { formatDate } from '../../core/dates.ts'
import { formatMoney } from '../../core/money.ts'

type Locale = 'fr' | 'en'
type Invoice = {
  readonly number: string
  readonly unitLabel: string
  readonly balance: number
  readonly dueDate: string
}
type Payment = { readonly amount: number; readonly unitLabel: string }
type Lease = { readonly unitLabel: string; readonly endDate: string }

/** What tenants are told, in their language. */
export const TEXTS = {
  fr: {
    invoiceIssued: (i: Invoice) =>
      `Loyer ${i.unitLabel} : ${formatMoney(i.balance, 'fr')} à payer avant le ${formatDate(i.dueDate, 'fr')}. Facture ${i.number}.`,
    paymentConfirmed: (p: Payment) => `Nous avons bien reçu ${formatMoney(p.amount, 'fr')} pour ${p.unitLabel}. Merci.`,
    leaseEnded: (l: Lease) => `Votre bail pour ${l.unitLabel} a pris fin le ${formatDate(l.endDate, 'fr')}.`,
  },
  en: {
    invoiceIssued: (i: Invoice) =>
      `Rent for ${i.unitLabel}: ${formatMoney(i.balance, 'en')} to be paid by ${formatDate(i.dueDate, 'en')}. Invoice ${i.number}.`,
    paymentConfirmed: (p: Payment) => `We have received ${formatMoney(p.amount, 'en')} for ${p.unitLabel}. Thank you.`,
    leaseEnded: (l: Lease) => `Your lease of ${l.unitLabel} ended on ${formatDate(l.endDate, 'en')}.`,
  },
} as const satisfies Record<Locale, unknown>
