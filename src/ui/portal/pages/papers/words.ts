import type { Schemas } from '../../../shared/api.ts'
import { bilingual } from '../../../shared/words.svelte.ts'

type Names = Readonly<Partial<Record<Schemas['DocumentVariant'] | Schemas['DocumentKind'], string>>>
const fr = {
  title: 'Documents',
  kinds: 'Sorte de document',
  kind: {
    RECEIPT: 'Quittances',
    LEASE_CONTRACT: 'Bail',
    INVOICE: 'Factures',
    STATEMENT: 'Décomptes',
    LEASE_NOTICE: 'Avis',
  },
  one: {
    RECEIPT: 'Quittance',
    FULL: 'Quittance de loyer',
    PARTIAL: 'Reçu d’un acompte',
    REFUND: 'Reçu de remboursement',
    LEASE_CONTRACT: 'Bail',
    PROPOSED: 'Bail à signer',
    UNSIGNED: 'Bail',
    SIGNED: 'Bail signé',
    INVOICE: 'Facture de loyer',
    STATEMENT: 'Décompte de fin de bail',
    LEASE_NOTICE: 'Avis, avenant ou congé',
  } as Names,
  open: 'Ouvrir',
  share: 'Partager',
  text: 'Voici mon document :',
  pending: 'En préparation',
  void: 'Remplacé ou annulé',
  none: 'Aucun document pour l’instant',
  noneHint: 'Vos quittances arrivent ici dès que votre bailleur confirme un paiement.',
}
const en: typeof fr = {
  title: 'Papers',
  kinds: 'Kind of paper',
  kind: {
    RECEIPT: 'Receipts',
    LEASE_CONTRACT: 'Lease',
    INVOICE: 'Invoices',
    STATEMENT: 'Statements',
    LEASE_NOTICE: 'Notices',
  },
  one: {
    RECEIPT: 'Receipt',
    FULL: 'Rent receipt',
    PARTIAL: 'Receipt for a part',
    REFUND: 'Receipt for a refund',
    LEASE_CONTRACT: 'Lease',
    PROPOSED: 'Lease to sign',
    UNSIGNED: 'Lease',
    SIGNED: 'Signed lease',
    INVOICE: 'Rent invoice',
    STATEMENT: 'Final statement',
    LEASE_NOTICE: 'Rent notice, rider or notice to leave',
  },
  open: 'Open',
  share: 'Share',
  text: 'Here is my paper:',
  pending: 'Being made',
  void: 'Replaced or cancelled',
  none: 'No papers yet',
  noneHint: 'Your receipts come here as soon as your landlord confirms a payment.',
}
export const words = bilingual(fr, en)
