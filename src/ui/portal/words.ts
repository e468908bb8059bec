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
  choosePhoto: 'Ajouter une photo',
  readingPhoto: 'Préparation…',
  removePhoto: 'Changer de photo',
  badPhoto: 'Cette photo ne peut pas être lue. Reprenez-la, ou faites une capture d’écran.',
  correct: 'Corrigez ce qui est indiqué ci-dessous.',
  codeSent: (way: string, number: string) => `Un code a été envoyé par ${way} au ${number}.`,
  codeAgainIn: (seconds: number) => `Rien reçu ? Un autre code peut être demandé dans ${seconds} s.`,
  codeByWhatsApp: 'Renvoyer par WhatsApp',
  codeBySms: 'Renvoyer par SMS',
  offline: (when: string) => `Hors connexion : voici ce que vous avez vu le ${when}.`,
}
const en: typeof fr = {
  title: 'My rent',
  skip: 'Skip to content',
  sections: 'Sections',
  rent: 'Rent',
  papers: 'Papers',
  lease: 'My lease',
  me: 'Me',
  choosePhoto: 'Add a photo',
  readingPhoto: 'Preparing…',
  removePhoto: 'Change the photo',
  badPhoto: 'This photo cannot be read. Take it again, or make a screenshot.',
  correct: 'Correct what is marked below.',
  codeSent: (way, number) => `A code was sent by ${way} to ${number}.`,
  codeAgainIn: (seconds) => `Nothing came? Another code can be asked for in ${seconds} s.`,
  codeByWhatsApp: 'Send again by WhatsApp',
  codeBySms: 'Send again by SMS',
  offline: (when) => `Offline: this is what you saw on ${when}.`,
}
export const words = bilingual(fr, en)
