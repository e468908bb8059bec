import { bilingual } from './words.svelte.ts'

const fr = {
  verify: 'Vérifier mon numéro',
  verifyLead: 'Un code arrive sur ce numéro. Il prouve qu’il est à vous, pour signer et recevoir vos papiers.',
  sendCode: 'M’envoyer le code',
  codeSent: (to: string) => `Code envoyé au ${to}.`,
  code: 'Code reçu',
  done: 'Votre numéro est vérifié.',
}
const en: typeof fr = {
  verify: 'Verify my number',
  verifyLead: 'A code comes to this number. It proves that it is yours, for signing and for your papers.',
  sendCode: 'Send me the code',
  codeSent: (to) => `Code sent to ${to}.`,
  code: 'Code received',
  done: 'Your number is verified.',
}
export const phoneWords = bilingual(fr, en)
