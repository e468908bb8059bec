import type { Static } from '@sinclair/typebox'
import type { Db } from '../../../../db/open.ts'
import type { Caller } from '../../../context.ts'
import { maskedName } from '../../people/tenants/store.ts'
import type { SearchHit } from './model.ts'
import { matchOf, numbersOf, spread } from './rules.ts'
import { type Found, searchNames, searchNumbers } from './store.ts'

type Hit = Static<typeof SearchHit>

/**
 * What a landlord may see and what fits, by kind. Managers search by what only they may know too, owners within their
 * own: both by keys of the index, so that nothing of anybody else is met. `year`: of numbers typed without one.
 */
export function search(
  db: Db,
  { orgId, scope }: Pick<Caller, 'orgId' | 'scope'>,
  q: string,
  limit: number,
  year: number,
): Hit[] {
  const [id, columns] = scope.kind === 'all' ? [orgId, 'words staff'] : [scope.userId, 'words']
  const key = id.replaceAll('-', '')
  // Whole words first: A1 before A10. They are found at once, while beginnings are gathered from every word.
  const names = searchNames(db, orgId, limit, (letter, whole) => matchOf(q, `"${letter}${key}"`, columns, whole))
  const numbers = numbersOf(q, year)
  const found = [...names, ...(numbers ? searchNumbers(db, orgId, scope, limit, numbers) : [])]

  /** A tenant whose name an owner may not know is told as in the lease itself. */
  function nameIn(row: Found): string {
    const { leaseStatus: status, bookingId } = row
    return (status && maskedName(db, scope, { ...row, id: bookingId ?? row.id, status })) ?? row.tenantName
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
