import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Réparations',
  back: 'Mon bail',
  report: 'Signaler une panne',
  none: 'Rien à réparer',
  noneHint: 'Quelque chose ne marche pas ? Dites-le à votre bailleur, avec une photo.',
  noLease: 'Vous pourrez signaler une panne dès que votre bail sera en cours.',
  photo: 'Photo',
  photoHint: 'Montrez ce qui ne va pas.',
  send: 'Envoyer à mon bailleur',
  facts: 'Ma demande',
  queued: (title: string) => `« ${title} » : sera envoyé dès le retour du réseau.`,
  lost: (title: string) => `« ${title} » : la réponse s’est perdue. Regardez ci-dessous si votre demande y figure.`,
  lostMessage: (text: string) =>
    `« ${text} » : la réponse s’est perdue. Regardez dans les échanges si votre message y figure.`,
  refused: (title: string, why: string) => `« ${title} » n’a pas été accepté. ${why}`,
  bare: (title: string) => `« ${title} » : envoyé sans la photo, ce serveur ne peut pas en recevoir.`,
  remove: 'J’ai compris',
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
  queued: (title) => `“${title}” will be sent when there is network again.`,
  lost: (title) => `“${title}”: the answer was lost. See below whether your request is there.`,
  lostMessage: (text) => `“${text}”: the answer was lost. See among the messages whether it is there.`,
  refused: (title, why) => `“${title}” was not accepted. ${why}`,
  bare: (title) => `“${title}” was sent without the photo: this server cannot take any.`,
  remove: 'I understand',
}
export const words = bilingual(fr, en)
