// Words of payments that several pages share.
import { bilingual } from '../../shared/words.svelte.ts'

export const methods = bilingual(
  {
    CASH: 'Espèces',
    MTN_MOMO: 'MTN MoMo',
    ORANGE_MONEY: 'Orange Money',
    BANK_TRANSFER: 'Virement',
    CHEQUE: 'Chèque',
    WITHHOLDING: 'Retenue à la source',
    OTHER: 'Autre',
    DEPOSIT: 'Retenu sur le dépôt de garantie',
    SET_OFF: 'Compensation entre baux',
  },
  {
    CASH: 'Cash',
    MTN_MOMO: 'MTN MoMo',
    ORANGE_MONEY: 'Orange Money',
    BANK_TRANSFER: 'Bank transfer',
    CHEQUE: 'Cheque',
    WITHHOLDING: 'Tax withheld',
    OTHER: 'Other',
    DEPOSIT: 'Kept of the deposit',
    SET_OFF: 'Set off between leases',
  },
)

/** The ways by which new money comes: deposit and credit are held already. */
export function waysToPay() {
  const { DEPOSIT: _kept, SET_OFF: _credit, ...ways } = methods.t
  return ways
}
