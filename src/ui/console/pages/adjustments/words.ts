import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Annulations et remboursements',
  lead: 'Ce qui a réduit une dette, rendu de l’argent ou changé des honoraires depuis 30\u00a0jours\u00a0: par qui, et pourquoi.',
  kind: {
    PAYMENT_REVERSED: 'Paiement annulé',
    CASH_WITHDRAWN: 'Espèces à confirmer retirées',
    CREDIT_REFUNDED: 'Crédit remboursé',
    INVOICE_CANCELLED: 'Facture annulée',
    INVOICE_WAIVED: 'Remise sur une facture',
    CHARGES_CANCELLED: 'Régularisation de charges annulée',
    CHARGES_CREDITED: 'Provisions de charges rendues',
    RENT_LOWERED: 'Loyer baissé',
    DEPOSIT_DEDUCTED: 'Retenue sur la caution',
    DEPOSIT_RETURNED: 'Caution rendue',
    LEASE_ENDED: 'Bail terminé, factures réduites',
    LEASE_CORRECTED: 'Bail corrigé',
    FEES_CHANGED: 'Honoraires de gestion changés',
    TRANSFER_CANCELLED: 'Versement au propriétaire annulé',
  },
  none: 'Rien depuis 30\u00a0jours',
  noneHint: 'Un paiement annulé, une facture annulée ou une caution rendue apparaît ici.',
}
const en: typeof fr = {
  title: 'Cancellations and refunds',
  lead: 'What lowered a debt, gave money back or changed a fee within 30\u00a0days: by whom, and why.',
  kind: {
    PAYMENT_REVERSED: 'Payment reversed',
    CASH_WITHDRAWN: 'Cash to confirm taken back',
    CREDIT_REFUNDED: 'Credit refunded',
    INVOICE_CANCELLED: 'Invoice cancelled',
    INVOICE_WAIVED: 'Part of an invoice waived',
    CHARGES_CANCELLED: 'Regularisation of charges cancelled',
    CHARGES_CREDITED: 'Provisions for charges given back',
    RENT_LOWERED: 'Rent lowered',
    DEPOSIT_DEDUCTED: 'Kept from the deposit',
    DEPOSIT_RETURNED: 'Deposit returned',
    LEASE_ENDED: 'Lease ended, invoices lowered',
    LEASE_CORRECTED: 'Lease corrected',
    FEES_CHANGED: 'Management fees changed',
    TRANSFER_CANCELLED: 'Transfer to the owner cancelled',
  },
  none: 'Nothing within 30\u00a0days',
  noneHint: 'A payment reversed, an invoice cancelled or a deposit returned will show here.',
}
export const words = bilingual(fr, en)
