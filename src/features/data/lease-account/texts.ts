/** The words of a tenant's account on paper. */
const fr = {
  title: 'Compte du locataire',
  fileName: 'compte',
  owed: 'Reste dû',
  ahead: 'Payé d’avance',
  columns: ['Date', 'Opération', 'Numéro', 'Débit', 'Crédit', 'Solde'],
  opening: 'Solde reporté',
  total: 'Total',
  kinds: {
    INVOICE: 'Facture',
    CREDIT_NOTE: 'Avoir',
    CREDIT_NOTE_WITHDRAWN: 'Avoir retiré',
    PAYMENT: 'Paiement',
    REFUND: 'Remboursement',
    CARRIED: 'Report d’un autre bail ou vers un autre bail',
  },
  basis:
    'Débit\u00a0: ce qui est demandé, ou rendu au locataire. Crédit\u00a0: ce qui est payé, ou déduit par un avoir. Un solde négatif est payé d’avance. Le dépôt de garantie (caution) n’y compte que pour ce qu’il a payé.',
}
type Words = typeof fr
const en: Words = {
  title: 'Tenant’s account',
  fileName: 'account',
  owed: 'Still owed',
  ahead: 'Paid ahead',
  columns: ['Date', 'Entry', 'Number', 'Debit', 'Credit', 'Balance'],
  opening: 'Brought forward',
  total: 'Total',
  kinds: {
    INVOICE: 'Invoice',
    CREDIT_NOTE: 'Credit note',
    CREDIT_NOTE_WITHDRAWN: 'Credit note withdrawn',
    PAYMENT: 'Payment',
    REFUND: 'Refund',
    CARRIED: 'Carried from or to another lease',
  },
  basis:
    'Debit: what is asked for, or given back to the tenant. Credit: what is paid, or taken off by a credit note. A balance below zero is paid ahead. The deposit counts only for what it has paid.',
}
export const TEXTS: Readonly<Record<'fr' | 'en', Words>> = { fr, en }
