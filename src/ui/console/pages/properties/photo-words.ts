import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Photos',
  add: 'Ajouter des photos',
  hint: 'Elles sont réduites avant l’envoi. La première est la couverture.',
  cover: 'Couverture',
  alt: (name: string, n: number) => `${name}, photo ${n}`,
  earlier: (n: number) => `Avancer la photo ${n}`,
  later: (n: number) => `Reculer la photo ${n}`,
  remove: (n: number) => `Supprimer la photo ${n}`,
  removed: 'Photo supprimée.',
  share: 'Partager ce bien',
  shareHint:
    'Une page pour ceux qui cherchent un logement : photos, loyers et logements libres, sans l’adresse ni votre numéro.',
  whatsapp: 'Envoyer par WhatsApp',
  copy: 'Copier le lien',
  copied: 'Lien copié.',
  see: 'Voir la page',
  message: (name: string, url: string) => `À louer : ${name}\n${url}`,
  duplicate: 'Dupliquer',
  duplicated: (name: string) => `${name} est créé, avec les mêmes logements.`,
}
const en: typeof fr = {
  title: 'Photos',
  add: 'Add photos',
  hint: 'They are scaled down before they are sent. The first one is the cover.',
  cover: 'Cover',
  alt: (name, n) => `${name}, photo ${n}`,
  earlier: (n) => `Move photo ${n} forward`,
  later: (n) => `Move photo ${n} back`,
  remove: (n) => `Delete photo ${n}`,
  removed: 'Photo deleted.',
  share: 'Share this property',
  shareHint:
    'A page for people who look for a home: photos, rents and vacant units, without the address or your number.',
  whatsapp: 'Send by WhatsApp',
  copy: 'Copy the link',
  copied: 'Link copied.',
  see: 'See the page',
  message: (name, url) => `To let: ${name}\n${url}`,
  duplicate: 'Duplicate',
  duplicated: (name) => `${name} is there, with the same units.`,
}
export const photoWords = bilingual(fr, en)
