import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { Sheet } from '../../../adapters/tables/port.ts'
import { record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { type AccountKind, dayOf, type EntryKind, POSTINGS } from '../../../core/accounts.ts'
import { addDays, addMonths, daysInclusive, firstOfMonth } from '../../../core/dates.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { todayOf } from '../../people/organizations/service.ts'
import type { Account, Closings, Entry, Line, TrialBalanceRow } from './model.ts'
import {
  ACCOUNT_NAMES,
  type AccountName,
  accountName,
  CHART,
  dateOf,
  EVENTS,
  entryName,
  MOST_DAYS,
  MOST_ENTRIES,
  type Numbers,
  numberOf,
} from './rules.ts'
import { balances, booksOf, entriesAfter, postingsOf, saveClosed, saveNumbers } from './store.ts'

export type Days = { readonly from: string; readonly to: string }
type Given = { readonly from?: string | undefined; readonly to?: string | undefined }
/** The days asked for; the month of `today` where none are given. @throws validation_failed */
export function daysOf({ from, to }: Given, today: string): Days {
  const first = from ?? firstOfMonth(to ?? today)
  const days = { from: first, to: to ?? addDays(addMonths(firstOfMonth(first), 1), -1) }
  if (days.from > days.to) throw invalid('/to', 'Cannot be before `from`.', 'Ne peut pas précéder `from`.')
  if (daysInclusive(days.from, days.to) > MOST_DAYS)
    throw invalid('/to', `At most ${MOST_DAYS} days at a time.`, `Au plus ${MOST_DAYS} jours à la fois.`)
  return days
}

type Row = ReturnType<ReturnType<typeof entriesAfter>['all']>[number]
function toEntry(db: Db, orgId: string, { id, seq, day, kind, at, source }: Row): Entry {
  const postings = postingsOf(db).all({ orgId, first: id * POSTINGS, last: id * POSTINGS + POSTINGS - 1 })
  const lines = new Map<string, Line>()
  const add = (
    side: 'debitAmount' | 'creditAmount',
    of: AccountKind,
    ref: string,
    party: string | null,
    n: number,
    invoice: string | null,
  ): void => {
    const account = accountName(of)
    const key = [side, account, ref, invoice].join()
    const before = lines.get(key)?.[side] ?? 0
    lines.set(key, {
      account,
      ...(party === null ? {} : { party }),
      ...(invoice === null ? {} : { invoiceNumber: invoice }),
      [side]: before + n,
    })
  }
  for (const p of postings) {
    add('debitAmount', p.debit as AccountKind, p.debitOf, p.debitParty, p.amount, p.invoiceNumber)
    add('creditAmount', p.credit as AccountKind, p.creditOf, p.creditParty, p.amount, p.invoiceNumber)
  }
  return {
    number: seq,
    day: dateOf(day),
    kind: entryName(kind as EntryKind),
    enteredAt: new Date(at).toISOString(),
    ...(source === null ? {} : { sourceId: source }),
    lines: [...lines.values()].sort((a, b) => Number('creditAmount' in a) - Number('creditAmount' in b)),
  }
}

const CURSOR = /^(\d{8})\.(\d{1,15})$/
/** A page of the journal of some days, by day; `next` where there is more. @throws validation_failed */
export function entriesOf(
  db: Db,
  orgId: string,
  { from, to }: Days,
  { after, limit = MOST_ENTRIES }: { readonly after?: string | undefined; readonly limit?: number | undefined },
): { readonly entries: Entry[]; readonly next?: string } {
  const books = booksOf(db, orgId)
  if (!books) return { entries: [] }
  const [, day = dayOf(from) - 1, id = 0] = after === undefined ? [] : (CURSOR.exec(after)?.map(Number) ?? [])
  if (after !== undefined && !CURSOR.test(after))
    throw invalid('/after', 'Not a place in this journal.', 'Ce repère n’existe pas dans ce journal.')
  const start = Math.max(day, dayOf(from) - 1)
  const rows = entriesAfter(db).all({ book: books.id, day: start, id: start === day ? id : 0, to: dayOf(to), limit })
  const last = rows.length === limit ? rows.at(-1) : undefined
  return { entries: rows.map((row) => toEntry(db, orgId, row)), ...(last ? { next: `${last.day}.${last.id}` } : {}) }
}

const numbersOf = (db: Db, orgId: string): Numbers | null => booksOf(db, orgId)?.numbers ?? null

/** The chart of accounts, with the organization's own numbers. */
export const accountsOf = (db: Db, orgId: string): Account[] => {
  const numbers = numbersOf(db, orgId)
  return ACCOUNT_NAMES.map((account) => ({
    account,
    number: numberOf(numbers, account),
    nameFr: CHART[account].fr,
    nameEn: CHART[account].en,
  }))
}

const NO_BOOKS = {
  en: 'There are no books yet: they begin with the first invoice or payment.',
  fr: 'Il n’y a pas encore de comptabilité\u00a0: elle commence avec la première facture ou le premier paiement.',
}
const booksOfCaller = (ctx: Ctx) => {
  const books = booksOf(ctx.tx, ctx.caller.orgId)
  if (!books) throw new AppError('invalid_state', NO_BOOKS, { currentStatus: 'EMPTY', allowed: [] })
  return books
}

/** Gives accounts the numbers of the organization's own chart; null: the usual one. @throws invalid_state */
export function numberAccounts(ctx: Ctx, given: Readonly<Partial<Record<AccountName, string | null>>>): Account[] {
  const { id, numbers } = booksOfCaller(ctx)
  const all = Object.entries({ ...numbers, ...given }).filter(([, number]) => number !== null)
  saveNumbers(ctx.tx, id, JSON.stringify(Object.fromEntries(all)))
  record(ctx, 'ledger.number', {
    type: 'ledger',
    after: { id: ctx.caller.orgId },
    details: { accounts: Object.keys(given).join(',') },
  })
  return accountsOf(ctx.tx, ctx.caller.orgId)
}

/** The sums of each account before some days and in them. */
export async function trialBalanceOf(
  db: Db,
  orgId: string,
  { from, to }: Days,
  rest: Rest,
): Promise<TrialBalanceRow[]> {
  const books = booksOf(db, orgId)
  if (!books) return []
  const sums = new Map<AccountName, { opening: number; debit: number; credit: number }>()
  const rows = balances(db).all({ book: books.id, from: dayOf(from), to: dayOf(to) })
  await rest()
  for (const { kind, opening, debit, credit } of rows) {
    const name = accountName(kind as AccountKind)
    const sum = sums.get(name) ?? { opening: 0, debit: 0, credit: 0 }
    sums.set(name, { opening: sum.opening + opening, debit: sum.debit + debit, credit: sum.credit + credit })
  }
  return ACCOUNT_NAMES.flatMap((account): TrialBalanceRow[] => {
    const { opening, debit, credit } = sums.get(account) ?? { opening: 0, debit: 0, credit: 0 }
    if (opening === 0 && debit === 0 && credit === 0) return []
    return [
      {
        account,
        number: numberOf(books.numbers, account),
        openingBalance: opening,
        debitAmount: debit,
        creditAmount: credit,
        closingBalance: opening + debit - credit,
      },
    ]
  }).sort((a, b) => (a.number < b.number ? -1 : 1))
}

const HEADINGS = {
  fr: ['Date', 'Pièce', 'Journal', 'Compte', 'Intitulé', 'Tiers', 'Libellé', 'Débit', 'Crédit'],
  en: ['Date', 'Entry', 'Journal', 'Account', 'Account name', 'Party', 'Description', 'Debit', 'Credit'],
} as const
const KINDS = ['date', 'count', 'text', 'text', 'text', 'text', 'text', 'amount', 'amount'] as const
/** The journals of an accountant: sales, treasury, other. */
const JOURNAL_OF = (kind: Entry['kind']): string =>
  kind === 'ISSUE' || kind === 'CREDIT_NOTE' ? 'VT' : kind === 'TRANSFER' ? 'TR' : 'OD'

/** The journal of some days as a sheet: one line for each side of an entry. */
export function journalSheet(db: Db, orgId: string, days: Days, locale: 'fr' | 'en', rest: Rest): Sheet {
  const numbers = numbersOf(db, orgId)
  async function* rows() {
    for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
      const page = entriesOf(db, orgId, days, { after })
      for (const { number, day, kind, lines } of page.entries)
        for (const { account, party, invoiceNumber, debitAmount, creditAmount } of lines)
          yield [
            day,
            number,
            JOURNAL_OF(kind),
            numberOf(numbers, account),
            CHART[account][locale],
            party,
            [EVENTS[kind][locale], invoiceNumber].filter(Boolean).join(' '),
            debitAmount,
            creditAmount,
          ]
      after = page.next
      await rest()
    }
  }
  const columns = HEADINGS[locale].map((heading, n) => ({ heading, kind: KINDS[n] ?? ('text' as const) }))
  return { name: 'Journal', columns, rows: rows() }
}

const monthOf = (closedOn: number): string => dateOf(closedOn).slice(0, 7)
/** Until when the books are closed; the version is that day. */
export const closingsOf = (db: Db, orgId: string) => ({ version: booksOf(db, orgId)?.closedOn ?? 0 })
export const toClosings = ({ version: closedOn }: ReturnType<typeof closingsOf>): Closings =>
  closedOn === 0 ? {} : { lastMonth: monthOf(closedOn), closedUntil: dateOf(closedOn) }

/** Closes every month up to one that is over: nothing is entered on their days any more. @throws validation_failed, invalid_state */
export function closeMonth(ctx: Ctx, month: string) {
  const { id, closedOn } = booksOfCaller(ctx)
  const last = addDays(addMonths(`${month}-01`, 1), -1)
  if (last >= todayOf(ctx))
    throw invalid('/month', 'Only a month that is over can be closed.', 'Seul un mois terminé peut être clôturé.')
  if (dayOf(last) <= closedOn) return closingsOf(ctx.tx, ctx.caller.orgId)
  saveClosed(ctx.tx, id, dayOf(last))
  record(ctx, 'ledger.close', { type: 'ledger', after: { id: ctx.caller.orgId }, details: { month } })
  return closingsOf(ctx.tx, ctx.caller.orgId)
}

/** Opens the last closed month again; the one before stays closed. @throws not_found, invalid_state */
export function reopenMonth(ctx: Ctx, month: string) {
  const { id, closedOn } = booksOfCaller(ctx)
  if (closedOn === 0 || dayOf(`${month}-01`) > closedOn) throw notFound()
  if (monthOf(closedOn) !== month)
    throw new AppError(
      'invalid_state',
      {
        en: `Only the last closed month, ${monthOf(closedOn)}, can be opened again.`,
        fr: `Seul le dernier mois clôturé, ${monthOf(closedOn)}, peut être rouvert.`,
      },
      { currentStatus: 'CLOSED', allowed: [] },
    )
  saveClosed(ctx.tx, id, dayOf(addDays(`${month}-01`, -1)))
  record(ctx, 'ledger.reopen', { type: 'ledger', after: { id: ctx.caller.orgId }, details: { month } })
  return closingsOf(ctx.tx, ctx.caller.orgId)
}
