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
  description: "Today in the organization's time zone: the day that due dates are held against.",
}

const Late = Type.Object(
  {
    bookingId: Uuid,
    invoiceId: { ...Uuid, description: 'The oldest late invoice: what is paid first.' },
    tenantName: Type.String(),
    tenantPhoneNumber: Type.Optional(Type.String()),
    propertyName: Type.String(),
    unitLabel: Type.String(),
    invoices: { ...Count, description: 'How many of its invoices are late.' },
    balanceAmount: { ...Francs, description: 'What is open of them. XAF' },
    depositAmount: {
      ...Francs,
      description: 'What of it the deposit covers that is held for a lease that has ended; 0 while it runs. XAF',
    },
    askedAmount: {
      ...Francs,
      description: 'What the tenant is asked for: balanceAmount − depositAmount. At 0 deduct it from the deposit. XAF',
    },
    oldestDueDate: { ...DateOnly, description: 'The due date of the oldest of them.' },
    daysLate: { ...Count, description: 'Since the oldest due date.' },
    lastNoticeAt: Type.Optional({
      ...DateTime,
      description: 'When the tenant was last reminded of anything of this lease.',
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
        'Of invoices whose period begins in the month: gross less what was credited, as in the collection report. XAF',
    },
    collectedAmount: { ...Francs, description: 'What of it has been paid by now. XAF' },
    balanceAmount: { ...Francs, description: 'invoicedAmount − collectedAmount. XAF' },
    paidCount: { ...Count, description: "The month's invoices that are paid in full." },
    openCount: { ...Count, description: "The month's invoices of which something is open." },
    overdueAmount: {
      ...Francs,
      description: 'What is owed past its due date, of whatever month, as in the arrears report. XAF',
    },
    overdueCount: { ...Count, description: 'How many invoices that is.' },
    units: Type.Object(
      {
        total: { ...Count, description: 'Units that are not archived, of properties that are not.' },
        vacant: { ...Count, description: 'Those that are AVAILABLE.' },
      },
      { $id: 'OverviewUnits' },
    ),
    needs: Type.Array(Need, { description: 'What waits for the caller today.' }),
    late: Type.Array(Late, {
      maxItems: MOST_LATE,
      description: `Leases with late invoices, the longest overdue first, ${MOST_LATE} at most; the arrears report has all.`,
    }),
    months: Type.Array(
      Type.Object({ month: Month, invoicedAmount: Francs, collectedAmount: Francs }, { $id: 'OverviewMonth' }),
      { description: `${MONTHS} months, oldest first; the last is \`month\`.` },
    ),
  },
  { $id: 'Overview', description: 'What a landlord sees first, of the properties within their reach.' },
)
export type Overview = Static<typeof Overview>

export const TenantOverview = Type.Object(
  {
    today: Today,
    owedAmount: {
      ...Francs,
      description: 'What they are asked for: what is open of all their invoices less depositAmount. XAF',
    },
    depositAmount: {
      ...Francs,
      description: 'What of their invoices the deposits cover that are held for leases that have ended. XAF',
    },
    checkingAmount: { ...Francs, description: 'Declared by them and not decided yet. XAF' },
    coveredUntil: Type.Optional({
      ...DateOnly,
      description: 'The last day that is paid without a gap; of several running leases the earliest.',
    }),
    open: Type.Array(Invoice, { description: 'What is to pay, the oldest due date first.' }),
    paid: Type.Array(Invoice, { description: 'The last twelve that are paid, newest first.' }),
    checking: Type.Array(Payment, { description: 'What they declared and nobody has decided yet.' }),
    refused: Type.Array(Payment, {
      description:
        'What they declared themselves and was refused within 30 days, as long as its invoice is open and nothing was declared for it since.',
    }),
    payTo: PayTo,
    landlord: Type.Optional(
      Type.Object({ name: Type.String(), phoneNumber: Type.Optional(Type.String()) }, { $id: 'Landlord' }),
    ),
  },
  { $id: 'TenantOverview', description: 'What a tenant sees first, of their own leases.' },
)
/** A month asked for: dates far from today have no invoices. */
export const MonthOf = Type.String({ pattern: '^20\\d{2}-(0[1-9]|1[0-2])$' })
