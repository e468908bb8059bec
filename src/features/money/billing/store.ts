import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { organization } from '../../../../db/schema/organizations.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'
import { SLICE } from '../../../../db/write/purge.ts'

/** Leases that billing must check by a day, of organizations in a time zone; those that wait longest come first. */
export const dueBookings = query('booking.due', ['timeZone', 'today', 'limit'], (db, p) =>
  db
    .select({ id: booking.id, orgId: booking.orgId })
    .from(booking)
    .innerJoin(organization, eq(organization.id, booking.orgId))
    .where(
      and(lte(booking.nextRunOn, p.today), eq(sql`+${organization.timeZone}`, p.timeZone), livesHere(booking.orgId)),
    )
    .orderBy(asc(booking.nextRunOn))
    .limit(p.limit),
)
const running = query('booking.running', ['orgId', 'after', 'limit'], (db, p) =>
  db
    .select({ id: booking.id })
    .from(booking)
    .where(and(eq(booking.orgId, p.orgId), eq(booking.status, sql`'ACTIVE'`), gt(booking.id, p.after)))
    .orderBy(asc(booking.id))
    .limit(p.limit),
)
const wake = query('booking.wake', ['orgId', 'after', 'last', 'on'], (db, p) =>
  db
    .update(booking)
    .set({ nextRunOn: sql`${p.on}` })
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.status, sql`'ACTIVE'`),
        gt(booking.id, p.after),
        lte(booking.id, p.last),
        sql`+${booking.nextRunOn} is not null`,
      ),
    ),
)
/**
 * Makes the billing job check running leases of an organization again after its settings changed: a slice of those
 * behind the id `after`. @returns the last id; undefined where that was all
 */
export function wakeBookings(tx: Tx, orgId: string, after: string): string | undefined {
  const last = running(tx).all({ orgId, after, limit: SLICE }).at(-1)?.id
  if (last !== undefined) wake(tx).run({ orgId, after, last, on: '0001-01-01' })
  return last
}
