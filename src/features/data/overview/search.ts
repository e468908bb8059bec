import type { Static } from '@sinclair/typebox'
import type { Db } from '../../../../db/open.ts'
import type { Caller } from '../../../context.ts'
import { localDate, yearOf } from '../../../core/dates.ts'
import { holds, type Scope } from '../../../core/scope.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { getTenant, maskedName } from '../../people/tenants/store.ts'
import type { SearchHit } from './model.ts'
import { matchOf, numbersOf, spread } from './rules.ts'
import { type HitRow, searchNames, searchNumbers } from './store.ts'

type Hit = Static<typeof SearchHit>

/** Whether a manager of some properties may see a row, and may know the words that found it. */
function isWithin(db: Db, orgId: string, scope: Scope, kind: Hit['kind'], row: HitRow): boolean {
  if (kind === 'TENANT') return getTenant(db, orgId, scope, row.id) !== undefined
  const propertyId = kind === 'PROPERTY' ? row.id : row.leaseStatus ? row.leasePropertyId : row.propertyId
  return holds(scope, { ownerUserId: '', propertyId: propertyId ?? '' })
}

/**
 * The matching rows that a landlord may see, by kind. Managers also search words that only they may know, owners search
 * their own rows by a key of the index: rows of others are never read. A number typed without a year is
 * of the year that it is for the organization.
 */
export function search(
  db: Db,
  { orgId, scope }: Pick<Caller, 'orgId' | 'scope'>,
  q: string,
  limit: number,
  nowMs: number,
): Hit[] {
  // Whole words first: A1 before A10. They are found at once, while beginnings are gathered from every word.
  const names = searchNames(db, orgId, scope, limit, (table, whole) => matchOf(q, { table, orgId, scope, whole }))
  const zone = findOrganization(db, orgId)?.timeZone ?? 'UTC'
  const numbers = numbersOf(q, yearOf(localDate(nowMs, zone)))
  const all = [...names, ...(numbers ? searchNumbers(db, orgId, scope, limit, numbers) : [])]
  const visible =
    scope.kind === 'limited'
      ? all.map(({ kind, rows }) => ({ kind, rows: rows.filter((row) => isWithin(db, orgId, scope, kind, row)) }))
      : all

  /** The name of a tenant, masked as in the lease itself where an owner may not know it. */
  function nameIn(row: HitRow): string {
    const { leaseStatus: status, bookingId } = row
    return (
      (status && maskedName(db, scope, { ...row, propertyId: row.leasePropertyId, id: bookingId ?? row.id, status })) ??
      row.tenantName
    )
  }
  const view = (kind: Hit['kind'], row: HitRow): Hit => {
    const lease = row.leaseStatus !== undefined
    const title = row.title ?? nameIn(row)
    const place = `${row.unitLabel}, ${row.propertyName}`
    const subtitle = lease ? (row.bookingId ? `${nameIn(row)}, ${place}` : place) : row.subtitle
    return {
      kind,
      id: row.id,
      title,
      ...(subtitle ? { subtitle } : {}),
      ...(row.status ? { status: row.status } : {}),
      ...(row.propertyId ? { propertyId: row.propertyId } : {}),
      ...(row.bookingId ? { bookingId: row.bookingId } : {}),
    }
  }
  return spread(
    visible.map(({ kind, rows }) => rows.map((row) => ({ kind, row }))),
    limit,
  ).map(({ kind, row }) => view(kind, row))
}
