// Words of the fields for photos and codes, apart from the others because the home page does not need them.
import { bilingual } from '../shared/words.svelte.ts'

const fr = {
  choosePhoto: 'Ajouter une photo',
  readingPhoto: 'Préparation…',
  removePhoto: 'Changer de photo',
  correct: 'Corrigez ce qui est indiqué ci-dessous.',
  empty: 'Ne peut pas être vide.',
  noAmount: 'Indiquez le montant en francs, en chiffres.',
  codeSent: (way: string, number: string) => `Un code a été envoyé par ${way} au ${number}.`,
  codeAgainIn: (seconds: number) => `Rien reçu ? Un autre code peut être demandé dans ${seconds} s.`,
  codeByWhatsApp: 'Renvoyer par WhatsApp',
  codeBySms: 'Renvoyer par SMS',
}
const en: typeof fr = {
  choosePhoto: 'Add a photo',
  readingPhoto: 'Preparing…',
  removePhoto: 'Change the photo',
  correct: 'Correct what is marked below.',
  empty: 'Must not be empty.',
  noAmount: 'Write the amount in francs, in figures.',
  codeSent: (way, number) => `A code was sent by ${way} to ${number}.`,
  codeAgainIn: (seconds) => `Nothing came? Another code can be asked for in ${seconds} s.`,
  codeByWhatsApp: 'Send again by WhatsApp',
  codeBySms: 'Send again by SMS',
}
export const words = bilingual(fr, en)
