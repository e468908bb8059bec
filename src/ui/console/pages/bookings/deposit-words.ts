// Words of the deposit's moves, and of charges on an invoice of their own.
import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  depositMoved: { RECEIVED: 'Reprise du bail précédent', DEDUCTED: '', RETURNED: 'Transférée au nouveau bail' },
  depositBack: 'Retenue annulée',
  keptFor: 'Pour',
  keptForDamage: 'Dégâts ou autre motif',
  keptForAll: (amount: string) => `Toutes les factures dues (${amount})`,
  keptForOne: (number: string, amount: string) => `Facture ${number} (${amount})`,
  charges: 'Facturer des charges',
  chargesLead:
    'Eau, électricité, réparations : une facture à part, même si le loyer est payé d’avance ou si le bail a pris fin.',
  chargeLabel: 'Désignation',
  payBefore: 'À payer au plus tard le',
  chargesDone: 'Facture établie.',
}
const en: typeof fr = {
  depositMoved: { RECEIVED: 'Taken over from the lease before', DEDUCTED: '', RETURNED: 'Gone over to the new lease' },
  depositBack: 'No longer kept',
  keptFor: 'For',
  keptForDamage: 'Damage or another reason',
  keptForAll: (amount) => `All invoices owed (${amount})`,
  keptForOne: (number, amount) => `Invoice ${number} (${amount})`,
  charges: 'Invoice charges',
  chargesLead:
    'Water, power, repairs: an invoice of its own, also where rent is paid in advance or the lease has ended.',
  chargeLabel: 'Description',
  payBefore: 'To be paid by',
  chargesDone: 'Invoice issued.',
}
export const depositWords = bilingual(fr, en)
