/** Taken from the tenant; kept for a damage or a debt; given back. */
export const DEPOSIT_TYPES = ['RECEIVED', 'DEDUCTED', 'RETURNED'] as const
export type DepositType = (typeof DEPOSIT_TYPES)[number]

/** What is held after an entry; below zero when it takes more than there is. */
export const heldAfter = (held: number, type: DepositType, amount: number): number =>
  type === 'RECEIVED' ? held + amount : held - amount
