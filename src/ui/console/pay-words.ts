import { bilingual } from '../shared/words.svelte.ts'

const fr = {
  title: 'Encaisser un loyer',
  of: (number: string) => `Facture ${number}`,
  open: (amount: string) => `Reste ${amount}`,
  amount: 'Montant reçu',
  method: 'Moyen de paiement',
  paidOn: 'Reçu le',
  reference: 'Référence',
  save: 'Enregistrer le paiement',
  done: (amount: string) => `${amount} encaissés, quittance en préparation.`,
  reversedBecause: 'Enregistré par erreur',
}
const en: typeof fr = {
  title: 'Record a payment',
  of: (number) => `Invoice ${number}`,
  open: (amount) => `Open: ${amount}`,
  amount: 'Amount received',
  method: 'Means of payment',
  paidOn: 'Received on',
  reference: 'Reference',
  save: 'Record the payment',
  done: (amount) => `${amount} recorded, the receipt is being made.`,
  reversedBecause: 'Recorded by mistake',
}
export const payWords = bilingual(fr, en)
