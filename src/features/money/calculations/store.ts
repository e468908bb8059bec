import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { regularisation, regularisationShare } from '../../../../db/schema/regularisations.ts'

export type ShareRow = typeof regularisationShare.$inferSelect
export const insertShare = inserting('regularisationShare.insert', regularisationShare)

const ofInvoice = query('regularisationShare.ofInvoice', ['orgId', 'invoiceId'], (db, p) =>
  db
    .select({
      share: regularisationShare,
      from: regularisation.periodStart,
      to: regularisation.periodEnd,
    })
    .from(regularisationShare)
    .innerJoin(
      regularisation,
      and(
        eq(regularisation.orgId, regularisationShare.orgId),
        eq(regularisation.id, regularisationShare.regularisationId),
      ),
    )
    .where(and(eq(regularisationShare.orgId, p.orgId), eq(regularisationShare.invoiceId, p.invoiceId))),
)
/** The share that an invoice asks for, and its period; undefined where it asks for something else. */
export const shareOfInvoice = (db: Db, orgId: string, invoiceId: string) => ofInvoice(db).get({ orgId, invoiceId })

const ofLease = query('regularisationShare.ofLease', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({
      share: regularisationShare,
      periodStart: regularisation.periodStart,
      periodEnd: regularisation.periodEnd,
      issuedOn: regularisation.issuedOn,
    })
    .from(regularisationShare)
    .innerJoin(
      regularisation,
      and(
        eq(regularisation.orgId, regularisationShare.orgId),
        eq(regularisation.id, regularisationShare.regularisationId),
      ),
    )
    .where(
      and(
        eq(regularisationShare.orgId, p.orgId),
        eq(regularisationShare.bookingId, p.bookingId),
        eq(sql`+${regularisation.status}`, 'ISSUED'),
      ),
    )
    .orderBy(asc(regularisationShare.id)),
)
/** A lease's shares in regularisations that are in force, oldest first. */
export const sharesOfLease = (db: Db, orgId: string, bookingId: string) => ofLease(db).all({ orgId, bookingId })

const all = query('regularisationShare.all', ['orgId', 'regularisationId'], (db, p) =>
  db
    .select()
    .from(regularisationShare)
    .where(and(eq(regularisationShare.orgId, p.orgId), eq(regularisationShare.regularisationId, p.regularisationId)))
    .orderBy(asc(regularisationShare.id)),
)
/** The shares of a regularisation, in the order of its units. */
export const sharesOf = (db: Db, orgId: string, regularisationId: string): ShareRow[] =>
  all(db).all({ orgId, regularisationId })
