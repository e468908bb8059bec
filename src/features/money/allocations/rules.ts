import { type PAID_BY, PAYMENT_METHODS } from '../../../core/money.ts'

/** PENDING: it waits for somebody's word; VOID: that word was no. */
export const TRANSFER_STATE = ['PENDING', 'POSTED', 'VOID', 'REVERSED'] as const
export type TransferState = (typeof TRANSFER_STATE)[number]

/** How a transfer was told: declared by the tenant, recorded by hand, read from an operator's message. */
export const DOORS = ['DECLARED', 'RECORDED', 'MESSAGE'] as const
export type Door = (typeof DOORS)[number]

/** Who gives a reference: MOMO is both operators, as no message says surely which of them it was. */
export const TRACED_BY = [...PAYMENT_METHODS, 'MOMO'] as const
type Method = (typeof PAYMENT_METHODS)[number]
export type Trace =
  | { readonly operator: (typeof TRACED_BY)[number]; readonly trace: string }
  | { readonly operator: null; readonly trace: null }

/** What people write before an id: `Ref:`, `n°`, `ID de la transaction`. */
const LABEL =
  /^(?:(?:REF|REFERENCE|ID|NO?|NUM|NUMERO|TXN|TRANSACTION|FINANCIAL|DE|LA)(?![\p{L}\p{N}])[\s.:#°]*)+(?=\S)/u
/** An id of MTN (`7712345678`) or of Orange (`PP260305.1630.C98322`), in bare signs. */
const MTN_ID = /^\d{9,12}$/
const ORANGE_ID = /^[A-Z]{2}\d{10}[A-Z]?\d{4,8}$/
const MTN_ID_TYPED = /^\d{6,20}$/

/**
 * Who gave a reference, and its bare signs, in which all spellings of one reference are the same. An id in the shape of a
 * mobile-money operator's is theirs, also where the money is recorded as cash or otherwise.
 */
export function traceOf(method: Method, reference: string | null): Trace {
  const plain = (reference ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().trim()
  const trace = plain.replace(LABEL, '').replace(/[^\p{L}\p{N}]/gu, '')
  if (trace === '') return { operator: null, trace: null }
  const isMomo = method === 'MTN_MOMO' || method === 'ORANGE_MONEY'
  const mtn = isMomo ? MTN_ID_TYPED : MTN_ID
  const isOpen = isMomo || method === 'CASH' || method === 'OTHER'
  return { operator: isOpen && (mtn.test(trace) || ORANGE_ID.test(trace)) ? 'MOMO' : method, trace }
}

type Paid = { readonly method: (typeof PAID_BY)[number]; readonly reference: string | null }
/** The operator's id by which a payment was told, in bare signs; undefined where it has another reference, or none. */
export function idOf({ method, reference }: Paid): string | undefined {
  if (method === 'DEPOSIT' || method === 'SET_OFF') return undefined
  const { operator, trace } = traceOf(method, reference)
  return operator === 'MOMO' ? trace : undefined
}

type Move = { readonly paymentId: string; readonly targetId: string; readonly amount: number }
/** The differences between two lists of allocations. */
export function movedSince(before: readonly Move[], after: readonly Move[]): readonly Move[] {
  const keyOf = (a: Move): string => `${a.paymentId} ${a.targetId}`
  const had = new Map(before.map((a) => [keyOf(a), a.amount]))
  return after.flatMap((a) => {
    const amount = a.amount - (had.get(keyOf(a)) ?? 0)
    return amount === 0 ? [] : [{ paymentId: a.paymentId, targetId: a.targetId, amount }]
  })
}
