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
  ATTRIBUTE: 11,
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
const MONEY_OF: Readonly<Record<string, AccountKind>> = {
  CASH: ACCOUNT.CASH,
  MTN_MOMO: ACCOUNT.MTN,
  ORANGE_MONEY: ACCOUNT.ORANGE,
  BANK_TRANSFER: ACCOUNT.BANK,
  CHEQUE: ACCOUNT.CHEQUE,
}
export const moneyOf = (method: string | null): AccountKind => MONEY_OF[method ?? ''] ?? ACCOUNT.OTHER

export const accountOf = (holder: number, kind: AccountKind): number => holder * KINDS + kind
/** Ids of accounts for each holder. */
const KINDS = 32
export const kindOf = (account: number): number => account % KINDS
/** The first id of an entry's postings is its own, times this. */
export const POSTINGS = 64

/** A day as the journal has it: yyyymmdd. */
export const dayOf = (date: string): number => Number(date.replaceAll('-', ''))

/** The first day after a closed month, by its last day. */
export function firstOpenAfter(closedOn: number): number {
  const month = Math.floor(closedOn / 100)
  return (month % 100 === 12 ? month + 89 : month + 1) * 100 + 1
}
