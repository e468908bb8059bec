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

export type Allocation = { readonly id: string; readonly amount: number }

/**
 * Spreads `amount` (francs, ≥ 0) over open invoices given oldest first: each is filled before the next gets anything.
 * `rest` is what no invoice takes. Invoices without a balance get no allocation. Throws RangeError for a bad amount.
 */
export function allocate(
  amount: number,
  open: readonly { readonly id: string; readonly balance: number }[],
): { allocations: Allocation[]; rest: number } {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError('amount must be a whole number of francs')
  const allocations: Allocation[] = []
  let rest = amount
  for (const { id, balance } of open) {
    const part = Math.min(rest, balance)
    if (part <= 0) continue
    allocations.push({ id, amount: part })
    rest -= part
  }
  return { allocations, rest }
}
