// The state at the end of a lease beside that of its beginning.
import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  compared: 'Entrée et sortie',
  noExit: 'L’état des lieux de sortie n’est pas fait : rien n’appuie encore les retenues.',
  noEntry: 'Sans état des lieux d’entrée signé, le logement est présumé reçu en bon état.',
  nothing: 'Rien ne s’est dégradé depuis l’entrée.',
  same: (n: number) => `${n}\u00a0${n > 1 ? 'éléments' : 'élément'} sans changement`,
  entry: 'Entrée',
  exit: 'Sortie',
  unknown: 'non relevé',
  keep: 'Retenir',
  kept: 'Retenu',
  left: (amount: string) => `Dépôt encore détenu : ${amount}`,
}
const en: typeof fr = {
  compared: 'Beginning and end',
  noExit: 'There is no move-out inspection yet: deductions have nothing to be compared with.',
  noEntry: 'Without a signed inspection at the beginning, the place counts as received in good state.',
  nothing: 'Nothing got worse since the beginning.',
  same: (n) => `${n} ${n === 1 ? 'item' : 'items'} unchanged`,
  entry: 'Beginning',
  exit: 'End',
  unknown: 'not noted',
  keep: 'Keep',
  kept: 'Kept',
  left: (amount) => `Deposit still held: ${amount}`,
}
export const comparedWords = bilingual(fr, en)
