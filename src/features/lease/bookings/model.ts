import { type Static, Type } from '@sinclair/typebox'
import {
  Amount,
  BasisPoints,
  Body,
  Currency,
  DateOnly,
  DateTime,
  dto,
  InLists,
  Locale,
  Maybe,
  oneOf,
  Phone,
  Text,
  Uuid,
} from '../../../http/schema.ts'
import { BOOKING_STATUS } from './rules.ts'
import type { BookingRow } from './store.ts'

const DueDay = Type.Integer({ minimum: 1, maximum: 28 })
const NoticeMonths = Type.Integer({ minimum: 0, maximum: 24 })

export const Booking = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    unitId: Uuid,
    propertyId: Uuid,
    tenantId: Uuid,
    tenantUserId: Type.Optional(Uuid),
    tenantName: Type.String({
      description: 'Of a tenant whose name the caller may not know: the number, or its last digits.',
    }),
    unitLabel: Type.String(),
    propertyName: Type.String(),
    startDate: DateOnly,
    endDate: Type.Optional(DateOnly),
    rentAmount: Type.Integer({ description: 'Net rent of a month.' }),
    rentCurrency: Type.String(),
    depositAmount: Type.Optional(Type.Integer()),
    depositCurrency: Type.Optional(Type.String()),
    tvaBasisPoints: Type.Integer(),
    noticeMonths: Type.Optional(NoticeMonths),
    dueDay: Type.Optional(DueDay),
    autoRenew: Type.Boolean({ description: 'Goes on month by month after endDate.' }),
    billFrom: Type.Optional({
      ...DateOnly,
      description: 'Periods are billed that begin on this day or later.',
    }),
    openingBalance: Type.Optional(Type.Integer({ description: 'What the tenant owed when the lease was brought in.' })),
    locale: Locale,
    status: oneOf(BOOKING_STATUS),
    creditAmount: Type.Integer({ description: 'What confirmed payments left over: the next invoice takes it.' }),
    requestedBy: Type.Optional(Uuid),
    renewsBookingId: Type.Optional(Uuid),
    terminationReason: Type.Optional(Type.String()),
    createdAt: DateTime,
    submittedAt: Type.Optional(DateTime),
    activatedAt: Type.Optional(DateTime),
    terminatedAt: Type.Optional(DateTime),
    cancelledAt: Type.Optional(DateTime),
    coveredUntil: InLists(DateOnly, 'The last day of rent that is paid without a gap.'),
    openAmount: InLists(Type.Integer({ minimum: 0 }), 'What is open of its invoices. XAF'),
    signatures: InLists(
      Type.Object({ landlord: Type.Boolean(), tenant: Type.Boolean() }, { $id: 'SignedBy' }),
      'Who has signed the text that is out.',
    ),
  },
  { $id: 'Booking' },
)
export type Booking = Static<typeof Booking>

export const BookingCreate = Body(
  {
    unitId: Uuid,
    tenantUserId: Maybe(Uuid),
    tenantId: Maybe(Uuid),
    tenantPhoneNumber: Maybe(Phone),
    startDate: DateOnly,
    endDate: Maybe(DateOnly),
    rentAmount: Maybe(Amount),
    rentCurrency: Maybe(Currency),
    depositAmount: Maybe(Amount),
    depositCurrency: Maybe(Currency),
    tvaBasisPoints: Maybe(BasisPoints),
    noticeMonths: Maybe(NoticeMonths),
    dueDay: Maybe(DueDay),
    autoRenew: Maybe(Type.Boolean()),
    billFrom: Maybe({
      ...DateOnly,
      description:
        'Periods are billed that begin on this day or later, at most ten years back; what is owed from before: openingBalance. When not given: startDate of a lease that began at most two months before it is entered, else 31 days before that.',
    }),
    openingBalance: Maybe(Amount),
    locale: Maybe(Locale),
  },
  {
    $id: 'BookingCreate',
    'x-one-of': {
      ForTenant: { has: ['tenantId'] },
      ForUser: { has: ['tenantUserId'] },
      ForPhoneNumber: { has: ['tenantPhoneNumber'] },
      Request: { only: ['unitId', 'startDate', 'endDate'] },
    },
    examples: [
      {
        unitId: '01a1fc4b-236c-7768-8e80-d882e183f8cf',
        tenantPhoneNumber: '+237677123456',
        startDate: '2026-03-01',
        endDate: '2027-02-28',
        depositAmount: 170000,
      },
    ],
  },
)
export type BookingCreate = Static<typeof BookingCreate>

export const BookingPatch = Body({
  startDate: Type.Optional(DateOnly),
  endDate: Maybe(DateOnly),
  rentAmount: Type.Optional(Amount),
  rentCurrency: Maybe(Currency),
  depositAmount: Maybe(Amount),
  depositCurrency: Maybe(Currency),
  tvaBasisPoints: Type.Optional(BasisPoints),
  noticeMonths: Maybe(NoticeMonths),
  dueDay: Maybe(DueDay),
  autoRenew: Type.Optional(Type.Boolean()),
  billFrom: Maybe(DateOnly),
  openingBalance: Maybe(Amount),
  locale: Type.Optional(Locale),
})
export type BookingPatch = Static<typeof BookingPatch>

export const Terminate = Body(
  {
    endDate: Maybe(DateOnly),
    reason: Maybe(Text({ max: 500, lines: true })),
    confirm: Maybe(
      Type.Boolean({
        description: 'true is asked for where endDate lies more than a month back: rent of whole months goes.',
      }),
    ),
  },
  { $id: 'BookingTerminate', examples: [{ endDate: '2026-03-31', reason: 'Départ du locataire' }] },
)
export type Terminate = Static<typeof Terminate>
export const Renew = Body(
  { endDate: Maybe(DateOnly), rentAmount: Maybe(Amount), depositAmount: Maybe(Amount) },
  { $id: 'BookingRenew', examples: [{ endDate: '2027-12-31', rentAmount: 90000 }] },
)
export type Renew = Static<typeof Renew>

export const toBooking = (row: BookingRow): Booking =>
  dto(
    row,
    'ownerUserId',
    'anchorDate',
    'nextPeriod',
    'nextRunOn',
    'vouched',
    'settlement',
    'tvaFollowed',
    'updatedAt',
    'version',
  )
