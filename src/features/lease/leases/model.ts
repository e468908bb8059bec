import { type Static, Type } from '@sinclair/typebox'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { dto } from '../../../http/json.ts'
import {
  Amount,
  BasisPoints,
  Body,
  Currency,
  DateOnly,
  DateTime,
  InLists,
  Locale,
  Maybe,
  oneOf,
  Phone,
  Text,
  Uuid,
} from '../../../http/schema.ts'
import { PhoneChallenge } from '../../people/codes/model.ts'
import { BOOKING_STATUS, NOTICE_BY, RENT_CHANGE_STATUS } from './rules.ts'
import type { RentChangeRow } from './store.ts'

const DueDay = Type.Integer({ minimum: 1, maximum: 28 })
const NoticeMonths = Type.Integer({ minimum: 0, maximum: 24 })

const RENT_BY_AGREEMENT =
  'Whether a higher rent takes effect only once the tenant has signed it. If omitted: true for a home, false for a business lease.'
const Notice = Type.Object(
  {
    by: oneOf(NOTICE_BY, { $id: 'LeaseSide', description: 'Who gave the notice.' }),
    enteredBy: { ...Uuid, description: 'The user who gave or recorded it.' },
    givenOn: DateOnly,
    leaveOn: {
      ...DateOnly,
      description: 'The last day of the lease, on which it ends without further action and is settled.',
    },
    reason: Type.Optional(Type.String()),
    noticeMonths: Type.Optional(
      Type.Integer({ description: 'The months of notice required by the lease; absent if none are agreed.' }),
    ),
    earliestLeaveOn: Type.Optional({ ...DateOnly, description: 'The earliest day that noticeMonths allow.' }),
    inTime: Type.Optional(
      Type.Boolean({
        description: 'Whether leaveOn respects noticeMonths; a shorter notice is recorded all the same.',
      }),
    ),
    endDate: Type.Optional({ ...DateOnly, description: 'The end date that applies again if the notice is withdrawn.' }),
    autoRenew: Type.Boolean({ description: 'The autoRenew that applies again if the notice is withdrawn.' }),
  },
  { $id: 'LeaseNotice' },
)

export const Booking = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    unitId: Uuid,
    propertyId: Uuid,
    tenantId: Uuid,
    tenantUserId: Type.Optional(Uuid),
    tenantName: Type.String({
      description: "The tenant's name; if the caller may not see it, the number or its last digits.",
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
      description: 'Only periods that begin on this day or later are billed.',
    }),
    openingBalance: Type.Optional(
      Type.Integer({ description: 'What the tenant owed when the lease was entered in Loyer.' }),
    ),
    locale: Locale,
    status: oneOf(BOOKING_STATUS),
    rentByAgreement: Type.Optional(Type.Boolean({ description: RENT_BY_AGREEMENT })),
    nextRentOn: Type.Optional({ ...DateOnly, description: 'The day from which nextRentAmount is the rent.' }),
    nextRentAmount: Type.Optional(Type.Integer({ description: 'Net rent of a month from nextRentOn on. In XAF.' })),
    notice: Type.Optional(Notice),
    creditAmount: Type.Integer({ description: 'The remainder of confirmed payments; the next invoice uses it.' }),
    requestedBy: Type.Optional(Uuid),
    renewsBookingId: Type.Optional(Uuid),
    terminationReason: Type.Optional(Type.String()),
    createdAt: DateTime,
    submittedAt: Type.Optional(DateTime),
    activatedAt: Type.Optional(DateTime),
    terminatedAt: Type.Optional(DateTime),
    cancelledAt: Type.Optional(DateTime),
    coveredUntil: InLists(DateOnly, 'The last day of rent that is paid without a gap.'),
    openAmount: InLists(Type.Integer({ minimum: 0 }), 'The open amount of its invoices. In XAF.'),
    depositHeldAmount: InLists(
      Type.Integer({ minimum: 1 }),
      'The deposit held for a lease that has ended; the tenant is asked for openAmount less this. In XAF.',
    ),
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
        'Only periods that begin on this day or later are billed, at most ten years back; enter earlier debts as openingBalance. If omitted: startDate for a lease that began at most two months before it is entered, otherwise 31 days before that.',
    }),
    openingBalance: Maybe(Amount),
    locale: Maybe(Locale),
    rentByAgreement: Maybe(Type.Boolean({ description: RENT_BY_AGREEMENT })),
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
  rentByAgreement: Maybe(Type.Boolean({ description: RENT_BY_AGREEMENT })),
})
export type BookingPatch = Static<typeof BookingPatch>

export const Submit = Body({
  blanks: Maybe(
    Type.Boolean({
      description:
        'false: refused while the tenant has no name. Otherwise the paper leaves a line for the name, to be filled in and signed by hand; a number is never printed as the name.',
    }),
  ),
})
export const Terminate = Body(
  {
    endDate: Maybe(DateOnly),
    reason: Maybe({
      ...Text({ max: 500, lines: true }),
      description: 'Required of a manager limited to some properties.',
    }),
    confirm: Maybe(
      Type.Boolean({
        description: 'Must be true if endDate is more than a month ago, because the rent of whole months is cancelled.',
      }),
    ),
  },
  { $id: 'BookingTerminate', examples: [{ endDate: '2026-03-31', reason: 'Départ du locataire' }] },
)
export type Terminate = Static<typeof Terminate>
/** Dates are civil days; what `leaveOn` may be is checked against the lease. */
export const NoticeCreate = Body(
  { by: oneOf(NOTICE_BY), leaveOn: DateOnly, reason: Maybe(Text({ max: 500, lines: true })) },
  { $id: 'NoticeCreate', examples: [{ by: 'TENANT', leaveOn: '2026-06-30', reason: 'Mutation' }] },
)
export type NoticeCreate = Static<typeof NoticeCreate>
export const Renew = Body(
  { endDate: Maybe(DateOnly), rentAmount: Maybe(Amount), depositAmount: Maybe(Amount) },
  { $id: 'BookingRenew', examples: [{ endDate: '2027-12-31', rentAmount: 90000 }] },
)
export type Renew = Static<typeof Renew>

type Given = NonNullable<BookingRow['notice']>
/** A notice to leave as it leaves the service. */
export const noticeView = (given: Given): Static<typeof Notice> =>
  dto({ ...given, inTime: given.earliestLeaveOn === null ? null : given.leaveOn >= given.earliestLeaveOn })

export const toBooking = ({ notice, ...row }: BookingRow): Booking => ({
  ...dto(
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
  ),
  ...(notice && { notice: noticeView(notice) }),
})

export const RentChange = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    bookingId: Uuid,
    from: { ...DateOnly, description: 'The first day of the new rent; it is the first day of a rent period.' },
    rentAmount: Type.Integer({ description: 'Net rent of a month from that day on. In XAF.' }),
    previousAmount: Type.Integer({ description: 'Net rent of a month until the day before. In XAF.' }),
    reason: Type.Optional(Type.String()),
    status: oneOf(RENT_CHANGE_STATUS, {
      description:
        'PROPOSED: waits for the tenant’s signature and has no effect yet · SCHEDULED: takes effect on its day · IN_FORCE: its day has come · CANCELLED: by the landlord, or declined by the tenant (declinedAt).',
    }),
    needsAgreement: Type.Boolean({ description: 'Whether it takes effect only once the tenant has signed.' }),
    documentId: { ...Uuid, description: 'Its paper, a LEASE_NOTICE: RENT_CHANGE, RIDER, or RIDER_SIGNED once signed.' },
    createdBy: Uuid,
    signedBy: Type.Optional({ ...Uuid, description: 'The tenant’s account that signed by code.' }),
    signedName: Type.Optional(Type.String({ description: 'The name as the signer typed it.' })),
    signedAt: Type.Optional(DateTime),
    channel: Type.Optional(PhoneChallenge.properties.channel),
    maskedNumber: Type.Optional(Type.String({ description: 'The number on file that the code was sent to.' })),
    mediaObjectId: Type.Optional({ ...Uuid, description: 'The scan of the rider signed on paper.' }),
    createdAt: DateTime,
    cancelledAt: Type.Optional(DateTime),
    declinedAt: Type.Optional({
      ...DateTime,
      description: 'When the tenant declined to sign it; since then it is CANCELLED.',
    }),
    declinedReason: Type.Optional(Type.String({ description: 'The reason, in the tenant’s words.' })),
  },
  { $id: 'RentChange' },
)
export type RentChange = Static<typeof RentChange>

export const RentChangeCreate = Body(
  {
    from: {
      ...DateOnly,
      description: 'The first day of a rent period: the current one, or a later one within five years.',
    },
    rentAmount: Amount,
    rentCurrency: Maybe(Currency),
    reason: Maybe(Text({ max: 500, lines: true })),
    confirm: Maybe(
      Type.Boolean({
        description: 'Must be true if periods from that day on are already paid; they keep the rent that was paid.',
      }),
    ),
  },
  { $id: 'RentChangeCreate', examples: [{ from: '2026-04-01', rentAmount: 90000, reason: 'Révision annuelle' }] },
)
export type RentChangeCreate = Static<typeof RentChangeCreate>

export const RentDecline = Body(
  { reason: Maybe(Text({ max: 500, lines: true })) },
  { $id: 'RentChangeDecline', examples: [{ reason: 'La hausse est trop forte pour nous.' }] },
)
export type RentDecline = Static<typeof RentDecline>

export const toRentChange = ({ fromDate, ...row }: RentChangeRow): RentChange => ({
  from: fromDate,
  ...dto(row, 'updatedAt', 'version'),
})
