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
    DEPOSIT: 'Caution',
    OTHER: 'Autre',
  },
  {
    CASH: 'Cash',
    MTN_MOMO: 'MTN MoMo',
    ORANGE_MONEY: 'Orange Money',
    BANK_TRANSFER: 'Bank transfer',
    CHEQUE: 'Cheque',
    WITHHOLDING: 'Tax withheld',
    DEPOSIT: 'Deposit',
    OTHER: 'Other',
  },
)
