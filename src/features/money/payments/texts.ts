import { formatMoney } from '../../../core/money.ts'
import { quoted } from '../../../core/quoted.ts'

type Payment = { readonly amount: number; readonly unitLabel: string }

/** What tenants are told of their payments, in their language. */
export const TEXTS = {
  fr: {
    keptOfDeposit: (p: Payment) =>
      `${formatMoney(p.amount, 'fr')} ont été retenus sur votre dépôt de garantie pour ${quoted(p.unitLabel, 'fr')} et payés sur vos factures.`,
    paymentConfirmed: (p: Payment) =>
      `Nous avons bien reçu ${formatMoney(p.amount, 'fr')} pour ${quoted(p.unitLabel, 'fr')}. Merci.`,
  },
  en: {
    keptOfDeposit: (p: Payment) =>
      `${formatMoney(p.amount, 'en')} was kept of your deposit for ${quoted(p.unitLabel, 'en')} and paid on your invoices.`,
    paymentConfirmed: (p: Payment) =>
      `We have received ${formatMoney(p.amount, 'en')} for ${quoted(p.unitLabel, 'en')}. Thank you.`,
  },
} as const satisfies Record<'fr' | 'en', unknown>
