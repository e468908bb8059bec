// Words for the tenant about the end of the lease.
import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Compte de fin de bail',
  sums: {
    received: 'Votre dépôt de garantie',
    rent: 'Loyers et charges dus',
    deducted: 'Réparations et autres retenues',
    credit: 'Votre avance et vos avoirs',
    returned: 'Dépôt déjà rendu',
  },
  kept: (amount: string, day: string, reason: string) => `${amount} retenus le ${day}\u00a0: ${reason}`,
  open: 'Ouvrir le décompte',
  back: 'À vous rendre',
  owed: 'Vous devez encore',
  even: 'Personne ne doit plus rien',
  takenFrom: (amount: string, lease: string) => `${amount} payés avec votre crédit du bail ${lease}.`,
  givenTo: (amount: string, lease: string) => `${amount} de votre crédit ont payé des factures du bail ${lease}.`,
}
const en: typeof fr = {
  title: 'Account at the end of the lease',
  sums: {
    received: 'Your deposit',
    rent: 'Rent and charges owed',
    deducted: 'Repairs and other deductions',
    credit: 'Your credit',
    returned: 'Deposit given back already',
  },
  kept: (amount, day, reason) => `${amount} kept on ${day}: ${reason}`,
  open: 'Open the statement',
  back: 'To be given back to you',
  owed: 'You still owe',
  even: 'Nobody owes anything',
  takenFrom: (amount, lease) => `${amount} paid with your credit of the lease of ${lease}.`,
  givenTo: (amount, lease) => `${amount} of your credit paid invoices of the lease of ${lease}.`,
}
export const endedWords = bilingual(fr, en)
