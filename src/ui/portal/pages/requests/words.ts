import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Réparations',
  back: 'Mon bail',
  report: 'Signaler une panne',
  none: 'Rien à réparer',
  noneHint: 'Quelque chose ne marche pas ? Dites-le à votre bailleur, avec une photo.',
  noLease: 'Vous pourrez signaler une panne dès que votre bail sera en cours.',
  photo: 'Photo',
  photoHint: 'Montrez ce qui ne va pas.',
  send: 'Envoyer à mon bailleur',
  facts: 'Ma demande',
}
const en: typeof fr = {
  title: 'Repairs',
  back: 'My lease',
  report: 'Report a fault',
  none: 'Nothing to repair',
  noneHint: 'Something does not work? Tell your landlord, with a photo.',
  noLease: 'You can report a fault once your lease is running.',
  photo: 'Photo',
  photoHint: 'Show what is wrong.',
  send: 'Send to my landlord',
  facts: 'My request',
}
export const words = bilingual(fr, en)
