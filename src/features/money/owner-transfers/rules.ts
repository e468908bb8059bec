import { all, isText, notAhead, wrongAt } from '../../../core/body-rules.ts'
import { addMonths } from '../../../core/dates.ts'
import type { Transitions } from '../../../core/lifecycle.ts'

/** How money goes to an owner: as tenants pay, but nobody withholds from it. */
export const TRANSFER_METHODS = ['CASH', 'MTN_MOMO', 'ORANGE_MONEY', 'BANK_TRANSFER', 'CHEQUE', 'OTHER'] as const

export const TRANSFER_STATUS = ['RECORDED', 'CANCELLED'] as const
type TransferStatus = (typeof TRANSFER_STATUS)[number]
export const transferMoves: Transitions<TransferStatus, 'cancel'> = {
  cancel: { from: ['RECORDED'], to: 'CANCELLED' },
}

const MONTHS_BACK = 120
const LONG_AGO = { en: 'Within the last ten years.', fr: 'Au plus dix ans en arrière.' }
/** Money is handed over on a day of the last ten years. */
export const transferRule = all(notAhead('paidOn'), ({ paidOn }, today) =>
  isText(paidOn) && paidOn < addMonths(today, -MONTHS_BACK) ? wrongAt(LONG_AGO, '/paidOn') : [],
)
