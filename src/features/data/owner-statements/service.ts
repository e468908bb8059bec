import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { OwnerStatementData } from '../../../adapters/pdf/port.ts'
import { addDays, minDate } from '../../../core/dates.ts'
import { invalid } from '../../../errors.ts'
import { given, landlordOf } from '../../papers/documents/service.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import { getProperty } from '../../property/properties/store.ts'
import type { StatementRow } from '../reports/model.ts'
import { piecesOf } from '../reports/rules.ts'
import { tenantCredit } from '../tenant-credit/service.ts'
import { billedByLease, depositsByLease, leaseNames, moneyOf, openOf } from './store.ts'

/** `A2` comes before `A10`. */
const { compare } = new Intl.Collator('fr', { numeric: true })
const EMPTY = {
  netAmount: 0,
  tvaAmount: 0,
  grossAmount: 0,
  creditedAmount: 0,
  receivedAmount: 0,
  withheldAmount: 0,
  refundedAmount: 0,
  balanceAmount: 0,
  depositReceivedAmount: 0,
  depositDeductedAmount: 0,
  depositReturnedAmount: 0,
  depositHeldAmount: 0,
  creditAddedAmount: 0,
  creditHeldAmount: 0,
  ownerAmount: 0,
}

type Range = {
  readonly orgId: string
  readonly from: string
  readonly to: string
  readonly today: string
  readonly timeZone: string
}
type Property = { readonly id: string; readonly name: string }
/** Days whose payments are read in one piece. */
const DAYS = 92
/** What a paper can hold: more would keep other papers waiting, and nobody reads it. */
const MOST_LINES = 1000

/** What each lease of a property was billed and brought in from `from` to `to`, by unit; leases without any figure are left out. */
export async function statementOf(
  db: Db,
  asked: Range,
  { id: propertyId, name }: Property,
  rest: Rest,
): Promise<StatementRow[]> {
  const { orgId, from, to } = asked
  const range = { orgId, propertyId, from, to }
  const rows = new Map<string, StatementRow>()
  const leases = leaseNames(db, { orgId, propertyId })
  const names = new Map(leases.map((l) => [l.id, l]))
  const of = (bookingId: string): StatementRow => {
    let row = rows.get(bookingId)
    if (!row) {
      const { unitLabel = '', tenantName = '' } = names.get(bookingId) ?? {}
      row = { propertyId, propertyName: name, bookingId, unitLabel, tenantName, ...EMPTY }
      rows.set(bookingId, row)
    }
    return row
  }
  for (const piece of piecesOf(leases)) {
    for (const billed of billedByLease(db).all({ ...range, ...piece })) Object.assign(of(billed.bookingId), billed)
    await rest()
  }
  for (let first = from; first <= to; first = addDays(first, DAYS)) {
    const last = minDate(to, addDays(first, DAYS - 1))
    for (const { bookingId, type, method, amount } of moneyOf(db, { ...range, from: first, to: last })) {
      const row = of(bookingId)
      if (type === 'REFUND') row.refundedAmount += amount
      else if (method === 'WITHHOLDING') row.withheldAmount += amount
      else row.receivedAmount += amount
    }
    await rest()
  }
  for (const { bookingId, grossAmount, amountPaid } of openOf(db, { orgId, propertyId, to }))
    of(bookingId).balanceAmount += grossAmount - amountPaid
  await rest()
  for (const deposits of depositsByLease(db).all(range)) {
    const { bookingId, ...amounts } = deposits
    if (Object.values(amounts).some((amount) => amount !== 0)) Object.assign(of(bookingId), amounts)
  }
  const { added, held } = await tenantCredit(db, { ...asked, propertyId }, rest)
  for (const [bookingId, amount] of added) if (amount !== 0) of(bookingId).creditAddedAmount = amount
  for (const [bookingId, amount] of held) if (amount !== 0) of(bookingId).creditHeldAmount = amount
  for (const row of rows.values())
    row.ownerAmount = row.receivedAmount - row.refundedAmount + row.depositDeductedAmount - row.creditAddedAmount
  return [...rows.values()].sort((a, b) => compare(a.unitLabel, b.unitLabel) || (a.bookingId < b.bookingId ? -1 : 1))
}

const ALL = { kind: 'all', userId: '' } as const
const summed = (lines: readonly (typeof EMPTY)[]): typeof EMPTY => {
  const totals = { ...EMPTY }
  for (const line of lines) for (const key of Object.keys(EMPTY) as (keyof typeof EMPTY)[]) totals[key] += line[key]
  return totals
}

export type PaperWords = { readonly locale: 'fr' | 'en'; readonly issuedOn: string }
/** The statement as it is drawn; properties without any figure only where there is no other. @throws validation_failed */
export async function paperOf(
  db: Db,
  range: Range,
  among: readonly Property[],
  org: OrganizationRow,
  { locale, issuedOn }: PaperWords,
  rest: Rest,
): Promise<OwnerStatementData> {
  let lines = 0
  const properties: OwnerStatementData['properties'][number][] = []
  for (const named of among) {
    const rows = await statementOf(db, range, named, rest)
    lines += rows.length
    if (lines > MOST_LINES)
      throw invalid(
        '/propertyId',
        `A PDF holds ${MOST_LINES} leases at most: name one property, or take format=xlsx.`,
        `Un PDF contient au plus ${MOST_LINES} baux : indiquez un bien, ou prenez format=xlsx.`,
      )
    const property = rows.length > 0 || among.length === 1 ? getProperty(db, range.orgId, ALL, named.id) : undefined
    if (!property) continue
    const { addressLine, quartier, city } = property
    const { landlord } = landlordOf(db, org, property.ownerUserId)
    const place = [addressLine, quartier, city].filter((s) => s !== null).join(', ')
    properties.push({ name: property.name, place, owner: landlord, rows, totals: summed(rows) })
  }
  const { from, to } = range
  return {
    locale,
    issuedOn,
    number: `${from} – ${to}`,
    landlord: { name: org.name ?? properties[0]?.owner.name ?? '–', address: given(org.address), niu: given(org.niu) },
    from,
    to,
    properties,
    totals: summed(properties.map((p) => p.totals)),
  }
}
