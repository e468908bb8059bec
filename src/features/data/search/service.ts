import type { Static } from '@sinclair/typebox'
import type { Db } from '../../../../db/open.ts'
import type { Caller } from '../../../context.ts'
import { localDate, yearOf } from '../../../core/dates.ts'
import { holds, type Scope } from '../../../core/reach.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { getTenant, maskedName } from '../../people/tenants/store.ts'
import type { SearchHit } from './model.ts'
import { matchOf, numbersOf, spread } from './rules.ts'
import { type Found, searchNames, searchNumbers } from './store.ts'

type Hit = Static<typeof SearchHit>

/** Whether the manager of some properties may find a row, and by the words that they know. */
function isWithin(db: Db, orgId: string, scope: Scope, kind: Hit['kind'], row: Found): boolean {
  if (kind === 'TENANT') return getTenant(db, orgId, scope, row.id) !== undefined
  const propertyId = kind === 'PROPERTY' ? row.id : row.leaseStatus ? row.leasePropertyId : row.propertyId
  return holds(scope, { ownerUserId: '', propertyId: propertyId ?? '' })
}

/**
 * What a landlord may see and what fits, by kind. Managers search by what only they may know too, owners within their
 * own: both by keys of the index, so that nothing of anybody else is met. A number typed without a year is one of the
 * year that it is for the organization.
 */
export function search(
  db: Db,
  { orgId, scope }: Pick<Caller, 'orgId' | 'scope'>,
  q: string,
  limit: number,
  nowMs: number,
): Hit[] {
  const id = scope.kind === 'owner' ? scope.userId : orgId
  const columns = scope.kind === 'all' ? 'words staff' : 'words'
  const key = id.replaceAll('-', '')
  // Whole words first: A1 before A10. They are found at once, while beginnings are gathered from every word.
  const names = searchNames(db, orgId, scope, limit, (letter, whole) => matchOf(q, `"${letter}${key}"`, columns, whole))
  const zone = findOrganization(db, orgId)?.timeZone ?? 'UTC'
  const numbers = numbersOf(q, yearOf(localDate(nowMs, zone)))
  const all = [...names, ...(numbers ? searchNumbers(db, orgId, scope, limit, numbers) : [])]
  const found =
    scope.kind === 'limited'
      ? all.map(({ kind, rows }) => ({ kind, rows: rows.filter((row) => isWithin(db, orgId, scope, kind, row)) }))
      : all

  /** A tenant whose name an owner may not know is told as in the lease itself. */
  function nameIn(row: Found): string {
    const { leaseStatus: status, bookingId } = row
    return (
      (status && maskedName(db, scope, { ...row, propertyId: row.leasePropertyId, id: bookingId ?? row.id, status })) ??
      row.tenantName
    )
  }
  const view = (kind: Hit['kind'], row: Found): Hit => {
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
    found.map(({ kind, rows }) => rows.map((row) => ({ kind, row }))),
    limit,
  ).map(({ kind, row }) => view(kind, row))
}
