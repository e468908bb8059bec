import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  search: 'Locataire, logement ou bien',
  tab: {
    requests: 'Demandes',
    drafts: 'Brouillons',
    sign: 'À signer',
    running: 'En cours',
    ending: 'Bientôt finis',
    ended: 'Terminés',
  },
  owes: (amount: string) => `doit ${amount}`,
  coveredUntil: (day: string) => `payé jusqu’au ${day}`,
  waitsFor: {
    both: 'personne n’a encore signé',
    landlord: 'attend votre signature',
    tenant: 'attend le locataire',
  },
}
const en: typeof fr = {
  search: 'Tenant, unit or property',
  tab: {
    requests: 'Requests',
    drafts: 'Drafts',
    sign: 'To sign',
    running: 'Active',
    ending: 'Ending soon',
    ended: 'Ended',
  },
  owes: (amount) => `owes ${amount}`,
  coveredUntil: (day) => `paid until ${day}`,
  waitsFor: {
    both: 'nobody has signed yet',
    landlord: 'waits for your signature',
    tenant: 'waits for the tenant',
  },
}
export const listWords = bilingual(fr, en)
