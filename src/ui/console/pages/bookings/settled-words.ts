// What the end of a lease comes to.
import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  settled: 'Ce qui a été réglé',
  willSettle: 'Ce qui sera réglé',
  fromTo: (from: string, to: string) => `${from} – ${to}`,
  outcome: { CANCELLED: 'Annulée', ISSUED: 'Refaite', CREDITED: 'Avoir', SET_OFF: 'Compensée', OWED: 'Due' },
  givenBack: (amount: string) => `${amount} rendus`,
  nothingChanges: 'Aucune facture ne change.',
  noPreviewDay: 'Choisissez un jour possible pour voir ce qui sera réglé.',
  creditAfter: 'Avance et avoirs du locataire',
  tenantOwes: 'Le locataire doit encore',
  even: 'Personne ne doit plus rien',
  stillOwed: 'Loyers et charges dus',
  toReturn: 'À rendre au locataire',
}
const en: typeof fr = {
  settled: 'What was settled',
  willSettle: 'What will be settled',
  fromTo: (from, to) => `${from} – ${to}`,
  outcome: { CANCELLED: 'Cancelled', ISSUED: 'Made anew', CREDITED: 'Credited', SET_OFF: 'Set off', OWED: 'Owed' },
  givenBack: (amount) => `${amount} given back`,
  nothingChanges: 'No invoice changes.',
  noPreviewDay: 'Choose a possible day to see what will be settled.',
  creditAfter: 'Tenant’s credit',
  tenantOwes: 'The tenant still owes',
  even: 'Nobody owes anything',
  stillOwed: 'Rent and charges owed',
  toReturn: 'To give back to the tenant',
}
export const settledWords = bilingual(fr, en)
