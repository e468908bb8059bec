import type { Transitions } from '../../../core/lifecycle.ts'

/** How money goes to an owner: as tenants pay, but nobody withholds from it. */
export const TRANSFER_METHODS = ['CASH', 'MTN_MOMO', 'ORANGE_MONEY', 'BANK_TRANSFER', 'CHEQUE', 'OTHER'] as const

export const TRANSFER_STATUS = ['RECORDED', 'CANCELLED'] as const
type TransferStatus = (typeof TRANSFER_STATUS)[number]
export const transferMoves: Transitions<TransferStatus, 'cancel'> = {
  cancel: { from: ['RECORDED'], to: 'CANCELLED' },
}
