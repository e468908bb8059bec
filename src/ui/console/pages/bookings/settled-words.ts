// Words of the accounts at the end of a lease.
import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  settled: 'Ce qui a été réglé',
  willSettle: 'Ce qui sera réglé',
  fromTo: (from: string, to: string) => `${from} – ${to}`,
  outcome: { CANCELLED: 'Annulée', ISSUED: 'Refaite', CREDITED: 'Avoir', SET_OFF: 'Compensée', OWED: 'Due' },
  givenBack: (amount: string) => `${amount} rendus`,
  nothingChanges: 'Aucune facture ne change.',
  noPreviewDay: 'Choisissez un jour possible pour voir ce qui sera réglé.',
  tenantOwes: 'Le locataire doit encore',
  even: 'Personne ne doit plus rien',
  sums: {
    received: 'Dépôt de garantie reçu',
    rent: 'Loyers et charges dus',
    deducted: 'Réparations et autres retenues',
    credit: 'Avance et avoirs du locataire',
    returned: 'Dépôt déjà rendu',
  },
  takenFrom: (amount: string, lease: string) => `${amount} payés par le crédit du bail ${lease}`,
  givenTo: (amount: string, lease: string) => `${amount} de crédit ont payé des factures du bail ${lease}`,
  toReturn: 'À rendre au locataire',
}
const en: typeof fr = {
  settled: 'What was settled',
  willSettle: 'What will be settled',
  fromTo: (from, to) => `${from} – ${to}`,
  outcome: { CANCELLED: 'Cancelled', ISSUED: 'Issued again', CREDITED: 'Credited', SET_OFF: 'Set off', OWED: 'Owed' },
  givenBack: (amount) => `${amount} given back`,
  nothingChanges: 'No invoice changes.',
  noPreviewDay: 'Choose a possible day to see what will be settled.',
  tenantOwes: 'The tenant still owes',
  even: 'Nobody owes anything',
  sums: {
    received: 'Deposit received',
    rent: 'Rent and charges owed',
    deducted: 'Repairs and other deductions',
    credit: 'Tenant’s credit',
    returned: 'Deposit given back already',
  },
  takenFrom: (amount, lease) => `${amount} paid by the credit of the lease of ${lease}`,
  givenTo: (amount, lease) => `${amount} of credit paid invoices of the lease of ${lease}`,
  toReturn: 'To give back to the tenant',
}
export const settledWords = bilingual(fr, en)
