// Words of every form; they come with the first form, not with the first page.
import { bilingual } from './words.svelte.ts'

const fr = {
  draft: 'Voici ce que vous aviez saisi.',
  discard: 'Recommencer',
  pressAgain: (button: string) =>
    `C’est bien vous. Rien n’est encore envoyé\u00a0: appuyez de nouveau sur «\u00a0${button}\u00a0».`,
  resend: 'Renvoyer',
  unknown: 'Pas de réponse : c’est peut-être déjà fait. Renvoyez, cela ne comptera qu’une fois.',
}
const en: typeof fr = {
  draft: 'This is what you had typed.',
  discard: 'Start over',
  pressAgain: (button) => `We know it is you. Nothing has been sent yet: press “${button}” again.`,
  resend: 'Send again',
  unknown: 'No answer: it may be done already. Send it again, it counts once only.',
}
export const formWords = bilingual(fr, en)
