import { type TInteger, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Caller } from '../../../context.ts'
import { REPORTS_AT_ONCE } from '../../../core/budgets.ts'
import { localDate } from '../../../core/dates.ts'
import { accepted } from '../../../core/encodings.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { answerOf } from '../../../http/compression.ts'
import { languageOf } from '../../../http/language.ts'
import { createTurns } from '../../../http/limits.ts'
import { type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { takesLong } from '../../../http/timeouts.ts'
import { findOrganization, rowsCounted } from '../../people/organizations/store.ts'
import { atOnce, makeReport, makeShortReport, type PaperTask, paperOf, type ReportTask } from './jobs.ts'
import {
  AccountRow,
  ArrearsRow,
  BALANCE,
  CollectionRow,
  Count,
  counts,
  JournalRow,
  OccupancyRow,
  OfYear,
  OPEN_BY_AGE,
  OwnerBalance,
  Parameters,
  ProfitRow,
  type Query,
  ReportOf,
  RollRow,
  StatementRow,
  signed,
} from './model.ts'
import { isShort, type ReportName } from './rules.ts'
import { periodOf } from './service.ts'

const MEDIA = {
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
const binary = { schema: { type: 'string', format: 'binary' } }
/** The route options of a report; reports differ only in name, row, sums and description. */
const options = (
  name: ReportName,
  row: TObject,
  totals: Readonly<Record<string, TInteger>>,
  words: string[],
  more: Readonly<Record<string, TSchema>> = {},
) => {
  const [summary = '', operationId = '', ...description] = words
  const answer = ReportOf(name, row, totals, more)
  return {
    access: LANDLORDS,
    query: Parameters,
    answers: { 200: answer },
    problems: ['not_found' as const, 'overloaded' as const],
    detail: {
      summary,
      operationId,
      description: description.join(' '),
      'x-files': {
        'text/csv': binary,
        [MEDIA.xlsx]: binary,
        [MEDIA.pdf]: binary,
      },
    } as object,
  }
}
export function reports(deps: Deps, http: Http) {
  const reading = createTurns(REPORTS_AT_ONCE)
  const counted = (orgId: string, kind: string): number => rowsCounted(deps.db, orgId, kind)?.n ?? 0
  /** Reads a report as its caller may see it, and writes it in the requested format; outside the serving thread unless it is short. */
  async function answer(
    name: ReportName,
    caller: Caller,
    request: Request,
    { format = 'json', locale, propertyId, ...query }: Query,
    inTurn: (work: () => Promise<Uint8Array<ArrayBuffer>>) => Promise<Uint8Array<ArrayBuffer>>,
  ): Promise<Response> {
    takesLong(request)
    const org = findOrganization(deps.db, caller.orgId)
    if (!org) throw notFound()
    const today = localDate(deps.clock.now(), org.timeZone)
    const period = periodOf(name, today, query)
    const short = isShort(name, counted(org.id, 'unit') + counted(org.id, 'booking'), period)
    const reportRequest = { orgId: org.id, scope: caller.scope, ...period, propertyId, timeZone: org.timeZone, today }
    const file = {
      'content-type': MEDIA[format],
      'content-disposition': `attachment; filename="${name}-${period.from}-${period.to}.${format}"`,
    }
    if (format === 'pdf') {
      const words = { locale: locale ?? languageOf(request, org.locale), issuedOn: today }
      const task: PaperTask = { name, request: reportRequest, org, words }
      const data = () =>
        short
          ? paperOf(deps.db, task, atOnce)
          : deps.longReads.run({ kind: 'paper', task }, (db, rest) => paperOf(db, task, rest))
      const template = name === 'owner-statement' ? 'ownerStatement' : 'report'
      const bytes = await inTurn(async () => deps.pdf.render(template, await data(), null))
      return new Response(bytes, { headers: file })
    }
    const coding = accepted(request.headers.get('accept-encoding'))
    const language = locale ?? languageOf(request)
    const task: ReportTask = { name, request: reportRequest, format, language, coding, nowMs: deps.clock.now() }
    const result = short
      ? await makeShortReport(deps, deps.db, task, deps.store.resting())
      : await reading(caller.userId, () =>
          deps.longReads.run({ kind: 'report', task }, (db, rest) => makeReport(deps, db, task, rest)),
        )
    return answerOf(result, format === 'json' ? { 'content-type': MEDIA.json } : file)
  }
  return new Elysia({ prefix: '/api/v1/reports', ...section('Reports', 'Rent roll, arrears, collection and more.') })
    .use(http)
    .get(
      '/rent-roll',
      ({ caller, request, query, inTurn }) => answer('rent-roll', caller, request, query, inTurn),
      options(
        'rent-roll',
        RollRow,
        counts('grossAmount', 'creditedAmount', 'waivedAmount', 'amountPaid', 'balanceAmount'),
        [
          'Report the rent roll: each unit, its tenant, what was billed and paid',
          'reportRentRoll',
          'Has one line for each invoice that is not cancelled and whose period begins from `from` to `to`; one NOT_INVOICED line for each lease that ran in that time without an invoice; and one VACANT line for each unit in use with neither. Amounts are those of the invoice as it is now. `creditedAmount` was given back by the end of the lease and is neither paid nor owed; `amountPaid` is what was paid without it; `balanceAmount` is the gross amount less both. CREDITED means that all of it was given back.',
        ],
      ),
    )
    .get(
      '/arrears',
      ({ caller, request, query, inTurn }) => answer('arrears', caller, request, query, inTurn),
      options(
        'arrears',
        ArrearsRow,
        { ...counts('grossAmount', 'creditedAmount', 'amountPaid', 'balanceAmount'), ...OPEN_BY_AGE },
        [
          'Report arrears by age',
          'reportArrears',
          'Has one line for each invoice with an open balance that was due before `to` (today if omitted) and not before `from` (no limit if omitted). `daysLate` counts from the due date to `to`; ages are 0–30, 31–60, 61–90 and more than 90 days. Balances are those of now, even if `to` lies in the past.',
        ],
      ),
    )
    .get(
      '/collection',
      ({ caller, request, query, inTurn }) => answer('collection', caller, request, query, inTurn),
      options(
        'collection',
        CollectionRow,
        {
          ...counts('invoices', 'invoicedAmount', 'paidAmount', 'balanceAmount'),
          collectionRate: Type.Optional(Count) as never,
        },
        [
          'Report the collection rate: the part of what was billed that is paid',
          'reportCollection',
          'Has one line for each property and month, for the invoices that are not cancelled and whose period begins in that month. `invoicedAmount` is gross less what a settlement credited back; `paidAmount` is the part of it paid by now; `collectionRate` is the quotient in basis points.',
        ],
      ),
    )
    .get(
      '/occupancy',
      ({ caller, request, query, inTurn }) => answer('occupancy', caller, request, query, inTurn),
      options(
        'occupancy',
        OccupancyRow,
        { ...counts('units', 'unitDays', 'occupiedDays', 'vacantDays'), occupancyRate: Type.Optional(Count) as never },
        [
          'Report occupancy: the share of days on which each property was let',
          'reportOccupancy',
          '`unitDays` is the number of units times the days from `from` to `to`. `occupiedDays` are the days within an ACTIVE or TERMINATED lease; each day of a unit counts once. Units that are archived now count only if they were let in that time. Future days count as let while a lease covers them.',
        ],
      ),
    )
    .get(
      '/tva-journal',
      ({ caller, request, query, inTurn }) => answer('tva-journal', caller, request, query, inTurn),
      options(
        'tva-journal',
        JournalRow,
        signed(
          'netAmount',
          'tvaAmount',
          'grossAmount',
          'creditedAmount',
          'standingNetAmount',
          'standingTvaAmount',
          'standingGrossAmount',
        ),
        [
          'Report the VAT journal: every invoice and every credit note',
          'reportTvaJournal',
          'Has one line for each invoice dated from `from` to `to` (`issuedOn`, as on its paper), including cancelled ones, so that no number is missing. One negative line follows for each credit note of that time, and one line for each credit note that was withdrawn. A later cancellation or credit appears in its own month, so that a month already declared never changes. Declare the `standing` amounts. They are lower than those of the invoice only if something was taken off it before credit notes existed, and zero for an invoice that was cancelled at that time.',
        ],
      ),
    )
    .get(
      '/owner-statement',
      ({ caller, request, query, inTurn }) => answer('owner-statement', caller, request, query, inTurn),
      options(
        'owner-statement',
        StatementRow,
        {
          ...counts(
            'netAmount',
            'tvaAmount',
            'grossAmount',
            'creditedAmount',
            'receivedAmount',
            'withheldAmount',
            'refundedAmount',
            'balanceAmount',
            'depositReceivedAmount',
            'depositReturnedAmount',
          ),
          setOffAmount: StatementRow.properties.setOffAmount,
          depositDeductedAmount: StatementRow.properties.depositDeductedAmount,
          depositMovedAmount: StatementRow.properties.depositMovedAmount,
          depositHeldAmount: StatementRow.properties.depositHeldAmount,
          creditAddedAmount: StatementRow.properties.creditAddedAmount,
          creditHeldAmount: StatementRow.properties.creditHeldAmount,
          ownerAmount: StatementRow.properties.ownerAmount,
          ...BALANCE,
        },
        [
          'Report the owner statement: what each lease was billed and brought in',
          'reportOwnerStatement',
          "Has one line for each lease with any figure. Net, VAT, gross and credited amounts are those of invoices in force whose period begins from `from` to `to`. `receivedAmount` sums confirmed payments dated in that time, except WITHHOLDING: these are in `withheldAmount`, because the tenant pays them to the State. `refundedAmount` went back to the tenant. `balanceAmount` is what is open now of all invoices whose period began by `to`. For deposits, the line has what was received, kept (with a reason), returned and taken over by a renewal in that time, and what is held at its end. Money that no invoice has taken is the tenant's credit, held for them like the deposit: `creditHeldAmount` at the end of `to`, and `creditAddedAmount` its change in that time. A payment leaves the credit on the later of its own date and that of the invoice that takes it. What the end of a lease gives back is added on the day on which the lease was ended. A payment that is reversed, or recorded for an earlier day, changes the time in which it is dated, as if it had never, or always, been there. `ownerAmount` is what the owner gets: received less refunded, set off and kept of deposits, less `creditAddedAmount`. `accounts` has the sums of the owner account for each property with any entry; in a sheet they are lines below its leases.",
        ],
        { accounts: Type.Array(OwnerBalance, { description: 'One for each property with any entry.' }) },
      ),
    )
    .get(
      '/owner-account',
      ({ caller, request, query, inTurn }) => answer('owner-account', caller, request, query, inTurn),
      options('owner-account', AccountRow, { dueAmount: AccountRow.properties.dueAmount }, [
        'Report the owner account: earned, fee, expenses, transfers, balance',
        'reportOwnerAccount',
        'Has lines for each property; their sum is what the owner is to get at the end of `to`. The fee is that of the property (`managementFees`). It is either the percentage in force on the day of each payment (without WITHHOLDING and payments out of deposits), rounded half up and given back with a refund; or an amount on the first day of each month, up to today. The balance before `from` is carried forward, starting with the first fee; a property without a fee starts at zero in each report.',
      ]),
    )
    .get(
      '/profit-loss',
      ({ caller, request, query, inTurn }) => answer('profit-loss', caller, request, query, inTurn),
      {
        ...options(
          'profit-loss',
          ProfitRow,
          { ...counts('waivedAmount'), resultAmount: ProfitRow.properties.resultAmount },
          [
            'Report profit and loss: what each property brought in and cost',
            'reportProfitLoss',
            'Has lines for each property, by the dates of money and with VAT: what tenants paid and what was given back to them; what was kept of deposits; less the change of tenants’ credit; the management fee up to today; and expenses by kind, whoever paid them. Transfers to the owner are not a cost. The sum of the lines is the profit, or if negative the loss.',
          ],
        ),
        query: OfYear,
      },
    )
}
