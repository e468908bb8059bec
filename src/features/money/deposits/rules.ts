import { notAhead } from '../../../core/judging.ts'

/** Taken from the tenant; kept for a damage or a debt; given back. */
export const DEPOSIT_TYPES = ['RECEIVED', 'DEDUCTED', 'RETURNED'] as const
export type DepositType = (typeof DEPOSIT_TYPES)[number]

/** Money is dated no later than today. */
export const isPast = notAhead('paidOn')
/** The amount held after an entry; negative if the entry takes more than was held. */
export const heldAfter = (held: number, type: DepositType, amount: number): number =>
  type === 'RECEIVED' ? held + amount : held - amount

type Entry = { readonly type: DepositType; readonly amount: number; readonly paidOn: string }
/** The lowest amount held at the end of any day from `date` on, by the dates of the entries. */
export function leastHeldFrom(entries: readonly Entry[], date: string): number {
  const days = [date, ...entries.map((e) => e.paidOn).filter((day) => day > date)]
  const heldOn = (day: string): number =>
    entries.reduce((held, e) => (e.paidOn <= day ? heldAfter(held, e.type, e.amount) : held), 0)
  return Math.min(...days.map(heldOn))
}
