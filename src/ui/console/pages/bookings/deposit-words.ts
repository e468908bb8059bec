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
  depositMoved: {
    RECEIVED: 'Carried over from the previous lease',
    DEDUCTED: '',
    RETURNED: 'Carried over to the new lease',
  },
  depositBack: 'Deduction cancelled',
  keptFor: 'For',
  keptForDamage: 'Damage or another reason',
  keptForAll: (amount) => `All invoices owed (${amount})`,
  keptForOne: (number, amount) => `Invoice ${number} (${amount})`,
  charges: 'Invoice charges',
  chargesLead: 'Water, power, repairs: a separate invoice, even if rent is paid in advance or the lease has ended.',
  chargeLabel: 'Description',
  payBefore: 'To be paid by',
  chargesDone: 'Invoice issued.',
}
export const depositWords = bilingual(fr, en)
