import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Sauvegardes',
  lead: (at: string) => `Tout le serveur est sauvegardé chaque jour à ${at}, puis la sauvegarde est relue et vérifiée.`,
  off: 'Les sauvegardes sont désactivées sur ce serveur\u00a0: BACKUP_TO les active.',
  none: 'Pas encore',
  last: 'Dernière bonne sauvegarde',
  megabytes: (n: string) => `${n}\u00a0Mo`,
  encrypted: 'chiffrée',
  open: 'non chiffrée',
  kept: 'Conservées',
  files: (n: number) => (n > 1 ? `${n} sauvegardes` : n === 1 ? 'Une sauvegarde' : 'Aucune'),
  place: 'À cet endroit',
  elsewhere: (address: string) =>
    `Les photos et les documents ne sont pas dans la sauvegarde\u00a0: ils sont conservés dans ${address}.`,
  failed: (when: string) => `La sauvegarde du ${when} a échoué\u00a0:`,
  running: 'Sauvegarde en cours. Vous pouvez quitter cette page.',
  make: 'Sauvegarder maintenant',
  begun: 'La sauvegarde a commencé.',
}
const en: typeof fr = {
  title: 'Backups',
  lead: (at) => `The whole server is backed up every day at ${at}; each backup is read again and checked.`,
  off: 'Backups are switched off on this server: BACKUP_TO switches them on.',
  none: 'None yet',
  last: 'Last good backup',
  megabytes: (n) => `${n}\u00a0MB`,
  encrypted: 'encrypted',
  open: 'not encrypted',
  kept: 'Kept',
  files: (n) => (n === 1 ? 'One backup' : n === 0 ? 'None' : `${n} backups`),
  place: 'In this place',
  elsewhere: (address) => `Photos and papers are not in the backup: they are kept in ${address}.`,
  failed: (when) => `The backup of ${when} failed:`,
  running: 'A backup is being made. You can leave this page.',
  make: 'Back up now',
  begun: 'The backup has begun.',
}
export const words = bilingual(fr, en)
