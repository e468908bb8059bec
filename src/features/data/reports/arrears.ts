import { depositAtEnd } from '../../money/deposits/store.ts'
import { type Property, propertiesIn, type Report } from './figures.ts'
import type { ArrearsRow } from './model.ts'
import { ageOf, daysLate, sumsOf } from './rules.ts'
import { openInvoices, openUntil } from './store.ts'

function arrearsRow(
  i: ReturnType<typeof openInvoices>[number],
  { id: propertyId, name }: Property,
  to: string,
  held: number,
): ArrearsRow {
  const late = daysLate(i.dueDate, to)
  return {
    propertyId,
    propertyName: name,
    unitLabel: i.unitLabel,
    tenantName: i.tenantName,
    ...(i.phoneNumber === undefined ? {} : { tenantPhoneNumber: i.phoneNumber }),
    bookingId: i.bookingId,
    invoiceId: i.id,
    invoiceNumber: i.number,
    periodStart: i.periodStart,
    dueDate: i.dueDate,
    grossAmount: i.grossAmount,
    creditedAmount: i.creditedAmount,
    amountPaid: i.amountPaid - i.creditedAmount,
    balanceAmount: i.grossAmount - i.amountPaid,
    ...(held > 0 ? { depositHeldAmount: held } : {}),
    daysLate: late,
    age: ageOf(late),
  }
}

/** Unpaid invoices, property by property and by due date, a thousand at a time. */
export const arrears: Report = async function* (db, request, rest) {
  const { orgId, to: before } = request
  for (const property of propertiesIn(db, request)) {
    const propertyId = property.id
    let end: ReturnType<typeof openUntil> = { dueDate: request.from, row: -1 }
    while (end) {
      const { dueDate: from, row: after }: { dueDate: string; row: number } = end
      end = openUntil(db, { propertyId, from, after, before })
      const upTo = { last: end?.dueDate ?? before, until: end?.row ?? Number.MAX_SAFE_INTEGER }
      const invoices = openInvoices(db, { orgId, propertyId, from, after, before, ...upTo })
      const rows = invoices.map((i) => arrearsRow(i, property, before, depositAtEnd(db, orgId, i.bookingId)))
      if (rows.length > 0) yield { json: JSON.stringify(rows).slice(1, -1), sums: sumsOf('arrears', rows) }
      await rest()
    }
  }
}
