import type { Adjustment } from '../../../core/adjustments.ts'
import { NEWS } from '../../../core/budgets.ts'
import { quoted, quotedPlace, typedPlain } from '../../../core/message-text.ts'
import { formatMoney } from '../../../core/money.ts'

type Facts = {
  readonly kind: Adjustment
  readonly actorName: string | null
  readonly unitLabel: string | null
  readonly propertyName: string
  readonly amount: number | null
  readonly reason: string | null
  readonly url: string
}
const FR: Readonly<Record<Adjustment, string>> = {
  PAYMENT_REVERSED: 'a annulé un paiement',
  CASH_WITHDRAWN: 'a retiré des espèces à confirmer',
  CREDIT_REFUNDED: 'a noté un remboursement au locataire',
  INVOICE_CANCELLED: 'a annulé une facture',
  INVOICE_WAIVED: 'a fait une remise sur une facture',
  CHARGES_CANCELLED: 'a annulé une régularisation de charges',
  CHARGES_CREDITED: 'a rendu des provisions par une régularisation de charges',
  RENT_LOWERED: 'a baissé un loyer',
  DEPOSIT_DEDUCTED: 'a retenu une part du dépôt de garantie',
  DEPOSIT_RETURNED: 'a noté un dépôt de garantie rendu',
  LEASE_ENDED: 'a mis fin à un bail, ce qui annule ou réduit des factures',
  LEASE_CORRECTED: 'a corrigé un bail',
  FEES_CHANGED: 'a changé les honoraires de gestion',
  TRANSFER_CANCELLED: 'a annulé un versement au propriétaire',
}
const EN: Readonly<Record<Adjustment, string>> = {
  PAYMENT_REVERSED: 'reversed a payment',
  CASH_WITHDRAWN: 'took back cash that waited to be confirmed',
  CREDIT_REFUNDED: 'recorded a refund to the tenant',
  INVOICE_CANCELLED: 'cancelled an invoice',
  INVOICE_WAIVED: 'waived a part of an invoice',
  CHARGES_CANCELLED: 'cancelled a regularisation of charges',
  CHARGES_CREDITED: 'gave provisions back by a regularisation of charges',
  RENT_LOWERED: 'lowered a rent',
  DEPOSIT_DEDUCTED: 'kept a part of the deposit',
  DEPOSIT_RETURNED: 'recorded a deposit that was given back',
  LEASE_ENDED: 'ended a lease, which cancels or lowers invoices',
  LEASE_CORRECTED: 'corrected a lease',
  FEES_CHANGED: 'changed the management fees',
  TRANSFER_CANCELLED: 'cancelled a transfer to the owner',
}

const messageIn =
  (locale: 'fr' | 'en', words: typeof FR, somebody: string, lead: string, read: string) => (a: Facts) => {
    const { kind, actorName, unitLabel, propertyName, amount, reason, url } = a
    const place = unitLabel === null ? quoted(propertyName, locale) : quotedPlace({ unitLabel, propertyName }, locale)
    const what = `${words[kind]}${amount === null ? '' : ` (${formatMoney(amount, locale)})`}`
    const why = reason === null ? '' : ` ${lead} ${quoted(reason, locale, NEWS.noteLength)}.`
    return `${typedPlain(actorName ?? somebody)} ${what}, ${place}.${why} ${read} ${url}`
  }
/** The message to the owner of a property and to administrators about what somebody else did. */
export const TEXTS = {
  fr: { adjustment: messageIn('fr', FR, 'Un gestionnaire', 'Motif\u00a0:', 'À voir sur') },
  en: { adjustment: messageIn('en', EN, 'A manager', 'Reason:', 'See') },
} as const
