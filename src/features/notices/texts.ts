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
    passwordChanged: () =>
      "Votre mot de passe Loyer a été changé. Si ce n'était pas vous, demandez un nouveau code et prévenez votre bailleur.",
    phoneChanged: (masked: string) =>
      `Le numéro de votre compte Loyer est désormais ${masked}. Si ce n'était pas vous, prévenez votre bailleur.`,
    leaseEnded: (l: Lease) => `Votre bail pour ${l.unitLabel} a pris fin le ${formatDate(l.endDate, 'fr')}.`,
  },
  en: {
    invoiceIssued: (i: Invoice) =>
      `Rent for ${i.unitLabel}: ${formatMoney(i.balance, 'en')} to be paid by ${formatDate(i.dueDate, 'en')}. Invoice ${i.number}.`,
    paymentConfirmed: (p: Payment) => `We have received ${formatMoney(p.amount, 'en')} for ${p.unitLabel}. Thank you.`,
    passwordChanged: () =>
      'Your Loyer password was changed. If it was not you, ask for a new code and tell your landlord.',
    phoneChanged: (masked: string) =>
      `The number of your Loyer account is now ${masked}. If it was not you, tell your landlord.`,
    leaseEnded: (l: Lease) => `Your lease of ${l.unitLabel} ended on ${formatDate(l.endDate, 'en')}.`,
  },
} as const satisfies Record<Locale, unknown>
