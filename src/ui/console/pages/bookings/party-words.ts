import { either } from '../../../shared/sending.ts'
import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Colocataires et garants',
  none: 'Personne d’autre que le locataire ne signe ce bail.',
  add: 'Ajouter',
  addTitle: 'Ajouter un signataire',
  roles: { CO_TENANT: 'Colocataire', GUARANTOR: 'Garant' },
  phoneHint: either(
    'Le lien pour lire et signer le bail y est envoyé, puis le code.',
    'Cette personne signe sur papier tant que WhatsApp n’est pas branché.',
  ),
  idTypes: {
    '': 'Aucune',
    NATIONAL_ID: 'Carte d’identité',
    PASSPORT: 'Passeport',
    RESIDENCE_PERMIT: 'Titre de séjour',
    DRIVER_LICENSE: 'Permis de conduire',
    OTHER: 'Autre pièce',
  },
  idNumber: 'Numéro de la pièce',
  remove: 'Retirer du bail',
  removed: (name: string) => `${name} n’est plus sur ce bail.`,
  saved: (name: string) => `${name} est sur le bail.`,
  anew: 'Le bail est déjà à la signature : son texte est refait, et ceux qui ont signé doivent signer de nouveau.',
  signedOn: (time: string) => `Signé le ${time}`,
  ownerLead: 'Pour vos papiers de bailleur : baux, quittances, factures.',
  blank: 'Envoyer avec un blanc à remplir à la main',
}
const en: typeof fr = {
  title: 'Co-tenants and guarantors',
  none: 'Nobody but the tenant signs this lease.',
  add: 'Add',
  addTitle: 'Add a signatory',
  roles: { CO_TENANT: 'Co-tenant', GUARANTOR: 'Guarantor' },
  phoneHint: either(
    'The link to read and sign the lease goes there, then the code.',
    'This person signs on paper until WhatsApp is connected.',
  ),
  idTypes: {
    '': 'None',
    NATIONAL_ID: 'National ID',
    PASSPORT: 'Passport',
    RESIDENCE_PERMIT: 'Residence permit',
    DRIVER_LICENSE: 'Driving licence',
    OTHER: 'Other document',
  },
  idNumber: 'Number of the paper',
  remove: 'Take off the lease',
  removed: (name) => `${name} is no longer on this lease.`,
  saved: (name) => `${name} is on the lease.`,
  anew: 'The lease is out for signing already: its text is drawn up again, and everybody who signed must sign again.',
  signedOn: (time) => `Signed on ${time}`,
  ownerLead: 'For your papers as landlord: leases, receipts, invoices.',
  blank: 'Send with a blank to fill in by hand',
}
export const partyWords = bilingual(fr, en)
