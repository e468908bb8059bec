import { Elysia } from 'elysia'
import type { Caller } from '../../../context.ts'
import { localDate } from '../../../core/dates.ts'
import { accepted } from '../../../core/encodings.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { answerOf, type Gathered } from '../../../http/compression.ts'
import { digestOf } from '../../../http/etag.ts'
import { languageOf } from '../../../http/language.ts'
import { type Http, MANAGERS, section } from '../../../http/routes.ts'
import { takesLong } from '../../../http/timeouts.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { type BalanceTask, type JournalTask, readBooks } from './jobs.ts'
import {
  AccountNumbers,
  Accounts,
  Closing,
  Closings,
  DaysQuery,
  Entries,
  EntriesQuery,
  ExportQuery,
  MonthPath,
  TrialBalance,
  type TrialBalanceRow,
} from './model.ts'
import { ACCOUNT_NAMES } from './rules.ts'
import {
  accountsOf,
  closeMonth,
  closingsOf,
  type Days,
  daysOf,
  entriesOf,
  numberAccounts,
  reopenMonth,
  toClosings,
} from './service.ts'

const MEDIA = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
const binary = { schema: { type: 'string', format: 'binary' } }
/** The books are those of the whole organization. */
const access = { roles: MANAGERS, whole: true } as const

/** The books of an organization as an accountant reads them. */
export function accounting(deps: Deps, http: Http) {
  const daysFor = (caller: Caller, query: Partial<Days>): Days => {
    const org = findOrganization(deps.db, caller.orgId)
    if (!org) throw notFound()
    return daysOf(query, localDate(deps.clock.now(), org.timeZone))
  }
  const read = (request: Request, task: BalanceTask | JournalTask) => {
    takesLong(request)
    return deps.longReads.run({ kind: 'books', task }, (db, rest) => readBooks(deps, db, task, rest))
  }
  return new Elysia({
    prefix: '/api/v1/ledger',
    ...section(
      'Accounting',
      'The journal of all money, its trial balance, and closed months; for managers of the whole organization.',
    ),
  })
    .use(http)
    .get(
      '/entries',
      ({ caller, one, query: { after, limit, ...days } }) => {
        const page = { after, ...(limit === undefined ? {} : { limit: Number(limit) }) }
        const found = entriesOf(deps.db, caller.orgId, daysFor(caller, days as Partial<Days>), page)
        return one({ version: digestOf(found), found }, (row) => row.found)
      },
      {
        access,
        query: EntriesQuery,
        answers: { 200: Entries },
        detail: {
          summary: 'Read the journal',
          operationId: 'listLedgerEntries',
          description:
            'Every event of money in double entry: each entry balances, has a number without a gap, and never changes. What is reversed is turned by an entry of its own. What is dated in a closed month counts on the first day that is open.',
          'x-versioned': true,
        } as object,
      },
    )
    .get(
      '/trial-balance',
      async ({ caller, request, query, inTurn, one }) => {
        const days = daysFor(caller, query as Partial<Days>)
        const task = { format: 'balance', orgId: caller.orgId, days } as const
        const found = { ...days, rows: (await inTurn(() => read(request, task))) as TrialBalanceRow[] }
        return one({ version: digestOf(found), found }, (row) => row.found)
      },
      {
        access,
        query: DaysQuery,
        answers: { 200: TrialBalance },
        problems: ['overloaded'],
        detail: {
          summary: 'Read the trial balance',
          operationId: 'getTrialBalance',
          description: 'The sums of each account of the organization before `from` and from `from` to `to`.',
          'x-versioned': true,
        } as object,
      },
    )
    .get(
      '/export',
      async ({ caller, request, query: { format = 'csv', locale, ...query }, inTurn }) => {
        const days = daysFor(caller, query as Partial<Days>)
        const language = locale ?? languageOf(request, findOrganization(deps.db, caller.orgId)?.locale)
        const coding = accepted(request.headers.get('accept-encoding'))
        const task = { format, orgId: caller.orgId, days, language, coding, nowMs: deps.clock.now() }
        const result = (await inTurn(() => read(request, task))) as Gathered
        return answerOf(result, {
          'content-type': MEDIA[format],
          'content-disposition': `attachment; filename="journal-${days.from}-${days.to}.${format}"`,
        })
      },
      {
        access,
        query: ExportQuery,
        problems: ['overloaded'],
        detail: {
          summary: 'Download the journal',
          operationId: 'exportLedger',
          description:
            'The journal of some days as a file that OHADA accounting programs import: date, number of the entry, journal (VT sales, TR treasury, OD other), account by its number, name, party, description, debit, credit. Amounts in XAF.',
          responses: { 200: { description: 'The file.', content: { 'text/csv': binary, [MEDIA.xlsx]: binary } } },
        } as object,
      },
    )
    .get(
      '/accounts',
      ({ caller, one }) => {
        const found = accountsOf(deps.db, caller.orgId)
        return one({ version: digestOf(found), found }, (row) => row.found)
      },
      {
        access,
        answers: { 200: Accounts },
        detail: {
          summary: 'List the accounts with their numbers',
          operationId: 'listLedgerAccounts',
          description: `All kinds of accounts, at most ${ACCOUNT_NAMES.length}, with their numbers in the chart.`,
          'x-versioned': true,
        } as object,
      },
    )
    .patch('/accounts', ({ body, perform }) => perform({ body, run: (ctx) => numberAccounts(ctx, body) }), {
      access,
      body: AccountNumbers,
      problems: ['invalid_state'],
      answers: { 200: Accounts },
      detail: {
        summary: 'Change the numbers of accounts',
        operationId: 'updateLedgerAccounts',
        description:
          'Numbers by the names of accounts; null is the usual number again, and those left out stay. The export and the trial balance use them from now on, also for entries that are there.',
      },
    })
    .get('/closings', ({ caller, one }) => one(closingsOf(deps.db, caller.orgId), toClosings), {
      access,
      answers: { 200: Closings },
      detail: {
        summary: 'Read until when the books are closed',
        operationId: 'getLedgerClosings',
        'x-versioned': true,
      } as object,
    })
    .post(
      '/closings',
      ({ body, perform }) => perform({ body, run: (ctx) => toClosings(closeMonth(ctx, body.month)) }),
      {
        access,
        body: Closing,
        problems: ['invalid_state'],
        answers: { 200: Closings },
        detail: {
          summary: 'Close a month',
          operationId: 'closeLedgerMonth',
          description:
            'Closes a month that is over, and those before it: the database enters nothing on their days any more. What is dated there later counts on the first open day. Closing it again changes nothing.',
        },
      },
    )
    .delete(
      '/closings/:month',
      ({ params: { month }, perform }) =>
        perform({
          run: (ctx) => toClosings(reopenMonth(ctx, month)),
          current: ({ tx, caller }) => closingsOf(tx, caller.orgId),
        }),
      {
        access: { roles: ['ADMIN'], whole: true },
        params: MonthPath,
        problems: ['invalid_state', 'not_found'],
        answers: { 200: Closings },
        detail: {
          summary: 'Open the last closed month again',
          operationId: 'reopenLedgerMonth',
          description: 'Only the last closed month, and only an administrator.',
        },
      },
    )
}
