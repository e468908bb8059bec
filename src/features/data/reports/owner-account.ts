import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { OwnerStatementData } from '../../../adapters/pdf/port.ts'
import { addDays, minDate } from '../../../core/dates.ts'
import { type Fee, feeOn, monthlyFees, NOTHING, plus } from '../../../core/management-fees.ts'
import { invalid } from '../../../errors.ts'
import { landlordOf, unlessNull } from '../../papers/documents/parties.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import { managementFeesOf } from '../../property/properties/service.ts'
import { getProperty } from '../../property/properties/store.ts'
import { byProperty, type Property, propertiesIn, type Report, type ReportRequest } from './figures.ts'
import type { AccountRow } from './model.ts'
import { EMPTY, ownerAmountIn, ownerAmountOf, statementOf } from './owner-statement.ts'
import { balanceOf, sumsOf } from './rules.ts'
import { handedBetween, moneyOf, paymentPieces, spentBetween } from './store.ts'

/** The fee on what was received from `from` to `to`, payment by payment, and by the month, with its TVA. */
export async function feeOf(
  db: Db,
  request: ReportRequest & { readonly propertyId: string },
  fees: readonly Fee[],
  rest: Rest,
) {
  const { orgId, propertyId, from, to, today } = request
  let sum = NOTHING
  if (fees.some(({ basisPoints }) => basisPoints))
    for (const piece of paymentPieces(db, { orgId, propertyId, from, to })) {
      for (const payment of moneyOf(db, piece)) sum = plus(sum, feeOn(fees, payment))
      await rest()
    }
  return plus(sum, monthlyFees(fees, from, minDate(to, today)))
}

/**
 * The account of a property's manager with its owner from `from` to `to`: the balance carried over since the first fee,
 * the owner's part of the income (`owner`), and every other movement, as lines whose sum is still due to the owner.
 */
async function accountOf(
  db: Db,
  request: ReportRequest,
  { id: propertyId, name }: Named,
  owner: number,
  rest: Rest,
): Promise<AccountRow[]> {
  const { orgId, from, to } = request
  const fees = managementFeesOf(db, orgId, propertyId)
  const rows: AccountRow[] = []
  const add = (
    happenedOn: string,
    line: AccountRow['line'],
    dueAmount: number,
    more: Partial<AccountRow> = {},
  ): void => {
    if (dueAmount !== 0) rows.push({ propertyId, propertyName: name, happenedOn, line, ...more, dueAmount })
  }
  const moves = async (first: string, last: string) => {
    const range = { ...request, propertyId, from: first, to: last }
    const fee = await feeOf(db, range, fees, rest)
    const key = { orgId, propertyId, from: first, to: last }
    const spent = spentBetween(db, key)
    await rest()
    const handed = handedBetween(db, key)
    await rest()
    return { fee, spent, handed }
  }
  const begun = fees[0]?.from
  if (begun !== undefined && begun < from) {
    const last = addDays(from, -1)
    const { fee, spent, handed } = await moves(begun, last)
    const before = await ownerAmountOf(db, { ...request, from: begun, to: last }, { id: propertyId, name }, rest)
    const less = [...spent, ...handed].reduce((sum, { amount }) => sum + amount, 0)
    add(from, 'CARRIED', before - fee.net - fee.tva - less)
  }
  const { fee, spent, handed } = await moves(from, to)
  add(to, 'EARNED', owner)
  add(to, 'MANAGEMENT_FEE', -fee.net)
  add(to, 'MANAGEMENT_FEE_TVA', -fee.tva)
  const byDay = (a: { readonly on: string }, b: { readonly on: string }): number => (a.on < b.on ? -1 : 1)
  for (const { on, kind, supplier, note, amount } of spent.sort(byDay))
    add(on, 'EXPENSE', -amount, { kind, label: supplier ?? note ?? '' })
  for (const { on, method, reference, note, amount } of handed.sort(byDay))
    add(on, 'TRANSFER', -amount, { kind: method, label: reference ?? note ?? '' })
  return rows
}

export const ownerAccount: Report = byProperty('owner-account', async (db, request, property, rest) =>
  accountOf(db, request, property, await ownerAmountOf(db, request, property, rest), rest),
)

type Named = Pick<Property, 'id' | 'name'>
async function statementAndAccount(db: Db, request: ReportRequest, property: Named, rest: Rest) {
  const rows = await statementOf(db, request, property, rest)
  const lines = await accountOf(db, request, property, ownerAmountIn(rows), rest)
  return { rows, lines, balance: balanceOf(lines) }
}

/** The amounts billed to and received from each lease, and the account of each property with its owner. */
export const ownerStatement: Report = async function* (db, request, rest) {
  for (const property of propertiesIn(db, request)) {
    const { rows, lines, balance } = await statementAndAccount(db, request, property, rest)
    const { id: propertyId, name: propertyName } = property
    await rest()
    const sums = { ...sumsOf('owner-statement', rows), ...balance }
    const account =
      lines.length > 0 ? { propertyId, propertyName, ownerAmount: ownerAmountIn(rows), ...balance } : undefined
    yield { json: JSON.stringify(rows).slice(1, -1), sums, account }
    await rest()
  }
}

const ALL = { kind: 'all', userId: '' } as const
const summed = <K extends string>(keys: readonly K[], lines: readonly { readonly [N in K]: number }[]) => {
  const totals = Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>
  for (const line of lines) for (const key of keys) totals[key] += line[key]
  return totals
}
const LEASE_SUMS = Object.keys(EMPTY) as (keyof typeof EMPTY)[]
const BALANCE_SUMS = Object.keys(balanceOf([])) as (keyof ReturnType<typeof balanceOf>)[]

export type PaperWords = { readonly locale: 'fr' | 'en'; readonly issuedOn: string }
/** The most lines of a paper: nobody reads more, and drawing them would delay other papers. */
const MOST_LINES = 1000
/**
 * The data for the statement's PDF; properties without figures appear only if there is no other. @throws not_found,
 * validation_failed
 */
export async function statementPaper(
  db: Db,
  range: ReportRequest,
  org: OrganizationRow,
  { locale, issuedOn, said }: PaperWords & { readonly said: (word: string) => string | undefined },
  rest: Rest,
): Promise<OwnerStatementData> {
  const among = propertiesIn(db, range)
  let count = 0
  const properties: OwnerStatementData['properties'][number][] = []
  for (const named of among) {
    const { rows, lines, balance } = await statementAndAccount(db, range, named, rest)
    count += rows.length + lines.length
    if (count > MOST_LINES)
      throw invalid(
        '/propertyId',
        `A PDF can have at most ${MOST_LINES} leases. Choose one property, or use format=xlsx.`,
        `Un PDF contient au plus ${MOST_LINES} baux : indiquez un bien, ou prenez format=xlsx.`,
      )
    const has = rows.length > 0 || lines.length > 0
    const property = has || among.length === 1 ? getProperty(db, range.orgId, ALL, named.id) : undefined
    if (!property) continue
    const { addressLine, quartier, city } = property
    const { landlord } = landlordOf(db, org, property.ownerUserId)
    const place = [addressLine, quartier, city].filter((s) => s !== null).join(', ')
    const account = lines.map(({ happenedOn, line, kind, label, dueAmount }) => ({
      happenedOn,
      label: [said(line), kind && said(kind), label].filter(Boolean).join(', '),
      dueAmount,
    }))
    const totals = { ...summed(LEASE_SUMS, rows), ...balance }
    properties.push({ name: property.name, place, owner: landlord, rows, account, totals })
  }
  const { from, to } = range
  return {
    locale,
    issuedOn,
    number: `${from} – ${to}`,
    landlord: {
      name: org.name ?? properties[0]?.owner.name ?? '–',
      address: unlessNull(org.address),
      niu: unlessNull(org.niu),
    },
    from,
    to,
    properties,
    totals: summed(
      [...LEASE_SUMS, ...BALANCE_SUMS],
      properties.map((p) => p.totals),
    ),
  }
}
