import type { Db, Tx } from '../../../../db/open.ts'
import { perDb, statements } from '../../../../db/query.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { Scope } from '../../../core/reach.ts'
import type { SearchKind } from './rules.ts'

type Lease = Pick<
  BookingRow,
  'orgId' | 'tenantId' | 'ownerUserId' | 'requestedBy' | 'tenantName' | 'unitLabel' | 'propertyName'
>
/** What was found. Of a lease or what belongs to one, `leaseStatus` and the members of the lease say whose it is. */
export type Found = {
  readonly id: string
  readonly title: string
  readonly subtitle: string | null
  readonly status: string | null
  readonly propertyId: string | null
  readonly bookingId: string | null
  readonly leaseStatus: BookingRow['status'] | null
  /** The property of the lease. */
  readonly leasePropertyId: string
} & Lease

const unique = (rows: readonly Found[]): Found[] => [...new Map(rows.map((row) => [row.id, row])).values()]

type Values = Readonly<Record<string, string | number>>
/** A statement with named parameters. */
function asking(name: string, sql: string): (db: Db, values: Values) => Found[] {
  const text = sql.replace(/:\w+/g, '?')
  const names = (sql.match(/:\w+/g) ?? []).map((word) => word.slice(1))
  statements.push({ name, sql: () => text })
  const native = perDb((db) => db.$client.prepare(text))
  return (db, values) => native(db).all(...names.map((n) => values[n])) as Found[]
}

const LEASE =
  'b.status leaseStatus, b.org_id orgId, b.tenant_id tenantId, b.owner_user_id ownerUserId, b.property_id leasePropertyId, b.requested_by requestedBy, b.tenant_name tenantName, b.unit_label unitLabel, b.property_name propertyName'
/** `letter`: what stands before the ids in the index's keys, see triggers.sql. */
const named = (kind: SearchKind, letter: string, columns: string, from: string) => ({
  kind,
  letter,
  ask: asking(
    `search.${kind}`,
    `select ${columns} from search join ${from} = search.ref and x.org_id = :orgId where search match :match order by search.rowid desc limit :limit`,
  ),
})
const NAMED = [
  named('TENANT', 't', 'x.id, x.full_name title, x.phone_number subtitle', 'tenant x on x.id'),
  named(
    'PROPERTY',
    'p',
    "x.id, x.name title, x.address_line || ', ' || x.city subtitle, x.status",
    'property x on x.id',
  ),
  named(
    'UNIT',
    'u',
    'x.id, x.label title, (select name from property where id = x.property_id) subtitle, x.status, x.property_id propertyId',
    'unit x on x.id',
  ),
  named(
    'REPAIR',
    'r',
    "x.id, x.title, (select u.label || ', ' || p.name from unit u join property p on p.id = u.property_id where u.id = x.unit_id) subtitle, x.status, x.property_id propertyId",
    'repair x on x.id',
  ),
  named('BOOKING', 'l', `x.id, x.status, ${LEASE.replaceAll('b.', 'x.')}`, 'booking x on x.id'),
] as const
/** Rows with names, by the full-text index: matches of whole words, then of beginnings, newest first. */
export const searchNames = (
  db: Db,
  orgId: string,
  { kind: reach }: Scope,
  most: number,
  matchOf: (letter: string, whole: boolean) => string | undefined,
): { readonly kind: SearchKind; readonly rows: Found[] }[] =>
  NAMED.map(({ kind, letter, ask }) => {
    const limit = reach === 'limited' ? GONE_THROUGH : most
    const found = (whole: boolean): Found[] => {
      const match = matchOf(letter, whole)
      return match === undefined ? [] : ask(db, { orgId, match, limit })
    }
    const rows = found(true)
    return { kind, rows: rows.length < limit ? unique([...rows, ...found(false)]) : rows }
  })

/** How many rows are read to find those of a limited manager, which lie among all others of the organization. */
const GONE_THROUGH = 500
/** How many of an owner's newest rows are read for the beginning of a number: no index holds their rows by number. */
const NEWEST = 1_000
function numbered(kind: SearchKind, table: string, number: string, order: string) {
  const columns = `x.id, x.${number} title, x.status, x.booking_id bookingId, ${LEASE}`
  const lease = 'join booking b on b.org_id = x.org_id and b.id = x.booking_id'
  const exact = `x.org_id = :orgId and x.${number} in (select value from json_each(:exact))`
  const begins = `x.${number} >= :start and x.${number} < :end`
  const ask = (name: string, rest: string) =>
    asking(`search.${kind}.${name}`, `select ${columns} from ${rest} limit :limit`)
  return {
    kind,
    exact: ask('exact', `${table} x ${lease} where ${exact}`),
    exactOfOwner: ask('exactOfOwner', `${table} x ${lease} where ${exact} and +x.owner_user_id = :userId`),
    begins: ask('begins', `${table} x ${lease} where x.org_id = :orgId and ${begins}`),
    beginsOfOwner: ask(
      'beginsOfOwner',
      `(select * from ${table} where org_id = :orgId and owner_user_id = :userId order by ${order} desc limit ${NEWEST}) x ${lease} where ${begins}`,
    ),
  }
}
const NUMBERED = [
  numbered('INVOICE', 'invoice', 'number', 'rowid'),
  numbered('PAYMENT', 'payment', 'reference', 'id'),
  numbered('DOCUMENT', 'document', 'number', 'id'),
] as const
/** Rows with a number: one of `exact`, or one that begins with one of `starts`; for an owner the latter among the newest. */
export const searchNumbers = (
  db: Db,
  orgId: string,
  { kind: reach, userId }: Scope,
  most: number,
  { exact, starts }: { readonly exact: readonly string[]; readonly starts: readonly string[] },
): { readonly kind: SearchKind; readonly rows: Found[] }[] =>
  NUMBERED.map((of) => {
    const own = reach === 'owner'
    const limit = reach === 'limited' ? GONE_THROUGH : most
    const [whole, begins] = own ? [of.exactOfOwner, of.beginsOfOwner] : [of.exact, of.begins]
    const found = whole(db, { orgId, userId, limit, exact: JSON.stringify(exact) })
    const more = starts.flatMap((start) => begins(db, { orgId, userId, limit, start, end: `${start}\uffff` }))
    return { kind: of.kind, rows: unique([...found, ...more]) }
  })

/** Pages of the search index that one step goes through: a few milliseconds. */
const PAGES = 64

/**
 * One step of writing the search index anew; `first` begins. A word that is gone stays in the pages of the index until
 * then. @returns whether there is more to do
 */
export function tidySearch({ $client }: Tx, first: boolean): boolean {
  const count = $client.prepare('select total_changes()').pluck()
  const before = Number(count.get())
  $client.prepare(`insert into search(search, rank) values('merge', ${first ? -PAGES : PAGES})`).run()
  // By the documentation of FTS5: a step that changes nothing but this row had nothing to do.
  return Number(count.get()) - before >= 2
}
