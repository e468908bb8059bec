import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  copyAttach: 'Joindre le bail signé à la main',
  copyHint: 'Le PDF ou la photo du bail signé sur papier, 20 Mo au plus.',
  copyHintPending: 'Le PDF ou la photo du bail signé sur papier, 20 Mo au plus. Le bail entre alors en vigueur.',
  copyKept: 'Le bail signé est conservé.',
  copyOpen: 'Voir le bail signé à la main',
  account: 'Compte du locataire (PDF)',
  accountName: 'compte',
  file: 'Dossier complet (ZIP)',
  fileHint: 'Pour un huissier ou un avocat : bail, factures, quittances, lettres, preuves et compte du locataire.',
  fileName: 'dossier-bail',
}
const en: typeof fr = {
  copyAttach: 'Attach the lease signed by hand',
  copyHint: 'The PDF or photo of the lease signed on paper, 20 MB at most.',
  copyHintPending: 'The PDF or photo of the lease signed on paper, 20 MB at most. The lease is then in force.',
  copyKept: 'The signed lease is kept.',
  copyOpen: 'See the lease signed by hand',
  account: 'Tenant’s account (PDF)',
  accountName: 'account',
  file: 'Complete file (ZIP)',
  fileHint: 'For a bailiff or a lawyer: lease, invoices, receipts, letters, proofs and the account of the tenant.',
  fileName: 'lease-file',
}
/** Of the lease signed by hand, and of all its papers at once. */
export const copyWords = bilingual(fr, en)
