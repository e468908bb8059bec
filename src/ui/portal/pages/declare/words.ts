import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'J’ai payé',
  back: 'Mon loyer',
  lead: (what: string) => `À payer : ${what}`,
  which: 'Qu’avez-vous payé ?',
  already: (amount: string) =>
    `Vous avez déjà déclaré ${amount} pour ce mois, et votre bailleur vérifie. Ne déclarez que ce que vous avez payé en plus.`,
  amount: 'Combien avez-vous payé ?',
  method: 'Comment ?',
  methods: { MTN_MOMO: 'MTN MoMo', ORANGE_MONEY: 'Orange Money', CASH: 'Espèces', BANK_TRANSFER: 'Virement' },
  paidOn: 'Quand ?',
  reference: 'Numéro de la transaction',
  referenceHint: 'Il est dans le SMS de votre opérateur.',
  photo: 'Photo de la preuve',
  photoHint: 'Capture d’écran ou reçu.',
  send: 'Dire à mon bailleur',
  payTo: 'Où payer',
  payToChanged: (day: string) =>
    `Modifié le ${day}. Si vous n’en avez pas été averti, demandez à votre bailleur avant de payer.`,
  allMethods: {
    MTN_MOMO: 'MTN MoMo',
    ORANGE_MONEY: 'Orange Money',
    CASH: 'Espèces',
    BANK_TRANSFER: 'Virement bancaire',
    CHEQUE: 'Chèque',
    WITHHOLDING: 'Retenue',
    OTHER: 'Autre',
  },
  copy: 'Copier',
  copied: 'Copié',
}
const en: typeof fr = {
  title: 'I have paid',
  back: 'My rent',
  lead: (what) => `To pay: ${what}`,
  which: 'What have you paid?',
  already: (amount) =>
    `You have declared ${amount} for this month already, and your landlord is checking. Declare only what you paid on top.`,
  amount: 'How much have you paid?',
  method: 'How?',
  methods: { MTN_MOMO: 'MTN MoMo', ORANGE_MONEY: 'Orange Money', CASH: 'Cash', BANK_TRANSFER: 'Bank transfer' },
  paidOn: 'When?',
  reference: 'Number of the transaction',
  referenceHint: 'It is in the text message of your operator.',
  photo: 'Photo of the proof',
  photoHint: 'Screenshot or receipt.',
  send: 'Tell my landlord',
  payTo: 'Where to pay',
  payToChanged: (day) => `Changed on ${day}. If you were not told, ask your landlord before you pay.`,
  allMethods: {
    MTN_MOMO: 'MTN MoMo',
    ORANGE_MONEY: 'Orange Money',
    CASH: 'Cash',
    BANK_TRANSFER: 'Bank transfer',
    CHEQUE: 'Cheque',
    WITHHOLDING: 'Withholding',
    OTHER: 'Other',
  },
  copy: 'Copy',
  copied: 'Copied',
}
export const words = bilingual(fr, en)
