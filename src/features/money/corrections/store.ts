import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { signature } from '../../../../db/schema/contracts.ts'
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
const signed = query('correction.signed', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ id: signature.id })
    .from(signature)
    .where(
      and(
        eq(signature.orgId, p.orgId),
        eq(signature.bookingId, p.bookingId),
        eq(sql`+${signature.party}`, sql`'TENANT'`),
      ),
    )
    .limit(1)
    .prepare(),
)
const declared = query('correction.declared', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ id: payment.id })
    .from(payment)
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.bookingId, p.bookingId),
        eq(sql`+${payment.recordedBy}`, sql`+${payment.tenantUserId}`),
      ),
    )
    .limit(1)
    .prepare(),
)
const DEALINGS = [inspected, reported, signed, declared]
/** Whether the tenant of a lease has signed it or declared money on it, or an inspection or a repair names them. */
export const hasDealings = (db: Db, orgId: string, bookingId: string): boolean =>
  DEALINGS.some((query) => query(db).get({ orgId, bookingId }) !== undefined)
