// Inspections as both sides say them.
import type { Schemas } from './api.ts'
import { either } from './sending.ts'
import type { Tone } from './tone.ts'
import { bilingual } from './words.svelte.ts'

export type Inspection = Schemas['Inspection']
export type InspectionHead = Schemas['InspectionHead']
export type InspectedState = Schemas['InspectedState']
export type Photo = Schemas['InspectionPhoto']
export const TONE: Readonly<Record<Inspection['status'], Tone>> = { DRAFT: 'plain', PROPOSED: 'warn', SIGNED: 'good' }
export const STATE_TONE: Readonly<Record<InspectedState, Tone>> = {
  NEW: 'good',
  GOOD: 'good',
  WORN: 'warn',
  DAMAGED: 'bad',
  MISSING: 'bad',
  NOT_CHECKED: 'plain',
}

const fr = {
  kind: { ENTRY: 'État des lieux d’entrée', EXIT: 'État des lieux de sortie' },
  status: { DRAFT: 'Brouillon', PROPOSED: 'À signer', SIGNED: 'Signé' },
  state: {
    NEW: 'Neuf',
    GOOD: 'Bon état',
    WORN: 'Usagé',
    DAMAGED: 'Dégradé',
    MISSING: 'Manquant',
    NOT_CHECKED: 'Non vérifié',
  },
  before: (state: string) => `à l’entrée : ${state}`,
  on: 'Constaté le',
  keys: 'Clés',
  note: 'Observations',
  meters: 'Compteurs',
  meter: { WATER: 'Eau', POWER: 'Électricité', GAS: 'Gaz' },
  signatures: 'Signatures',
  party: { LANDLORD: 'Bailleur', TENANT: 'Locataire' },
  waiting: 'pas encore signé',
  remarks: 'Réserves',
  deductions: 'Retenues proposées sur le dépôt',
  total: 'Total proposé',
  open: 'Ouvrir le document',
  openScan: 'Voir l’exemplaire signé à la main',
  onPaper: 'Signé sur papier',
  sign: 'Signer',
  signHint: either(
    'Lisez d’abord le document. Un code vous est envoyé sur votre téléphone.',
    'Aucun code ne peut être envoyé\u00a0: WhatsApp n’est pas encore branché. Signez le document sur papier.',
  ),
  sendCode: 'Recevoir le code',
  sent: (to: string) => `Le code est envoyé au ${to}.`,
  code: 'Code reçu',
  name: 'Vos nom et prénom',
  remarksHint: 'Ce avec quoi vous n’êtes pas d’accord : c’est imprimé sur le document.',
  photo: 'Photo',
}
const en: typeof fr = {
  kind: { ENTRY: 'Move-in inspection', EXIT: 'Move-out inspection' },
  status: { DRAFT: 'Draft', PROPOSED: 'To sign', SIGNED: 'Signed' },
  state: { NEW: 'New', GOOD: 'Good', WORN: 'Worn', DAMAGED: 'Damaged', MISSING: 'Missing', NOT_CHECKED: 'Not checked' },
  before: (state) => `at the beginning: ${state}`,
  on: 'Inspected on',
  keys: 'Keys',
  note: 'Remarks',
  meters: 'Meters',
  meter: { WATER: 'Water', POWER: 'Electricity', GAS: 'Gas' },
  signatures: 'Signatures',
  party: { LANDLORD: 'Landlord', TENANT: 'Tenant' },
  waiting: 'not signed yet',
  remarks: 'Reservations',
  deductions: 'Deductions proposed from the deposit',
  total: 'Total proposed',
  open: 'Open the paper',
  openScan: 'See the copy signed by hand',
  onPaper: 'Signed on paper',
  sign: 'Sign',
  signHint: either(
    'Read the paper first. A code is sent to your phone.',
    'No code can be sent: WhatsApp is not connected yet. Sign the document on paper.',
  ),
  sendCode: 'Get the code',
  sent: (to) => `The code was sent to ${to}.`,
  code: 'Code',
  name: 'Your full name',
  remarksHint: 'What you do not agree with: it is printed on the paper.',
  photo: 'Photo',
}
export const inspectionWords = bilingual(fr, en)
