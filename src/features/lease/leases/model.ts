import { type Static, Type } from '@sinclair/typebox'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { dto } from '../../../http/json.ts'
import {
  BookingId,
  CancelledAt,
  CreatedAt,
  Id,
  OrgId,
  PropertyId,
  PropertyName,
  TenantId,
  TenantUserId,
  UnitId,
  UnitLabel,
} from '../../../http/members.ts'
import {
  Amount,
  As,
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
import {
  BOOKING_STATUS,
  MOST_PAYERS,
  NOTICE_BY,
  PAYER_SOURCES,
  RENT_CHANGE_STATUS,
  type StandingNotice,
  UNSEEN,
} from './rules.ts'
import type { Payers as PayersOfLease, RentChangeRow } from './store.ts'

const StartDate = { ...DateOnly, description: 'The first day of the lease.', examples: ['2026-01-01'] }
const EndDate = {
  ...DateOnly,
  description: 'The last day of the lease; a lease without it is open-ended.',
  examples: ['2026-12-31'],
}
const Reason = Type.String({ description: 'The reason, for the record.' })
const RentCurrency = { ...Currency, description: 'The currency of rentAmount; XAF if omitted.' }
const DepositAmount = { ...Amount, description: 'The agreed deposit, in XAF.' }
const DepositCurrency = { ...Currency, description: 'The currency of depositAmount; XAF if omitted.' }
const OpeningBalance = {
  ...Amount,
  description: 'The debt in XAF when the lease was entered: an invoice of its own, overdue at once.',
}
const RentAmount = { ...Amount, description: 'The net monthly rent, in XAF.' }

const DueDay = Type.Integer({ minimum: 1, maximum: 28 })
const NoticeMonths = Type.Integer({
  minimum: 0,
  maximum: 24,
  description: 'The months of notice, printed in the lease.',
  examples: [3],
})

const RENT_BY_AGREEMENT =
  'Whether a higher rent takes effect only once the tenant has signed it; true if omitted. That of a business lease does even where this is false, unless `reviewClause` allows it.'
const Trade = Text({
  max: 200,
  description: 'The trade carried on in business premises, printed in the lease.',
  examples: ['Vente de tissus'],
})
const REVIEW_CLAUSE =
  'The clause by which the rent of a business lease is raised without a new agreement, for periods that have not begun.'
const reviewClause = {
  formula: Text({
    max: 500,
    description: 'How the new rent is found, printed in the lease and on each notice of a rise.',
    examples: ['Indice des prix à la consommation, plus 5 % au plus'],
  }),
  from: { ...DateOnly, description: 'The first day of a reviewed rent.', examples: ['2027-01-01'] },
}
const ReviewClause = Type.Object(reviewClause, { $id: 'ReviewClause' })
const ReviewClauseSet = Type.Object(reviewClause, { additionalProperties: false, description: REVIEW_CLAUSE })
const Notice = Type.Object(
  {
    by: oneOf(NOTICE_BY, { $id: 'LeaseSide', description: 'Who gave the notice.' }),
    enteredBy: { ...Uuid, description: 'The user who gave or recorded it.' },
    givenOn: { ...DateOnly, description: 'The day on which it was given.' },
    leaveOn: {
      ...DateOnly,
      description: 'The last day of the lease, on which it ends and is settled where `endsLease` is true.',
    },
    reason: Type.Optional(Reason),
    noticeMonths: Type.Optional(
      Type.Integer({
        description: 'The months of notice required by the lease; absent if none are agreed.',
        examples: [3],
      }),
    ),
    earliestLeaveOn: Type.Optional({
      ...DateOnly,
      description:
        'The earliest day that noticeMonths allow, and the law where the landlord ends an open-ended business lease.',
    }),
    inTime: Type.Optional(
      Type.Boolean({
        description: 'Whether leaveOn is not before earliestLeaveOn; a shorter notice is recorded all the same.',
      }),
    ),
    endsLease: Type.Boolean({
      description:
        'Whether the lease ends on leaveOn without further action; false for a notice shorter than the law allows.',
      examples: [true],
    }),
    endDate: Type.Optional({
      ...DateOnly,
      description: 'The end date that applies again if the notice is withdrawn.',
      examples: ['2026-12-31'],
    }),
    autoRenew: Type.Boolean({
      description: 'The autoRenew that applies again if the notice is withdrawn.',
      examples: [true],
    }),
  },
  { $id: 'LeaseNotice' },
)

export const Booking = Type.Object(
  {
    id: { ...Id, examples: BookingId.examples },
    orgId: OrgId,
    unitId: UnitId,
    propertyId: PropertyId,
    tenantId: TenantId,
    tenantUserId: Type.Optional(TenantUserId),
    tenantName: Type.String({
      description: "The tenant's name; if the caller may not see it, the number or its last digits.",
      examples: ['Ngo Bassa Marie-Claire'],
    }),
    unitLabel: UnitLabel,
    propertyName: PropertyName,
    startDate: StartDate,
    endDate: Type.Optional(EndDate),
    rentAmount: Type.Integer({ description: 'Net rent of a month.', examples: [85_000] }),
    rentCurrency: Type.String({ description: 'The currency of rentAmount; XAF if omitted.', examples: ['XAF'] }),
    depositAmount: Type.Optional(Type.Integer({ description: 'The agreed deposit, in XAF.', examples: [170_000] })),
    depositCurrency: Type.Optional(
      Type.String({ description: 'The currency of depositAmount; XAF if omitted.', examples: ['XAF'] }),
    ),
    tvaBasisPoints: Type.Integer({ description: 'The rate of VAT in basis points: 1925 is 19.25 %.' }),
    noticeMonths: Type.Optional(NoticeMonths),
    dueDay: Type.Optional({
      ...DueDay,
      description:
        'The day of the month on which rent is due; if absent, rent is due five days after the period begins.',
      examples: [5],
    }),
    autoRenew: Type.Boolean({ description: 'Goes on month by month after endDate.', examples: [true] }),
    billFrom: Type.Optional({
      ...DateOnly,
      description: 'Only periods that begin on this day or later are billed.',
    }),
    openingBalance: Type.Optional(
      Type.Integer({ description: 'What the tenant owed when the lease was entered in Loyer.' }),
    ),
    locale: Locale,
    status: oneOf(BOOKING_STATUS, {
      description: 'The current status; the operations change it.',
      examples: ['ACTIVE'],
    }),
    rentByAgreement: Type.Optional(Type.Boolean({ description: RENT_BY_AGREEMENT })),
    trade: Type.Optional(Trade),
    reviewClause: Type.Optional(As(ReviewClause, REVIEW_CLAUSE)),
    nextRentOn: Type.Optional({ ...DateOnly, description: 'The day from which nextRentAmount is the rent.' }),
    nextRentAmount: Type.Optional(Type.Integer({ description: 'Net rent of a month from nextRentOn on. In XAF.' })),
    notice: Type.Optional(As(Notice, 'The notice to leave, while one is in force.')),
    creditAmount: Type.Integer({ description: 'The remainder of confirmed payments; the next invoice uses it.' }),
    requestedBy: Type.Optional({
      ...Uuid,
      description: 'The tenant who requested the unit, if the lease began as a request.',
    }),
    renewsBookingId: Type.Optional({ ...Uuid, description: 'The lease that this one renews.' }),
    terminationReason: Type.Optional(Type.String({ description: 'Why the lease ended.' })),
    createdAt: CreatedAt,
    submittedAt: Type.Optional({
      ...DateTime,
      description: 'When it was sent out.',
      examples: ['2025-12-20T09:45:00.000Z'],
    }),
    activatedAt: Type.Optional({
      ...DateTime,
      description: 'When it became active.',
      examples: ['2025-12-22T16:05:00.000Z'],
    }),
    terminatedAt: Type.Optional({ ...DateTime, description: 'When it was ended.' }),
    cancelledAt: Type.Optional(CancelledAt),
    coveredUntil: InLists(
      { ...DateOnly, examples: ['2026-03-31'] },
      'The last day of rent that is paid without a gap.',
    ),
    openAmount: InLists(Type.Integer({ minimum: 0, examples: [85_000] }), 'The open amount of its invoices. In XAF.'),
    depositHeldAmount: InLists(
      Type.Integer({ minimum: 1, examples: [170_000] }),
      'The deposit held for a lease that has ended; the tenant is asked for openAmount less this. In XAF.',
    ),
    signatures: InLists(
      Type.Object(
        {
          landlord: Type.Boolean({ description: 'Whether the landlord has signed, or a manager for them.' }),
          tenant: Type.Boolean({ description: 'Whether the tenant has signed.' }),
        },
        { $id: 'SignedBy', description: 'Who has signed the current text. Only in lists.' },
      ),
      'Who has signed the text that is out.',
    ),
  },
  { $id: 'Booking' },
)
export type Booking = Static<typeof Booking>

export const BookingCreate = Body(
  {
    unitId: UnitId,
    tenantUserId: Maybe(TenantUserId),
    tenantId: Maybe(TenantId),
    tenantPhoneNumber: Maybe(Phone),
    startDate: StartDate,
    endDate: Maybe(EndDate),
    rentAmount: Maybe({ ...Amount, description: 'The net monthly rent, in XAF; that of the unit if omitted.' }),
    rentCurrency: Maybe(RentCurrency),
    depositAmount: Maybe(DepositAmount),
    depositCurrency: Maybe(DepositCurrency),
    tvaBasisPoints: Maybe({
      ...BasisPoints,
      description:
        'The rate of VAT in basis points: 1925 is 19.25 %. If omitted: the rate of the organization for business premises, otherwise 0.',
    }),
    noticeMonths: Maybe(NoticeMonths),
    dueDay: Maybe({
      ...DueDay,
      description: "The day of the month on which rent is due; the organization's if omitted.",
    }),
    autoRenew: Maybe(
      Type.Boolean({
        description: 'Whether it continues month by month after endDate; by the type of the property if omitted.',
      }),
    ),
    billFrom: Maybe({
      ...DateOnly,
      description:
        'Only periods that begin on this day or later are billed, at most ten years back; enter earlier debts as openingBalance. If omitted: startDate for a lease that began at most two months before it is entered, otherwise 31 days before that.',
    }),
    openingBalance: Maybe(OpeningBalance),
    locale: Maybe({ ...Locale, description: "The language of messages and papers; the tenant's if omitted." }),
    rentByAgreement: Maybe(Type.Boolean({ description: RENT_BY_AGREEMENT })),
    trade: Maybe(Trade),
    reviewClause: Maybe(ReviewClauseSet),
  },
  {
    $id: 'BookingCreate',
    ways: {
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
  startDate: Type.Optional(StartDate),
  endDate: Maybe(EndDate),
  rentAmount: Type.Optional(RentAmount),
  rentCurrency: Maybe(RentCurrency),
  depositAmount: Maybe(DepositAmount),
  depositCurrency: Maybe(DepositCurrency),
  tvaBasisPoints: Type.Optional({ ...BasisPoints, description: 'The rate of VAT in basis points: 1925 is 19.25 %.' }),
  noticeMonths: Maybe(NoticeMonths),
  dueDay: Maybe({
    ...DueDay,
    description: 'The day of the month on which rent is due; if absent, rent is due five days after the period begins.',
  }),
  autoRenew: Type.Optional(Type.Boolean({ description: 'Whether the lease continues month by month after endDate.' })),
  billFrom: Maybe({
    ...DateOnly,
    description: 'Only periods that begin on this day or later are billed; at most ten years back.',
  }),
  openingBalance: Maybe(OpeningBalance),
  locale: Type.Optional(Locale),
  rentByAgreement: Maybe(Type.Boolean({ description: RENT_BY_AGREEMENT })),
  trade: Maybe(Trade),
  reviewClause: Maybe(ReviewClauseSet),
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
    endDate: Maybe({
      ...DateOnly,
      description:
        'The last day of the lease, today at the latest. If omitted: today, or the end of the lease if that was earlier.',
    }),
    reason: Maybe(Text({ max: 500, lines: true, description: 'Required of a manager limited to some properties.' })),
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
  {
    by: oneOf(NOTICE_BY, { description: 'Who gives the notice.' }),
    leaveOn: { ...DateOnly, description: 'The last day of the lease.' },
    reason: Maybe(Text({ max: 500, lines: true, description: 'The reason, for the record.' })),
    confirm: Maybe(
      Type.Boolean({
        description:
          'Must be true where the landlord ends an open-ended business lease sooner than the law allows; the lease then does not end by itself.',
      }),
    ),
  },
  { $id: 'NoticeCreate', examples: [{ by: 'TENANT', leaveOn: '2026-06-30', reason: 'Mutation' }] },
)
export type NoticeCreate = Static<typeof NoticeCreate>
export const Renew = Body(
  {
    endDate: Maybe({
      ...DateOnly,
      description: 'The last day of the renewal; a lease without it is open-ended.',
      examples: ['2026-12-31'],
    }),
    rentAmount: Maybe({ ...Amount, description: 'The net monthly rent, in XAF; unchanged if omitted.' }),
    depositAmount: Maybe({ ...Amount, description: 'The agreed deposit, in XAF; unchanged if omitted.' }),
  },
  { $id: 'BookingRenew', examples: [{ endDate: '2027-12-31', rentAmount: 90000 }] },
)
export type Renew = Static<typeof Renew>

/** A notice to leave as it leaves the service. */
export const noticeView = ({ tooShort, ...notice }: StandingNotice): Static<typeof Notice> =>
  dto({
    ...notice,
    endsLease: tooShort !== true,
    inTime: notice.earliestLeaveOn === null ? null : notice.leaveOn >= notice.earliestLeaveOn,
  })

export const toBooking = ({ notice, ...row }: BookingRow): Booking => ({
  ...dto(row, ...UNSEEN, 'updatedAt', 'version'),
  ...(notice && { notice: noticeView(notice) }),
})

export const RentChange = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    bookingId: BookingId,
    from: {
      ...DateOnly,
      description: 'The first day of the new rent; it is the first day of a rent period.',
      examples: ['2026-03-01'],
    },
    rentAmount: Type.Integer({ description: 'Net rent of a month from that day on. In XAF.', examples: [85_000] }),
    previousAmount: Type.Integer({
      description: 'Net rent of a month until the day before. In XAF.',
      examples: [80_000],
    }),
    reason: Type.Optional(Reason),
    status: oneOf(RENT_CHANGE_STATUS, {
      description:
        'PROPOSED: waits for the tenant’s signature and has no effect yet · SCHEDULED: takes effect on its day · IN_FORCE: its day has come · CANCELLED: by the landlord, or declined by the tenant (declinedAt).',
    }),
    needsAgreement: Type.Boolean({ description: 'Whether it takes effect only once the tenant has signed.' }),
    documentId: { ...Uuid, description: 'Its paper, a LEASE_NOTICE: RENT_CHANGE, RIDER, or RIDER_SIGNED once signed.' },
    createdBy: { ...Uuid, description: 'The user who announced it.' },
    signedBy: Type.Optional({ ...Uuid, description: 'The tenant’s account that signed by code.' }),
    signedName: Type.Optional(Type.String({ description: 'The name as the signer typed it.' })),
    signedAt: Type.Optional({ ...DateTime, description: 'When the signature was confirmed by the code.' }),
    channel: Type.Optional(PhoneChallenge.properties.channel),
    maskedNumber: Type.Optional(
      Type.String({ description: 'The number on file that the code was sent to.', examples: ['+237 *** *** 456'] }),
    ),
    mediaObjectId: Type.Optional({ ...Uuid, description: 'The scan of the rider signed on paper.' }),
    createdAt: CreatedAt,
    cancelledAt: Type.Optional(CancelledAt),
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
      examples: ['2026-03-01'],
    },
    rentAmount: RentAmount,
    rentCurrency: Maybe(RentCurrency),
    reason: Maybe(
      Text({
        max: 500,
        lines: true,
        description:
          'The reason, for the record; required of a manager limited to some properties who lowers the rent.',
      }),
    ),
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
  { reason: Maybe(Text({ max: 500, lines: true, description: 'The reason, for the record.' })) },
  { $id: 'RentChangeDecline', examples: [{ reason: 'La hausse est trop forte pour nous.' }] },
)
export type RentDecline = Static<typeof RentDecline>

export const toRentChange = ({ fromDate, ...row }: RentChangeRow): RentChange => ({
  from: fromDate,
  ...dto(row, 'updatedAt', 'version'),
})

const PayerName = { description: 'The name of who pays: a person or a company.', examples: ['Société Kamga SARL'] }
const kiosk = {
  description: 'The number is that of a kiosk: money from it is never booked by itself, whatever else is known of it.',
}
export const Payers = Type.Object(
  {
    id: { ...Uuid, description: 'The id of the lease.' },
    payers: Type.Array(
      Type.Object(
        {
          fullName: Type.Optional(Type.String(PayerName)),
          phoneNumber: Type.Optional(Type.String({ description: 'Their number.', examples: ['+237677123456'] })),
          kiosk: Type.Boolean(kiosk),
          source: oneOf(PAYER_SOURCES, {
            $id: 'LeasePayerSource',
            description:
              'How they became known. MESSAGE: by an operator’s message that somebody put on the lease. PAYMENT: by a payment recorded by hand. ENTERED: in this list.',
            examples: ['MESSAGE'],
          }),
          createdAt: { ...CreatedAt, description: 'Since when they are known.' },
        },
        { $id: 'LeasePayer' },
      ),
      {
        description:
          'Whoever pays for the lease besides its tenant and co-tenants, in the order in which they became known.',
      },
    ),
  },
  { $id: 'LeasePayers' },
)
export const PayersPut = Body(
  {
    payers: Type.Array(
      Body({
        fullName: Maybe(Text({ max: 100, ...PayerName })),
        phoneNumber: Maybe(Phone),
        kiosk: Maybe(Type.Boolean(kiosk)),
      }),
      {
        maxItems: MOST_PAYERS,
        description: 'All payers, each with a number or a name; those not listed are removed from the lease.',
      },
    ),
  },
  {
    $id: 'LeasePayersPut',
    examples: [{ payers: [{ fullName: 'Société Kamga SARL', phoneNumber: '+237699123456', kiosk: false }] }],
  },
)
export type PayersPut = Static<typeof PayersPut>

export const toPayers = ({ id, rows }: PayersOfLease): Static<typeof Payers> => ({
  id,
  payers: rows.map((row) => dto(row, 'id', 'orgId', 'bookingId', 'updatedAt', 'version')),
})
