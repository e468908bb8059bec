/** The kinds of accounts. Of a lease: RECEIVABLE to OPENING; of a property: EXPENSE to OWNER; of an organization: money, SUSPENSE. */
export const ACCOUNT = {
  RECEIVABLE: 1,
  ADVANCE: 2,
  DEPOSIT: 3,
  WITHHELD: 4,
  RENT: 5,
  DAMAGE: 6,
  WAIVER: 7,
  TVA: 8,
  OPENING: 9,
  EXPENSE: 10,
  FEE: 11,
  MANAGEMENT: 12,
  OWNER: 13,
  CASH: 16,
  MTN: 17,
  ORANGE: 18,
  BANK: 19,
  CHEQUE: 20,
  OTHER: 21,
  SUSPENSE: 24,
} as const
export type AccountKind = (typeof ACCOUNT)[keyof typeof ACCOUNT]

/** The kinds of entries: what happened. */
export const ENTRY = {
  ISSUE: 1,
  CREDIT_NOTE: 2,
  TRANSFER: 3,
  APPLY: 4,
  DEPOSIT: 5,
  CARRY: 6,
  OPENING: 7,
  EXPENSE: 8,
  FEE: 9,
  REVERSAL: 10,
} as const
export type EntryKind = (typeof ENTRY)[keyof typeof ENTRY]

/** Accounts on which money lies that can be handed over. */
export const MONEY: readonly AccountKind[] = [
  ACCOUNT.CASH,
  ACCOUNT.MTN,
  ACCOUNT.ORANGE,
  ACCOUNT.BANK,
  ACCOUNT.CHEQUE,
  ACCOUNT.OTHER,
]

/** Where money lies that came or went by a method. */
export const MONEY_OF: Readonly<Record<string, AccountKind>> = {
  CASH: ACCOUNT.CASH,
  MTN_MOMO: ACCOUNT.MTN,
  ORANGE_MONEY: ACCOUNT.ORANGE,
  BANK_TRANSFER: ACCOUNT.BANK,
  CHEQUE: ACCOUNT.CHEQUE,
  OTHER: ACCOUNT.OTHER,
}

export const accountOf = (holder: number, kind: AccountKind): number => holder * 32 + kind
