import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Versements aux propriétaires',
  add: 'Reverser au propriétaire',
  total: (n: number) => (n > 1 ? `${n} versements` : `${n} versement`),
  amount: 'Montant remis',
  method: 'Moyen',
  referenceHint: 'Le numéro de la transaction ou du chèque.',
  recorded: 'Versement noté',
  cancelled: 'Annulé',
  cancelDone: 'Versement annulé',
  cancelTitle: (amount: string) => `Annuler le versement de ${amount}\u00a0?`,
  cancelLead: 'Il ne compte plus dans le compte du propriétaire. Écrivez le nom du bien pour confirmer.',
  none: 'Aucun versement',
  noneHint: 'Ce que la gestion remet au propriétaire d’un bien s’inscrit ici et dans son relevé.',
  account: 'Compte du propriétaire',
}
const en: typeof fr = {
  title: 'Transfers to owners',
  add: 'Pay out to an owner',
  total: (n) => (n === 1 ? '1 transfer' : `${n} transfers`),
  amount: 'Amount paid out',
  method: 'How',
  referenceHint: 'The number of the transaction or of the cheque.',
  recorded: 'Transfer recorded',
  cancelled: 'Cancelled',
  cancelDone: 'Transfer cancelled',
  cancelTitle: (amount) => `Cancel the transfer of ${amount}?`,
  cancelLead: 'It no longer counts in the account with the owner. Type the name of the property to confirm.',
  none: 'No transfer',
  noneHint: 'What the management pays out to the owner of a property is shown here and in their statement.',
  account: 'Owner’s account',
}
export const words = bilingual(fr, en)
