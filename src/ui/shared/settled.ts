// The accounts at the end of a lease, line by line; deductions are below zero.
import type { Schemas } from './api.ts'

const LINES = ['received', 'rent', 'deducted', 'credit', 'returned'] as const
export type SettledLine = (typeof LINES)[number]
/** Deposit − rent owed − repairs, and what else there is; its sum is `balanceAmount`. */
export function settledLines(s: Schemas['Settlement']): (readonly [line: SettledLine, amount: number])[] {
  const amounts = {
    received: s.depositReceivedAmount,
    rent: -s.rentOwedAmount,
    deducted: -s.deductedAmount,
    credit: s.creditAmount,
    returned: -s.depositReturnedAmount,
  }
  const always: readonly string[] = ['received', 'rent', 'deducted']
  return LINES.flatMap((line) => (amounts[line] !== 0 || always.includes(line) ? [[line, amounts[line]] as const] : []))
}
