import { type Static, Type } from '@sinclair/typebox'
import { FIGURE } from '../../../core/figures.ts'
import {
  BookingId,
  CurrencyCode,
  Id,
  PropertyName,
  TenantName,
  TenantPhoneNumber,
  UnitLabel,
} from '../../../http/members.ts'
import { As, DateOnly, DateTime, oneOf, QueryInteger, Uuid } from '../../../http/schema.ts'
import { Signature } from '../../lease/contracts/model.ts'
import { Repair } from '../../lease/repairs/model.ts'
import { Invoice } from '../../money/invoices/model.ts'
import { Payment } from '../../money/payments/model.ts'
import { RentMessage } from '../../news/reminders/model.ts'
import { Document } from '../../papers/documents/model.ts'
import { Messaging, PayTo, PayToChangedOn } from '../../people/organizations/model.ts'
import { DOOR_STATES, MONTHS, MOST_BUILDINGS, MOST_DOORS, MOST_LATE, NEEDS, SEARCH_KINDS } from './rules.ts'

const Count = Type.Integer({ minimum: 0 })
const Francs = Type.Integer({ minimum: 0 })
export const Need = Type.Object(
  {
    kind: oneOf(NEEDS, {
      description:
        'RECOVERY_ASKED: for ADMIN: an ADMIN asked to let another back in, which can still be stopped (`GET /account/recoveries`). PAYMENT_DECLARED: a payment to confirm or reject, including cash that another person recorded. ADJUSTMENT_MADE: for the owner and ADMIN: of the last 30 days, what somebody else reversed, cancelled, refunded or returned (`GET /adjustments`). MESSAGE_UNMATCHED: mobile money that matches no invoice. BOOKING_REQUESTED: somebody requests a unit. REPAIR_REQUESTED: reported by a tenant and not seen, or planned for a day that has passed. LEASE_TO_SIGN: out for signing, without the landlord’s signature. RENT_CHANGE_TO_SIGN: a rent change that waits for the tenant’s signature. INSPECTION_TO_SIGN: out for signing, and not signed by both. INSPECTION_DUE: the lease ends within 14 days, or ended up to 14 days ago, is not renewed, and its inspection has not begun. NOTICE_GIVEN: a running lease under notice. LEASE_ENDING: ends within 60 days without notice and is not renewed. VERIFICATION_TO_REVIEW: for ADMIN. PAPER_FAILED: a paper that could not be created. MESSAGE_UNDELIVERED: a message about rent of the last 14 days that did not arrive. IMPORT_DONE: an import of the caller that ended within a day. SETUP: for ADMIN: details of the organization that are still missing, such as its name.',
    }),
    count: { ...Count, description: 'The number; a kind without any is absent.', examples: [2] },
    oldestAt: Type.Optional({ ...DateTime, description: 'Since when the oldest of them has been waiting.' }),
    firstOn: Type.Optional({
      ...DateOnly,
      description: 'For LEASE_ENDING, NOTICE_GIVEN and INSPECTION_DUE: the day on which the first lease ends.',
    }),
    bookingId: Type.Optional({
      ...Uuid,
      description:
        'For RENT_CHANGE_TO_SIGN, INSPECTION_TO_SIGN, INSPECTION_DUE and NOTICE_GIVEN: the lease, if it is a single one.',
    }),
    amount: Type.Optional({
      ...Francs,
      description: 'For payments and messages: their sum. In XAF.',
      examples: [85_000],
    }),
  },
  { $id: 'OverviewNeed' },
)
export type Need = Static<typeof Need>

const Month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'YYYY-MM.', examples: ['2026-03'] })
const Today = {
  ...DateOnly,
  description: "Today in the organization's time zone: the day that due dates are compared with.",
}

const Late = Type.Object(
  {
    bookingId: BookingId,
    invoiceId: { ...Uuid, description: 'The oldest late invoice, which is paid first.' },
    tenantName: TenantName,
    tenantPhoneNumber: Type.Optional(TenantPhoneNumber),
    propertyName: PropertyName,
    unitLabel: UnitLabel,
    invoices: { ...Count, description: 'The number of its late invoices.', examples: [1] },
    balanceAmount: { ...Francs, description: 'Their open amount. In XAF.', examples: [85_000] },
    depositAmount: {
      ...Francs,
      description: 'The part covered by the deposit held for a lease that has ended; 0 while it runs. In XAF.',
      examples: [170_000],
    },
    askedAmount: {
      ...Francs,
      description:
        'The amount that the tenant is asked for: balanceAmount − depositAmount. If it is 0, deduct the debt from the deposit. In XAF.',
    },
    oldestDueDate: { ...DateOnly, description: 'The due date of the oldest of them.' },
    daysLate: { ...Count, description: 'The days since the oldest due date.', examples: [26] },
    lastMessageAt: Type.Optional({
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
    currency: CurrencyCode,
    invoicedAmount: {
      ...Francs,
      description:
        'For invoices whose period begins in the month: gross less what was credited, as in the collection report. In XAF.',
      examples: [85_000],
    },
    paidAmount: { ...Francs, description: `${FIGURE.paid.means} In XAF.`, examples: [85_000] },
    balanceAmount: { ...Francs, description: 'invoicedAmount − paidAmount. In XAF.' },
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
          examples: [12],
        },
        vacant: { ...Count, description: 'The number of AVAILABLE units.', examples: [1] },
      },
      { $id: 'OverviewUnits', description: 'The number of units.' },
    ),
    needs: Type.Array(Need, { description: 'The tasks that wait for the caller today.' }),
    messaging: Type.Composite(
      [
        Messaging,
        Type.Object({ waiting: { ...Count, description: 'Messages that wait to be sent by hand (`GET /messages`).' } }),
      ],
      { $id: 'OverviewMessaging', description: 'What becomes of messages here.' },
    ),
    late: Type.Array(Late, {
      maxItems: MOST_LATE,
      description: `Leases with late invoices, the longest overdue first, at most ${MOST_LATE}; the arrears report has all.`,
    }),
    months: Type.Array(
      Type.Object(
        {
          month: Month,
          invoicedAmount: { ...Francs, description: 'Invoiced with VAT, in XAF.', examples: [85_000] },
          paidAmount: { ...Francs, description: `${FIGURE.paid.means} In XAF.`, examples: [85_000] },
        },
        { $id: 'OverviewMonth' },
      ),
      { description: `${MONTHS} months, oldest first; the last is \`month\`.` },
    ),
  },
  { $id: 'Overview', description: 'The start page of a landlord, for the properties that they may see.' },
)
export type Overview = Static<typeof Overview>

const Door = Type.Object(
  {
    unitId: { ...Uuid, description: 'The home.' },
    label: UnitLabel,
    state: oneOf(DOOR_STATES, {
      $id: 'DoorState',
      description:
        'LATE: overdue, and nothing of it is paid. PART: overdue, and a part of it is paid. DECLARED: owed, and the tenant has declared a payment. PAID: the month is paid. DUE: not paid yet, and not late. EMPTY: nobody rents it.',
    }),
    bookingId: Type.Optional(BookingId),
    tenantName: Type.Optional(TenantName),
    due: { ...Francs, description: "The month's invoices, less what was credited. In XAF.", examples: [85_000] },
    paid: { ...Francs, description: 'The part of it that is paid. In XAF.', examples: [85_000] },
    overdue: { ...Francs, description: 'Owed past its due date, for all months. In XAF.' },
    overdueCount: { ...Count, description: 'The number of these invoices.' },
    daysLate: Type.Optional({ ...Count, description: 'The days since the oldest due date.', examples: [22] }),
    declared: { ...Francs, description: 'Declared by the tenant, and not decided yet. In XAF.' },
  },
  { $id: 'Door', description: 'A home, as it stands today.' },
)
const Counts = Type.Object(
  Object.fromEntries(DOOR_STATES.map((state) => [state, { ...Count, description: `Homes that are ${state}.` }])),
  {
    $id: 'DoorCounts',
    description: 'The number of homes by state.',
  },
)
export const Facades = Type.Object(
  {
    today: Today,
    month: Month,
    homes: { ...Count, description: 'The number of homes.', examples: [12] },
    buildings: Type.Array(
      Type.Object(
        {
          propertyId: { ...Uuid, description: 'The property.' },
          name: PropertyName,
          homes: { ...Count, description: 'The number of its homes.', examples: [12] },
          counts: Counts,
          due: { ...Francs, description: 'The sum of `due` of its homes. In XAF.' },
          paid: { ...Francs, description: 'The sum of `paid` of its homes. In XAF.' },
          overdue: { ...Francs, description: 'The sum of `overdue` of its homes. In XAF.' },
          doors: Type.Optional(
            Type.Array(Door, {
              description: `In natural order; absent above ${MOST_DOORS} homes in all, unless \`propertyId\` names the building.`,
            }),
          ),
        },
        { $id: 'Building' },
      ),
      { maxItems: MOST_BUILDINGS, description: 'Those with most overdue first, then by name.' },
    ),
  },
  { $id: 'Facades', description: 'Each home and how it stands this month.' },
)
export type Facades = Static<typeof Facades>

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
      examples: [170_000],
    },
    checkingAmount: { ...Francs, description: 'The amount that they declared and that is not decided yet. In XAF.' },
    coveredUntil: Type.Optional({
      ...DateOnly,
      description: 'The last day that is paid without a gap; for several running leases, the earliest of these.',
      examples: ['2026-03-31'],
    }),
    open: Type.Array(Invoice, { description: 'The invoices to pay, the oldest due date first.' }),
    paid: Type.Array(Invoice, { description: 'The last twelve paid invoices, newest first.' }),
    checking: Type.Array(Payment, { description: 'The payments that they declared and that are not decided yet.' }),
    refused: Type.Array(Payment, {
      description:
        'The payments that they declared and that were rejected within the last 30 days, as long as the invoice is open and nothing has been declared for it since.',
    }),
    payTo: { ...PayTo, description: 'Where rent is paid: at most six ways, in the order in which they are shown.' },
    payToChangedOn: PayToChangedOn,
    landlord: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: 'The name.', examples: ['Résidence Bonamoussadi'] }),
          phoneNumber: Type.Optional(
            Type.String({
              description: 'Phone number in international form: a plus sign and 7 to 15 digits.',
              examples: ['+237677123456'],
            }),
          ),
        },
        {
          $id: 'Landlord',
          description: "The landlord, as named in the tenant's newest lease; absent without a lease.",
        },
      ),
    ),
  },
  { $id: 'TenantOverview', description: 'The start page of a tenant, for their own leases.' },
)
/** A month asked for: dates far from today have no invoices. */
export const MonthOf = Type.String({ pattern: '^20\\d{2}-(0[1-9]|1[0-2])$' })

export const SearchQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'The search text: beginnings of words of names, places and labels; digits of a phone number; the number of a paper; or a reference. Case and accents do not matter. The first eight words count, without those that are the beginning of another one, and at most three single letters. A text without a letter or a digit finds nothing.',
      }),
    ),
    limit: Type.Optional(
      QueryInteger({ minimum: 1, maximum: 50, description: 'The maximum number of results; 20 if omitted.' }),
    ),
  },
  { additionalProperties: true },
)

export const SearchHit = Type.Object(
  {
    kind: oneOf(SEARCH_KINDS, { description: 'The kind of result.' }),
    id: Id,
    title: Type.String({
      description: 'A name, a label, a number or a reference.',
      examples: ['Ngo Bassa Marie-Claire'],
    }),
    subtitle: Type.Optional(Type.String({ description: 'Distinguishes it from others of the same name.' })),
    status: Type.Optional(Type.String({ description: 'Its status, in the words of its kind.' })),
    propertyId: Type.Optional(Type.String({ format: 'uuid', description: 'For a unit or a repair: the property.' })),
    bookingId: Type.Optional(
      Type.String({ format: 'uuid', description: 'For an invoice, a payment or a document: the lease.' }),
    ),
  },
  { $id: 'SearchHit' },
)

const ENTRY_KINDS = ['SIGNATURE', 'INVOICE', 'PAYMENT', 'MESSAGE', 'DOCUMENT', 'REPAIR'] as const

export const TimelineEntry = Type.Object(
  {
    id: Type.String({ ...Uuid, description: "The id of the event's object; `kind` says which member holds it." }),
    kind: oneOf(ENTRY_KINDS, { $id: 'TimelineKind', description: 'The kind.' }),
    at: { ...DateTime, description: 'When it happened.' },
    signature: Type.Optional(As(Signature, 'For entries of the kind SIGNATURE.')),
    invoice: Type.Optional(As(Invoice, 'For entries of the kind INVOICE.')),
    payment: Type.Optional(As(Payment, 'For entries of the kind PAYMENT.')),
    message: Type.Optional(As(RentMessage, 'For entries of the kind MESSAGE.')),
    document: Type.Optional(As(Document, 'For entries of the kind DOCUMENT.')),
    repair: Type.Optional(As(Repair, 'For entries of the kind REPAIR.')),
  },
  { $id: 'TimelineEntry', description: 'One event of a lease, as its own list returns it.' },
)
