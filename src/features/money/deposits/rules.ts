import { notAhead } from '../../../core/body-rules.ts'

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

type Debt = { readonly dueDate: string; readonly grossAmount: number; readonly amountPaid: number }
/** What is asked for of debts: `owed` by invoice, the first due first; `depositAmount` is what the deposit covers of them. */
export type Claim<T> = {
  readonly owed: readonly { readonly invoice: T; readonly amount: number }[]
  readonly askedAmount: number
  readonly depositAmount: number
}
/** The debts of one lease that are asked for, less `deposit`, which covers those of all that fell due first. */
export function lessDeposit<T extends Debt>(debts: readonly T[], deposit: number, isClaimed: (debt: T) => boolean) {
  let left = deposit
  const claim = { owed: [] as { invoice: T; amount: number }[], askedAmount: 0, depositAmount: 0 }
  for (const invoice of debts.toSorted((a, b) => a.dueDate.localeCompare(b.dueDate))) {
    const open = invoice.grossAmount - invoice.amountPaid
    const covered = Math.min(left, open)
    left -= covered
    if (!isClaimed(invoice)) continue
    const amount = open - covered
    if (amount > 0) claim.owed.push({ invoice, amount })
    claim.askedAmount += amount
    claim.depositAmount += covered
  }
  return claim satisfies Claim<T>
}
