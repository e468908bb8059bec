import { type Static, Type } from '@sinclair/typebox'
import { Body, DateOnly, DateTime, Maybe, oneOf, QueryInteger, TableFormat, Text, Uuid } from '../../../http/schema.ts'
import { ACCOUNT_NAMES, type AccountName, CHART, ENTRY_NAMES, MOST_DAYS, MOST_ENTRIES } from './rules.ts'

const AccountKey = oneOf(ACCOUNT_NAMES, {
  $id: 'LedgerAccountName',
  description:
    'Of a lease: RECEIVABLE (what the tenant owes), ADVANCE (paid ahead), DEPOSIT, WITHHELD (tax), RENT, DAMAGE (kept of a deposit), WAIVER, TVA, OPENING. Of a property: EXPENSE, FEE, MANAGEMENT (fees due), OWNER (handed over). Of the organization: CASH, MTN, ORANGE, BANK, CHEQUE, OTHER, SUSPENSE (money to attribute).',
})
const Number_ = Text({
  max: 12,
  description: 'The number in the chart of accounts, SYSCOHADA unless changed.',
  examples: ['4111'],
})
const Francs = Type.Integer({ minimum: 1, description: 'In XAF.', examples: [85_000] })
const Balance = (description: string) =>
  Type.Integer({ description: `${description} Debits less credits, in XAF.`, examples: [85_000] })

export const Account = Type.Object(
  {
    account: AccountKey,
    number: Number_,
    nameFr: Type.String({ description: 'The name in French.', examples: ['Locataires'] }),
    nameEn: Type.String({ description: 'The name in English.', examples: ['Tenants'] }),
  },
  { $id: 'LedgerAccount', description: 'An account of the books, with its number in the chart of accounts.' },
)
export type Account = Static<typeof Account>
export const Accounts = Type.Array(Account, { maxItems: ACCOUNT_NAMES.length })

const given = Object.fromEntries(
  ACCOUNT_NAMES.map((name) => [
    name,
    Maybe(
      Type.String({
        pattern: '^[1-9]\\d{1,11}$',
        description: `${CHART[name].en}: 2 to 12 digits.`,
        examples: [CHART[name].number],
      }),
    ),
  ]),
) as Record<AccountName, ReturnType<typeof Maybe<ReturnType<typeof Type.String>>>>
export const AccountNumbers = Body(given, {
  $id: 'LedgerAccountNumbers',
  examples: [{ RENT: '7073', CASH: '5711' }],
})
export type AccountNumbers = Static<typeof AccountNumbers>

const Line = Type.Object(
  {
    account: AccountKey,
    party: Type.Optional(
      Type.String({
        description:
          'Whose account it is: the tenant with the home, or the property. Absent for money of the organization.',
        examples: ['Paul Essama · A5 · Immeuble Makepe'],
      }),
    ),
    invoiceNumber: Type.Optional(Type.String({ description: 'The number of the invoice.', examples: ['2026-000123'] })),
    debitAmount: Type.Optional(Francs),
    creditAmount: Type.Optional(Francs),
  },
  { $id: 'LedgerLine', description: 'One side of an entry: either `debitAmount` or `creditAmount`.' },
)
export type Line = Static<typeof Line>
const Entry = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Entries of an organization have numbers without a gap.' }),
    day: {
      ...DateOnly,
      description: 'The day on which it counts, never one of a closed month.',
      examples: ['2026-11-05'],
    },
    kind: oneOf(ENTRY_NAMES, {
      $id: 'LedgerEntryKind',
      description:
        'ISSUE: an invoice. CREDIT_NOTE: also a waiver. TRANSFER: money that came or went. APPLY: an advance pays an invoice, or is taken back from it; a set-off. DEPOSIT: kept of a deposit. CARRY: credit or deposit goes over to another lease. OPENING, EXPENSE, FEE. ATTRIBUTE: money that waited is no longer held for nobody. REVERSAL: what was entered is turned.',
    }),
    enteredAt: { ...DateTime, description: 'When it was entered.' },
    sourceId: Type.Optional({
      ...Uuid,
      description:
        'The payment, deposit entry, expense, credit note or transfer behind it; for fees by the month, the property.',
    }),
    lines: Type.Array(Line, { maxItems: 128, description: 'Their debits and credits are equal.' }),
  },
  { $id: 'LedgerEntry', description: 'What happened once: it never changes, and is mended by another entry.' },
)
export type Entry = Static<typeof Entry>
export const Entries = Type.Object(
  {
    entries: Type.Array(Entry, {
      maxItems: MOST_ENTRIES,
      description: 'By day, then in the order in which they were entered.',
    }),
    next: Type.Optional(
      Type.String({
        description: 'Present if there is more: ask again with `after` set to it.',
        examples: ['20261105.117'],
      }),
    ),
  },
  { $id: 'LedgerEntries' },
)

export const TrialBalanceRow = Type.Object(
  {
    account: AccountKey,
    number: Number_,
    openingBalance: Balance('Before `from`.'),
    debitAmount: Type.Integer({ minimum: 0, description: 'Debited from `from` to `to`, in XAF.', examples: [85_000] }),
    creditAmount: Type.Integer({ minimum: 0, description: 'Credited from `from` to `to`, in XAF.' }),
    closingBalance: Balance('At the end of `to`.'),
  },
  { $id: 'TrialBalanceRow' },
)
export type TrialBalanceRow = Static<typeof TrialBalanceRow>
export const TrialBalance = Type.Object(
  {
    from: { ...DateOnly, description: 'The first day.' },
    to: { ...DateOnly, description: 'The last day.' },
    rows: Type.Array(TrialBalanceRow, {
      maxItems: ACCOUNT_NAMES.length,
      description: 'Accounts on which something moved, by number. Each column sums to zero, or debits to credits.',
    }),
  },
  { $id: 'TrialBalance' },
)

const day = (description: string) => Type.Optional({ ...DateOnly, description })
export const DaysQuery = Type.Object({
  from: day('The first day; the first of the month of `to`, or of this month, if omitted.'),
  to: day(`The last day, at most ${MOST_DAYS} days in all; the last of the month of \`from\` if omitted.`),
})
export const EntriesQuery = Type.Object({
  ...DaysQuery.properties,
  after: Type.Optional(Type.String({ maxLength: 24, description: 'The `next` of the page before.' })),
  limit: Type.Optional(
    QueryInteger({ minimum: 1, maximum: MOST_ENTRIES, description: `Entries of a page; ${MOST_ENTRIES} if omitted.` }),
  ),
})
export const ExportQuery = Type.Object({
  ...DaysQuery.properties,
  format: Type.Optional(TableFormat),
  locale: Type.Optional(
    oneOf(['fr', 'en'] as const, { description: "The language of the headings; the caller's if omitted." }),
  ),
})

const Month = { pattern: '^(19|20|21)\\d\\d-(0[1-9]|1[0-2])$', description: 'YYYY-MM', examples: ['2026-10'] }
export const Closings = Type.Object(
  {
    lastMonth: Type.Optional(Type.String({ ...Month, description: 'The last closed month; absent if none is.' })),
    closedUntil: Type.Optional({ ...DateOnly, description: 'Its last day.' }),
  },
  { $id: 'LedgerClosings' },
)
export type Closings = Static<typeof Closings>
export const Closing = Body(
  { month: Type.String({ ...Month, description: 'YYYY-MM; the months before it are closed too.' }) },
  { $id: 'LedgerClosing', examples: [{ month: '2026-10' }] },
)
export const MonthPath = Type.Object({ month: Type.String(Month) })
