import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'État du serveur',
  lead: 'Ce que Loyer vérifie de sa machine, et ce qu’il faut faire.',
  all: {
    GOOD: 'Tout va bien.',
    WARNING: 'Le service fonctionne ; quelque chose est à changer.',
    BAD: 'Quelque chose ne fonctionne pas.',
  },
  state: { GOOD: 'Bon', WARNING: 'À revoir', BAD: 'En panne' },
  check: {
    SETTINGS: 'Paramètres',
    CLOCK: 'Horloge',
    DISK: 'Disque',
    PERMISSIONS: 'Dossier de données',
    INTEGRITY: 'Base de données',
    JOBS: 'Tâches en attente',
    MESSAGING: 'Messages',
    ISSUER: 'Connexion des personnes',
    PROXY: 'Adresse publique',
    TIME_ZONE: 'Fuseau horaire',
    BACKUPS: 'Sauvegardes',
  },
  at: (time: string) => `Vérifié le ${time}`,
  again: 'Vérifier à nouveau',
}
const en: typeof fr = {
  title: 'State of the server',
  lead: 'What Loyer checks on its machine, and what to do.',
  all: {
    GOOD: 'All is well.',
    WARNING: 'The service works; something should be changed.',
    BAD: 'Something does not work.',
  },
  state: { GOOD: 'Good', WARNING: 'To change', BAD: 'Broken' },
  check: {
    SETTINGS: 'Settings',
    CLOCK: 'Clock',
    DISK: 'Disk',
    PERMISSIONS: 'Data folder',
    INTEGRITY: 'Database',
    JOBS: 'Waiting work',
    MESSAGING: 'Messages',
    ISSUER: 'Sign-in',
    PROXY: 'Public address',
    TIME_ZONE: 'Time zone',
    BACKUPS: 'Backups',
  },
  at: (time) => `Checked on ${time}`,
  again: 'Check again',
}
export const words = bilingual(fr, en)
