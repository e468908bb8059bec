import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Exports et sauvegardes',
  lead: 'Toutes les données que vous voyez dans Loyer, avec leurs fichiers, dans un seul fichier ZIP.',
  all: 'Tout exporter',
  begun: 'L’export est lancé.',
  working: 'Export en cours…',
  leave: 'Vous pouvez quitter cette page : le travail continue.',
  kept: 'Un fichier reste ici un jour. Seule la personne qui l’a fait peut le télécharger : il contient des données personnelles, gardez-le en lieu sûr.',
  act: 'Fichier',
  status: {
    QUEUED: 'En attente',
    RUNNING: 'En cours',
    SUCCEEDED: 'Prêt',
    FAILED: 'Échoué',
    EXPIRED: 'Fichier supprimé',
  },
  downloadOf: (when: string) => `Télécharger l’export du ${when}`,
  theirs: 'Fait par une autre personne',
  units: ['o', 'Ko', 'Mo', 'Go'],
  none: 'Aucun export pour l’instant',
  noneHint: 'Faites-en un de temps en temps et gardez-le ailleurs.',
}
const en: typeof fr = {
  title: 'Exports and backups',
  lead: 'All the data that you see in Loyer, with its files, in one ZIP file.',
  all: 'Export all',
  begun: 'The export has begun.',
  working: 'Exporting…',
  leave: 'You may leave this page: the work goes on.',
  kept: 'A file stays here for a day. Only the person who made it can download it: it holds personal data, keep it in a safe place.',
  act: 'File',
  status: { QUEUED: 'Waiting', RUNNING: 'Running', SUCCEEDED: 'Ready', FAILED: 'Failed', EXPIRED: 'File deleted' },
  downloadOf: (when) => `Download the export of ${when}`,
  theirs: 'Made by somebody else',
  units: ['B', 'KB', 'MB', 'GB'],
  none: 'No exports yet',
  noneHint: 'Make one from time to time, and keep it somewhere else.',
}
export const words = bilingual(fr, en)
