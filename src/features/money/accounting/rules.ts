import { ACCOUNT, type AccountKind, ENTRY, type EntryKind } from '../../../core/accounts.ts'

type Named = { readonly number: string; readonly fr: string; readonly en: string }
/** Each kind of account by its name, with the number that it has in the SYSCOHADA chart unless an organization gives it another. */
export const CHART = {
  RECEIVABLE: { number: '4111', fr: 'Locataires', en: 'Tenants' },
  ADVANCE: { number: '4191', fr: 'Avances reçues des locataires', en: 'Advances from tenants' },
  DEPOSIT: { number: '165', fr: 'Dépôts de garantie reçus', en: 'Deposits held' },
  WITHHELD: { number: '4492', fr: 'Impôts retenus à la source', en: 'Tax withheld by tenants' },
  RENT: { number: '7061', fr: 'Loyers et charges', en: 'Rent and charges' },
  DAMAGE: { number: '7078', fr: 'Retenues pour dégâts', en: 'Kept for damage' },
  WAIVER: { number: '7069', fr: 'Remises accordées', en: 'Waived' },
  TVA: { number: '4432', fr: 'TVA facturée', en: 'VAT invoiced' },
  OPENING: { number: '471', fr: 'Reprise de soldes', en: 'Opening balances' },
  EXPENSE: { number: '62', fr: 'Charges des immeubles', en: 'Costs of properties' },
  FEE: { number: '6322', fr: 'Honoraires de gestion', en: 'Management fees' },
  MANAGEMENT: { number: '7072', fr: 'Honoraires dus à la gestion', en: 'Fees due to the management' },
  OWNER: { number: '4712', fr: 'Comptes des propriétaires', en: 'Accounts of owners' },
  CASH: { number: '571', fr: 'Caisse', en: 'Cash' },
  MTN: { number: '5521', fr: 'MTN Mobile Money', en: 'MTN Mobile Money' },
  ORANGE: { number: '5522', fr: 'Orange Money', en: 'Orange Money' },
  BANK: { number: '521', fr: 'Banque', en: 'Bank' },
  CHEQUE: { number: '513', fr: 'Chèques à encaisser', en: 'Cheques' },
  OTHER: { number: '58', fr: 'Autres moyens de paiement', en: 'Other means of payment' },
  SUSPENSE: { number: '4718', fr: 'Sommes à attribuer', en: 'Money to attribute' },
} as const satisfies Readonly<Record<keyof typeof ACCOUNT, Named>>
export type AccountName = keyof typeof ACCOUNT
export const ACCOUNT_NAMES = Object.keys(ACCOUNT) as [AccountName, ...AccountName[]]
const BY_KIND = new Map(Object.entries(ACCOUNT).map(([name, kind]) => [kind, name as AccountName]))
export const accountName = (kind: AccountKind): AccountName => BY_KIND.get(kind) ?? 'OTHER'

/** Numbers that an organization gave to accounts. */
export type Numbers = Readonly<Partial<Record<AccountName, string>>>
export const numberOf = (numbers: Numbers | null, name: AccountName): string => numbers?.[name] ?? CHART[name].number

export const ENTRY_NAMES = Object.keys(ENTRY) as [keyof typeof ENTRY, ...(keyof typeof ENTRY)[]]
const ENTRY_BY_KIND = new Map(Object.entries(ENTRY).map(([name, kind]) => [kind, name as keyof typeof ENTRY]))
export const entryName = (kind: EntryKind): keyof typeof ENTRY => ENTRY_BY_KIND.get(kind) ?? 'TRANSFER'

/** What a line of the exported journal says of its entry. */
export const EVENTS: Readonly<Record<keyof typeof ENTRY, { readonly fr: string; readonly en: string }>> = {
  ISSUE: { fr: 'Facture', en: 'Invoice' },
  CREDIT_NOTE: { fr: 'Avoir', en: 'Credit note' },
  TRANSFER: { fr: 'Paiement', en: 'Payment' },
  APPLY: { fr: 'Imputation', en: 'Applied' },
  DEPOSIT: { fr: 'Retenue sur caution', en: 'Kept of the deposit' },
  CARRY: { fr: 'Report', en: 'Carried over' },
  OPENING: { fr: 'Reprise', en: 'Opening' },
  EXPENSE: { fr: 'Dépense', en: 'Expense' },
  FEE: { fr: 'Honoraires', en: 'Management fee' },
  REVERSAL: { fr: 'Annulation', en: 'Reversal' },
  ATTRIBUTE: { fr: 'Attribution', en: 'Attribution' },
}

/** Entries of one page of the journal. */
export const MOST_ENTRIES = 500
/** A year and a day, as reports. */
export const MOST_DAYS = 366

/** 20261130 as 2026-11-30. */
export const dateOf = (day: number): string => String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
