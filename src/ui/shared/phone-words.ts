import { either } from './sending.ts'
import { bilingual } from './words.svelte.ts'

const fr = {
  verify: 'Vérifier mon numéro',
  verifyLead: either(
    'Un code arrive sur ce numéro. Il prouve qu’il est à vous, pour signer et recevoir vos papiers.',
    'Possible une fois WhatsApp branché\u00a0: un code doit prouver que ce numéro est à vous.',
  ),
  sendCode: 'M’envoyer le code',
  codeSent: (to: string) => `Code envoyé au ${to}.`,
  code: 'Code reçu',
  done: 'Votre numéro est vérifié.',
}
const en: typeof fr = {
  verify: 'Verify my number',
  verifyLead: either(
    'A code comes to this number. It proves that it is yours, for signing and for your papers.',
    'Possible once WhatsApp is connected: a code has to prove that this number is yours.',
  ),
  sendCode: 'Send me the code',
  codeSent: (to) => `Code sent to ${to}.`,
  code: 'Code received',
  done: 'Your number is verified.',
}
export const phoneWords = bilingual(fr, en)
