import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { exists } from '../../../../db/query.ts'
import { signature } from '../../../../db/schema/contracts.ts'
import { inspection } from '../../../../db/schema/inspections.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { repair } from '../../../../db/schema/repairs.ts'

/** Whether money of a lease was recorded or declared, and neither reversed nor refused. */
export const hasPayments = exists('correction.paid', ['orgId', 'bookingId'], payment, (p) =>
  and(
    eq(payment.orgId, p.orgId),
    eq(payment.bookingId, p.bookingId),
    inArray(sql`+${payment.status}`, ['PENDING', 'CONFIRMED']),
  ),
)
const inspected = exists('correction.inspected', ['orgId', 'bookingId'], inspection, (p) =>
  and(eq(inspection.orgId, p.orgId), eq(inspection.bookingId, p.bookingId)),
)
const reported = exists('correction.reported', ['orgId', 'bookingId'], repair, (p) =>
  and(eq(repair.orgId, p.orgId), eq(repair.bookingId, p.bookingId)),
)
const signed = exists('correction.signed', ['orgId', 'bookingId'], signature, (p) =>
  and(eq(signature.orgId, p.orgId), eq(signature.bookingId, p.bookingId), eq(sql`+${signature.party}`, sql`'TENANT'`)),
)
const declared = exists('correction.declared', ['orgId', 'bookingId'], payment, (p) =>
  and(
    eq(payment.orgId, p.orgId),
    eq(payment.bookingId, p.bookingId),
    eq(sql`+${payment.recordedBy}`, sql`+${payment.tenantUserId}`),
  ),
)
const DEALINGS = [inspected, reported, signed, declared]
/** Whether the tenant of a lease has signed it or declared money on it, or an inspection or a repair names them. */
export const hasDealings = (db: Db, orgId: string, bookingId: string): boolean =>
  DEALINGS.some((exists) => exists(db, { orgId, bookingId }))
