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
  },
)

/** Those that money comes by: the deposit is there already. */
export function waysToPay() {
  const { DEPOSIT: _kept, ...ways } = methods.t
  return ways
}
