// Words for two versions side by side.
import { bilingual } from './words.svelte.ts'

const fr = {
  conflict: 'Quelqu’un a modifié ces données entre-temps.',
  mine: 'Votre version',
  theirs: 'Version enregistrée',
  keepMine: 'Garder la mienne',
  takeTheirs: 'Reprendre l’autre',
  empty: 'vide',
  yes: 'oui',
  no: 'non',
}
const en: typeof fr = {
  conflict: 'Somebody has changed this in the meantime.',
  mine: 'Your version',
  theirs: 'Saved version',
  keepMine: 'Keep mine',
  takeTheirs: 'Take the other',
  empty: 'empty',
  yes: 'yes',
  no: 'no',
}
export const words = bilingual(fr, en)
