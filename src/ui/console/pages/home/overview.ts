import { api, data, type Schemas } from '../../../shared/api.ts'
import { monthOf, today } from '../../../shared/dates.ts'

/** A lease with rent that is due and not paid. */
export type Late = {
  readonly bookingId: string
  /** The oldest of its open invoices: what is paid first. */
  readonly invoiceId: string
  readonly tenantName: string
  readonly place: string
  readonly invoices: number
  readonly balanceAmount: number
  readonly oldestDueDate: string
  readonly daysLate: number
}

/** Late rents, a line a lease, the longest overdue first. */
function lateOf(rows: readonly Schemas['ArrearsRow'][]): Late[] {
  const byLease = Map.groupBy(rows, ({ bookingId }) => bookingId)
  return [...byLease]
    .flatMap(([bookingId, of]): Late[] => {
      const [oldest] = of.toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : 1))
      if (oldest === undefined) return []
      const { invoiceId, tenantName, propertyName, unitLabel, dueDate, daysLate } = oldest
      const balanceAmount = of.reduce((sum, row) => sum + row.balanceAmount, 0)
      const place = `${propertyName} ${unitLabel}`
      return [
        {
          bookingId,
          invoiceId,
          tenantName,
          place,
          invoices: of.length,
          balanceAmount,
          oldestDueDate: dueDate,
          daysLate,
        },
      ]
    })
    .toSorted((a, b) => b.daysLate - a.daysLate)
}

/** All that the home page shows. Five requests today, one once the API has its overview. */
export async function readOverview() {
  const day = today()
  const { from, to } = monthOf(day)
  const [roll, arrears, collection, pending, drafts] = await Promise.all([
    data(api.GET('/api/v1/reports/rent-roll', { params: { query: { from, to } } })),
    data(api.GET('/api/v1/reports/arrears')),
    data(api.GET('/api/v1/reports/collection', { params: { query: { from: monthOf(day, 5).from, to } } })),
    data(api.GET('/api/v1/payments', { params: { query: { status: 'PENDING' } } })),
    data(api.GET('/api/v1/bookings', { params: { query: { status: 'DRAFT' } } })),
  ])
  const invoiced = roll.rows.filter(({ grossAmount }) => grossAmount > 0)
  const months = [...Map.groupBy(collection.rows, ({ month }) => month)].map(([month, of]) => ({
    month,
    invoicedAmount: of.reduce((sum, row) => sum + row.invoicedAmount, 0),
    collectedAmount: of.reduce((sum, row) => sum + row.collectedAmount, 0),
  }))
  return {
    today: day,
    month: from,
    units: roll.rows.length,
    vacant: roll.rows.filter(({ status }) => status === 'VACANT').length,
    invoiced: invoiced.length,
    paid: invoiced.filter(({ balanceAmount }) => balanceAmount === 0).length,
    invoicedAmount: roll.totals.grossAmount - roll.totals.creditedAmount,
    collectedAmount: roll.totals.amountPaid,
    balanceAmount: roll.totals.balanceAmount,
    late: lateOf(arrears.rows),
    overdueAmount: arrears.totals.balanceAmount,
    months,
    declared: pending.filter(({ invoiceIds }) => invoiceIds.length > 0),
    requested: drafts.filter(({ requestedBy }) => requestedBy !== undefined),
  }
}
