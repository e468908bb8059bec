import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'J’ai payé',
  lead: (month: string) => `Loyer : ${month}`,
  amount: 'Combien avez-vous payé ?',
  method: 'Comment ?',
  methods: { MTN_MOMO: 'MTN MoMo', ORANGE_MONEY: 'Orange Money', CASH: 'Espèces', BANK_TRANSFER: 'Virement' },
  paidOn: 'Quand ?',
  reference: 'Numéro de la transaction',
  referenceHint: 'Il est dans le SMS de votre opérateur.',
  photo: 'Photo de la preuve',
  photoHint: 'Capture d’écran ou reçu.',
  choosePhoto: 'Ajouter une photo',
  removePhoto: 'Retirer la photo',
  badPhoto: 'Cette photo ne peut pas être lue. Essayez une capture d’écran.',
  send: 'Dire à mon bailleur',
}
const en: typeof fr = {
  title: 'I have paid',
  lead: (month) => `Rent of ${month}`,
  amount: 'How much have you paid?',
  method: 'How?',
  methods: { MTN_MOMO: 'MTN MoMo', ORANGE_MONEY: 'Orange Money', CASH: 'Cash', BANK_TRANSFER: 'Bank transfer' },
  paidOn: 'When?',
  reference: 'Number of the transaction',
  referenceHint: 'It is in the text message of your operator.',
  photo: 'Photo of the proof',
  photoHint: 'Screenshot or receipt.',
  choosePhoto: 'Add a photo',
  removePhoto: 'Remove the photo',
  badPhoto: 'This photo cannot be read. Try a screenshot.',
  send: 'Tell my landlord',
}
export const words = bilingual(fr, en)
