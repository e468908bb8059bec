import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Trois pas pour commencer',
  lead: 'Ensuite, vous verrez ici qui a payé et qui doit quoi.',
  build: {
    title: 'Ajoutez un immeuble',
    hint: 'Son nom et son adresse, puis tous ses logements d’un coup : A1 à A12.',
    act: 'Ajouter un bien',
  },
  built: (n: number) => (n > 1 ? `${n}\u00a0logements sont là.` : 'Un logement est là.'),
  another: 'Un autre bien',
  bring: {
    title: 'Importez vos locataires',
    hint: 'Collez votre tableau, ou choisissez le fichier. Tout est vérifié avant d’être enregistré.',
    act: 'Importer un tableau',
  },
  pay: {
    title: 'Dites où vous payer',
    hint: 'Votre numéro Mobile Money ou votre compte : chaque locataire le verra sur sa facture.',
    act: 'Ouvrir les réglages',
  },
  lease: {
    title: 'Préparez un premier bail',
    hint: 'Pour un nouveau locataire : son numéro suffit, il signe sur son téléphone.',
    act: 'Nouveau bail',
  },
}
const en: typeof fr = {
  title: 'Three steps to begin',
  lead: 'Then you will see here who has paid and who owes what.',
  build: {
    title: 'Add a building',
    hint: 'Its name and address, then all its units at once: A1 to A12.',
    act: 'Add a property',
  },
  built: (n) => (n === 1 ? 'One unit is there.' : `${n} units are there.`),
  another: 'Another property',
  bring: {
    title: 'Import your tenants',
    hint: 'Paste your table, or choose the file. Everything is checked before it is saved.',
    act: 'Import a table',
  },
  pay: {
    title: 'Say where to pay you',
    hint: 'Your mobile-money number or your account: each tenant sees it on the invoice.',
    act: 'Open the settings',
  },
  lease: {
    title: 'Prepare a first lease',
    hint: 'For a new tenant: the number is enough, they sign on their phone.',
    act: 'New lease',
  },
}
export const firstWords = bilingual(fr, en)
