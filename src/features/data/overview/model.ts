import { type Static, Type } from '@sinclair/typebox'
import { DateOnly, DateTime, Uuid } from '../../../http/schema.ts'
import { Invoice } from '../../money/invoices/model.ts'
import { Payment } from '../../money/payments/model.ts'
import { PayTo } from '../../people/organizations/model.ts'
import { Need } from '../needs/model.ts'
import { MONTHS, MOST_LATE } from './rules.ts'

const Count = Type.Integer({ minimum: 0 })
const Francs = Type.Integer({ minimum: 0 })
const Month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'YYYY-MM.' })
const Today = {
  ...DateOnly,
  description: "Today in the organization's time zone: the day that due dates are compared with.",
}

const Late = Type.Object(
  {
    bookingId: Uuid,
    invoiceId: { ...Uuid, description: 'The oldest late invoice, which is paid first.' },
    tenantName: Type.String(),
    tenantPhoneNumber: Type.Optional(Type.String()),
    propertyName: Type.String(),
    unitLabel: Type.String(),
    invoices: { ...Count, description: 'The number of its late invoices.' },
    balanceAmount: { ...Francs, description: 'Their open amount. In XAF.' },
    depositAmount: {
      ...Francs,
      description: 'The part covered by the deposit held for a lease that has ended; 0 while it runs. In XAF.',
    },
    askedAmount: {
      ...Francs,
      description:
        'The amount that the tenant is asked for: balanceAmount − depositAmount. If it is 0, deduct the debt from the deposit. In XAF.',
    },
    oldestDueDate: { ...DateOnly, description: 'The due date of the oldest of them.' },
    daysLate: { ...Count, description: 'The days since the oldest due date.' },
    lastNoticeAt: Type.Optional({
      ...DateTime,
      description: 'When the last reminder about this lease was sent.',
    }),
  },
  { $id: 'OverviewLate' },
)

export const Overview = Type.Object(
  {
    today: Today,
    month: Month,
    currency: Type.String(),
    invoicedAmount: {
      ...Francs,
      description:
        'For invoices whose period begins in the month: gross less what was credited, as in the collection report. In XAF.',
    },
    collectedAmount: { ...Francs, description: 'The part of it that is paid by now. In XAF.' },
    balanceAmount: { ...Francs, description: 'invoicedAmount − collectedAmount. In XAF.' },
    paidCount: { ...Count, description: "The number of the month's invoices that are paid in full." },
    openCount: { ...Count, description: "The number of the month's invoices with an open amount." },
    overdueAmount: {
      ...Francs,
      description: 'The amount owed past its due date, for all months, as in the arrears report. In XAF.',
    },
    overdueCount: { ...Count, description: 'The number of these invoices.' },
    units: Type.Object(
      {
        total: {
          ...Count,
          description: 'The number of units that are not archived, of properties that are not archived.',
        },
        vacant: { ...Count, description: 'The number of AVAILABLE units.' },
      },
      { $id: 'OverviewUnits' },
    ),
    needs: Type.Array(Need, { description: 'The tasks that wait for the caller today.' }),
    late: Type.Array(Late, {
      maxItems: MOST_LATE,
      description: `Leases with late invoices, the longest overdue first, at most ${MOST_LATE}; the arrears report has all.`,
    }),
    months: Type.Array(
      Type.Object({ month: Month, invoicedAmount: Francs, collectedAmount: Francs }, { $id: 'OverviewMonth' }),
      { description: `${MONTHS} months, oldest first; the last is \`month\`.` },
    ),
  },
  { $id: 'Overview', description: 'The start page of a landlord, for the properties that they may see.' },
)
export type Overview = Static<typeof Overview>

export const TenantOverview = Type.Object(
  {
    today: Today,
    owedAmount: {
      ...Francs,
      description:
        'The amount that the tenant is asked for: the open amount of all their invoices less depositAmount. In XAF.',
    },
    depositAmount: {
      ...Francs,
      description: 'The part of their invoices covered by the deposits held for leases that have ended. In XAF.',
    },
    checkingAmount: { ...Francs, description: 'The amount that they declared and that is not decided yet. In XAF.' },
    coveredUntil: Type.Optional({
      ...DateOnly,
      description: 'The last day that is paid without a gap; for several running leases, the earliest of these.',
    }),
    open: Type.Array(Invoice, { description: 'The invoices to pay, the oldest due date first.' }),
    paid: Type.Array(Invoice, { description: 'The last twelve paid invoices, newest first.' }),
    checking: Type.Array(Payment, { description: 'The payments that they declared and that are not decided yet.' }),
    refused: Type.Array(Payment, {
      description:
        'The payments that they declared and that were rejected within the last 30 days, as long as the invoice is open and nothing has been declared for it since.',
    }),
    payTo: PayTo,
    landlord: Type.Optional(
      Type.Object({ name: Type.String(), phoneNumber: Type.Optional(Type.String()) }, { $id: 'Landlord' }),
    ),
  },
  { $id: 'TenantOverview', description: 'The start page of a tenant, for their own leases.' },
)
/** A month asked for: dates far from today have no invoices. */
export const MonthOf = Type.String({ pattern: '^20\\d{2}-(0[1-9]|1[0-2])$' })
