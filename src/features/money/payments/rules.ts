import type { Transitions } from '../../../core/lifecycle.ts'

export const PAYMENT_STATUS = ['PENDING', 'CONFIRMED', 'REJECTED', 'REVERSED'] as const
export type PaymentStatus = (typeof PAYMENT_STATUS)[number]
const MOBILE_MONEY: readonly string[] = ['MTN_MOMO', 'ORANGE_MONEY']
/** A reference as it is kept: transaction ids in one spelling, however they were copied (`id: pp260305 1630 c98322`). */
export function referenceOf(method: string, reference: string): string {
  if (!MOBILE_MONEY.includes(method)) return reference
  const bare = reference
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^[\p{L}\s.°]+[:#]\s*|^(?:[\p{L}\s]*\s)?(?:ID|REF)\.?\s+/u, '')
    .replace(/[\s\u200b]+/g, '')
  const signs = bare.replace(/[^\p{L}\p{N}]/gu, '')
  if (/^\d{6,20}$/.test(signs)) return signs
  const [, day, time, count] = /^([A-Z]{2}\d{6})(\d{4})([A-Z]?\d{4,8})$/.exec(signs) ?? []
  return day ? `${day}.${time}.${count}` : bare || reference
}

/** Ways to pay of which neither an operator nor a bank knows. */
const UNTRACED: readonly string[] = ['CASH', 'WITHHOLDING', 'OTHER']
export const isUntraced = (method: string): boolean => UNTRACED.includes(method)
/** Whether nobody else can confirm a payment: an operator or a bank finds one by its reference alone. */
export const leavesNoTrace = ({ method, reference }: { readonly method: string; readonly reference?: string | null }) =>
  isUntraced(method) || !reference?.trim()

export type PaymentAction = 'confirm' | 'reject' | 'withdraw' | 'reverse'

export const paymentMoves: Transitions<PaymentStatus, PaymentAction> = {
  confirm: { from: ['PENDING'], to: 'CONFIRMED' },
  reject: { from: ['PENDING'], to: 'REJECTED' },
  // The tenant takes the declaration back.
  withdraw: { from: ['PENDING'], to: 'REJECTED' },
  reverse: { from: ['CONFIRMED'], to: 'REVERSED' },
}

/** Payments of a lease: those of ten years paid daily, and as many declared ones as a landlord looks through. */
export const MOST_OF_LEASE = 5_000
export const MOST_WAITING = 30

export const MESSAGE_STATUS = ['UNMATCHED', 'MATCHED', 'DISMISSED'] as const
export const OPERATORS = ['MTN_MOMO', 'ORANGE_MONEY'] as const
export type Operator = (typeof OPERATORS)[number]
/** Characters of a message, and messages of a paste. */
export const LONGEST_MESSAGE = 1000
export const MOST_MESSAGES = 20
/** Why a message is not taken. */
export const UNREADABLE = ['not_credit', 'no_amount', 'no_transaction', 'inconsistent'] as const
export type Unreadable = (typeof UNREADABLE)[number]

/** Ways to pay that are never mobile money, whatever a message says. */
const OTHER_MONEY: readonly string[] = ['BANK_TRANSFER', 'CHEQUE', 'WITHHOLDING']
export const isOtherMoney = ({ method }: { readonly method: string }): boolean => OTHER_MONEY.includes(method)
/** Two tellings of one payment are dated at most so many days apart. */
export const DAYS_APART = 3
