import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { inspection } from '../../../../db/schema/inspections.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { repair } from '../../../../db/schema/repairs.ts'

const paid = query('correction.paid', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ id: payment.id })
    .from(payment)
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.bookingId, p.bookingId),
        inArray(sql`+${payment.status}`, ['PENDING', 'CONFIRMED']),
      ),
    )
    .limit(1)
    .prepare(),
)
/** Whether money of a lease was recorded or declared, and neither reversed nor refused. */
export const hasPayments = (db: Db, orgId: string, bookingId: string): boolean =>
  paid(db).get({ orgId, bookingId }) !== undefined

const inspected = query('correction.inspected', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ id: inspection.id })
    .from(inspection)
    .where(and(eq(inspection.orgId, p.orgId), eq(inspection.bookingId, p.bookingId)))
    .limit(1)
    .prepare(),
)
const reported = query('correction.reported', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ id: repair.id })
    .from(repair)
    .where(and(eq(repair.orgId, p.orgId), eq(repair.bookingId, p.bookingId)))
    .limit(1)
    .prepare(),
)
/** Whether the tenant of a lease is named in an inspection or a request for a repair. */
export const hasDealings = (db: Db, orgId: string, bookingId: string): boolean =>
  (inspected(db).get({ orgId, bookingId }) ?? reported(db).get({ orgId, bookingId })) !== undefined
