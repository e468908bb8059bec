// The frame's words; those of a page stand in its folder.
import { bilingual } from '../shared/words.svelte.ts'

const fr = {
  title: 'Mon loyer',
  skip: 'Aller au contenu',
  sections: 'Rubriques',
  rent: 'Loyer',
  papers: 'Documents',
  lease: 'Mon bail',
  me: 'Moi',
  offline: (when: string) => `Hors connexion : voici ce que vous avez vu le ${when}.`,
}
const en: typeof fr = {
  title: 'My rent',
  skip: 'Skip to content',
  sections: 'Sections',
  rent: 'Rent',
  papers: 'Documents',
  lease: 'My lease',
  me: 'Me',
  offline: (when) => `Offline: this is what you saw on ${when}.`,
}
export const words = bilingual(fr, en)
