import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  lost: 'À vérifier : la réponse s’est perdue. Regardez ci-dessous si votre paiement y figure.',
  refused: (amount: string, why: string) => `${amount} n’a pas été accepté. ${why}`,
  bare: (amount: string) => `${amount} déclarés sans la photo : ce serveur ne peut pas en recevoir.`,
  remove: 'J’ai compris',
  mistaken: 'Vous vous êtes trompé ?',
  mistakenLead: 'Retirez ce que vous avez déclaré par erreur. Vous pourrez déclarer le bon paiement ensuite.',
  takeBack: (amount: string, day: string) => `Retirer ${amount} du ${day}`,
}
const en: typeof fr = {
  lost: 'Please check: the answer was lost. See below whether your payment is there.',
  refused: (amount, why) => `${amount} was not accepted. ${why}`,
  bare: (amount) => `${amount} declared without the photo: this server cannot take any.`,
  remove: 'I understand',
  mistaken: 'Did you make a mistake?',
  mistakenLead: 'Take back what you declared by mistake. You can then declare the right payment.',
  takeBack: (amount, day) => `Take back ${amount} of ${day}`,
}
export const unsentWords = bilingual(fr, en)
