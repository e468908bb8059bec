import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'États des lieux',
  back: 'Mon bail',
  none: 'Aucun état des lieux',
  noneHint: 'Votre bailleur le remplit avec vous, pièce par pièce ; vous le signez ici.',
}
const en: typeof fr = {
  title: 'Inspections',
  back: 'My lease',
  none: 'No inspection',
  noneHint: 'Your landlord fills it in with you, room by room; you sign it here.',
}
export const words = bilingual(fr, en)
