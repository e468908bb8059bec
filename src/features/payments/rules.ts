import type { Transitions } from '../../core/lifecycle.ts'

export const PAYMENT_STATUS = ['PENDING', 'CONFIRMED', 'REJECTED', 'REVERSED'] as const
export type PaymentStatus = (typeof PAYMENT_STATUS)[number]
export const PAYMENT_METHODS = [
  'CASH',
  'MTN_MOMO',
  'ORANGE_MONEY',
  'BANK_TRANSFER',
  'CHEQUE',
  'WITHHOLDING',
  'OTHER',
] as const
export type PaymentAction = 'confirm' | 'reject' | 'withdraw' | 'reverse'

export const paymentMoves: Transitions<PaymentStatus, PaymentAction> = {
  confirm: { from: ['PENDING'], to: 'CONFIRMED' },
  reject: { from: ['PENDING'], to: 'REJECTED' },
  // The tenant takes the declaration back.
  withdraw: { from: ['PENDING'], to: 'REJECTED' },
  reverse: { from: ['CONFIRMED'], to: 'REVERSED' },
}
