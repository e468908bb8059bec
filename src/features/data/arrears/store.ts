import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query, readingAll } from '../../../../db/query.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { tenant } from '../../../../db/schema/tenants.ts'

const OPEN = 1000
const place = sql<number>`${invoice}.rowid`
// Written as in the partial index, so that SQLite uses it.
const isOpen = sql`${invoice.status} in ('ISSUED','OVERDUE')`
const openAfter = query('report.openUntil', ['propertyId', 'from', 'after', 'before'], (db, p) =>
  db
    .select({ dueDate: invoice.dueDate, row: place })
    .from(invoice)
    .where(
      and(
        eq(invoice.propertyId, p.propertyId),
        isOpen,
        sql`(${invoice.dueDate}, ${place}) > (${p.from}, ${p.after})`,
        lt(invoice.dueDate, p.before),
      ),
    )
    .orderBy(asc(invoice.dueDate), asc(place))
    .limit(1)
    .offset(OPEN - 1),
)
/** The last of a property's next thousand open invoices, by due date and rowid; undefined on the last page. */
export const openUntil = (db: Db, key: { propertyId: string; from: string; after: number; before: string }) =>
  openAfter(db).get(key)
/**
 * The open amounts of a property's invoices due before `before`, in order: those after the one due on `from` with the
 * rowid `after`, up to that of `until`.
 */
export const openInvoices = readingAll(
  'report.open',
  ['orgId', 'propertyId', 'from', 'after', 'before', 'last', 'until'],
  {
    id: invoice.id,
    bookingId: invoice.bookingId,
    unitLabel: invoice.unitLabel,
    tenantName: invoice.tenantName,
    phoneNumber: tenant.phoneNumber,
    number: invoice.number,
    periodStart: invoice.periodStart,
    dueDate: invoice.dueDate,
    grossAmount: invoice.grossAmount,
    creditedAmount: invoice.creditedAmount,
    amountPaid: invoice.amountPaid,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .innerJoin(tenant, and(eq(tenant.orgId, invoice.orgId), eq(tenant.id, invoice.tenantId)))
      .where(
        and(
          eq(sql`+${invoice.orgId}`, p.orgId),
          eq(invoice.propertyId, p.propertyId),
          isOpen,
          sql`(${invoice.dueDate}, ${place}) > (${p.from}, ${p.after})`,
          sql`(${invoice.dueDate}, ${place}) <= (${p.last}, ${p.until})`,
          lt(invoice.dueDate, p.before),
        ),
      )
      .orderBy(asc(invoice.dueDate), asc(place)),
)
