import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  lost: 'À vérifier : la réponse s’est perdue. Regardez ci-dessous si votre paiement y figure.',
  refused: (amount: string, why: string) => `${amount} n’a pas été accepté. ${why}`,
  bare: (amount: string) => `${amount} déclarés sans la photo : ce serveur ne peut pas en recevoir.`,
  remove: 'J’ai compris',
}
const en: typeof fr = {
  lost: 'Please check: the answer was lost. See below whether your payment is there.',
  refused: (amount, why) => `${amount} was not accepted. ${why}`,
  bare: (amount) => `${amount} declared without the photo: this server cannot take any.`,
  remove: 'I understand',
}
export const unsentWords = bilingual(fr, en)
