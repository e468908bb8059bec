import { type Static, Type } from '@sinclair/typebox'
import type { PaymentRow } from '../../../../db/schema/payments.ts'
import { PAID_BY, PAYMENT_METHODS } from '../../../core/money.ts'
import { dto, dtoOf, without } from '../../../http/json.ts'
import {
  BookingId,
  CreatedAt,
  CurrencyCode,
  Id,
  InvoiceId,
  OrgId,
  PaidOn,
  PropertyId,
  PropertyName,
  RecordedBy,
  TenantId,
  TenantName,
  UnitLabel,
} from '../../../http/members.ts'
import {
  As,
  Body,
  Currency,
  DateOnly,
  DateTime,
  Maybe,
  oneOf,
  Phone,
  PositiveAmount,
  Text,
  Uuid,
} from '../../../http/schema.ts'
import { LONGEST_MESSAGE, MESSAGE_STATUS, MOST_MESSAGES, OPERATORS, PAYMENT_STATUS, UNREADABLE } from './rules.ts'
import type { MoneyMessageRow } from './store.ts'

const ProofMediaId = { ...Uuid, description: 'A picture or PDF that proves the payment: a media object.' }

export const Payment = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    bookingId: BookingId,
    propertyId: PropertyId,
    type: oneOf(['PAYMENT', 'REFUND'] as const, {
      description: 'REFUND: paid back to the tenant from the credit of the lease.',
      examples: ['PAYMENT'],
    }),
    amount: PositiveAmount,
    currency: CurrencyCode,
    method: oneOf(PAID_BY, {
      $id: 'PaidBy',
      description:
        "DEPOSIT: kept from the deposit by a deduction that names invoices; no money was received. SET_OFF: once a lease has ended, the credit and debts of the same tenant and owner offset each other automatically, as a REFUND of one lease's credit and a PAYMENT of the other's invoices at the same moment. No money was moved.",
      examples: ['MTN_MOMO'],
    }),
    paidOn: PaidOn,
    reference: Type.Optional(
      Type.String({
        description: 'A transaction id of MTN_MOMO or ORANGE_MONEY is stored in one spelling.',
        examples: ['7712345678'],
      }),
    ),
    proofMediaId: Type.Optional(ProofMediaId),
    status: oneOf(PAYMENT_STATUS, {
      description: 'The current status; the operations change it.',
      examples: ['CONFIRMED'],
    }),
    invoiceIds: Type.Array(InvoiceId, { description: 'The invoices that it paid.' }),
    unallocatedAmount: Type.Optional(
      Type.Integer({ description: "The part that is on no invoice; it is part of the lease's credit." }),
    ),
    recordedBy: Type.Optional({ ...Uuid, description: 'Absent for a SET_OFF, which nobody records.' }),
    receivedBy: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          "The person who received the cash, if it is not the person who recorded it. While PENDING, the payment waits for that person's confirmation, does not count and has no receipt. The same as recordedBy: a manager limited to some properties took it, in cash or by a method without a trace, and it waits for the owner or a manager of all properties (`confirmCash` of the organization).",
      }),
    ),
    decidedBy: Type.Optional({ ...Uuid, description: 'The user who confirmed, rejected or reversed it.' }),
    note: Type.Optional(Type.String({ description: 'A note to the other side.' })),
    documentId: Type.Optional({ ...Uuid, description: 'The document created from it.' }),
    counterpartId: Type.Optional({
      ...Uuid,
      description: 'For a SET_OFF: the REFUND of the other lease that paid it, or the PAYMENT there that it became.',
    }),
    createdAt: CreatedAt,
    confirmedAt: Type.Optional({
      ...DateTime,
      description: 'When it was confirmed.',
      examples: ['2026-03-04T10:12:30.000Z'],
    }),
    /** When it was rejected, withdrawn or reversed. */
    closedAt: Type.Optional({ ...DateTime, description: 'When it was rejected, withdrawn or reversed.' }),
    tenantId: Type.Optional(TenantId),
    tenantName: Type.Optional(TenantName),
    unitLabel: Type.Optional(UnitLabel),
    propertyName: Type.Optional(PropertyName),
    invoiceNumbers: Type.Optional(
      Type.Array(Type.String(), { description: 'The numbers of its invoices, in the order of invoiceIds.' }),
    ),
    transferId: Type.Optional({
      ...Uuid,
      description: 'The transfer that it is a share of; not for tenants, and absent where no money was moved.',
    }),
    parts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            kind: oneOf(['INVOICE', 'ADVANCE'] as const, {
              $id: 'PaymentPartKind',
              description: "INVOICE: on this invoice. ADVANCE: on none, in the lease's credit.",
              examples: ['INVOICE'],
            }),
            invoiceId: Type.Optional(InvoiceId),
            amount: PositiveAmount,
          },
          { $id: 'PaymentPart' },
        ),
        { description: 'Where it is now; what was given back to the tenant is in no part. Empty unless CONFIRMED.' },
      ),
    ),
    recordedByName: Type.Optional(
      Type.String({
        description:
          'The name of the user who recorded it; not for tenants, and for an owner only if it is a tenant or staff.',
      }),
    ),
    decidedByName: Type.Optional(
      Type.String({ description: 'The name of the user who decided it; shown like recordedByName.' }),
    ),
    receivedByName: Type.Optional(
      Type.String({ description: 'The name of the person who received the cash; shown like recordedByName.' }),
    ),
    payer: Type.Optional(
      Type.String({
        description: 'Who paid on behalf of the tenant, where that was somebody else; the receipt names them.',
        examples: ['Société Kamga SARL'],
      }),
    ),
    receiverGone: Type.Optional(
      Type.Literal(true, {
        description:
          'For cash that waits: the person who received it no longer manages the property. An administrator who did not record the payment confirms it.',
      }),
    ),
  },
  { $id: 'Payment' },
)
export type Payment = Static<typeof Payment>

const members = {
  amount: PositiveAmount,
  currency: Maybe({ ...Currency, description: 'The currency of the amount; XAF if omitted.' }),
  method: oneOf(PAYMENT_METHODS, {
    description: 'The way it was paid; WITHHOLDING is tax that the tenant withheld.',
    examples: ['MTN_MOMO'],
  }),
  paidOn: {
    ...DateOnly,
    description:
      'From one year before the lease (or the first that it renews) began or was entered, to today; for a refund, not before the money that it gives back.',
    examples: ['2026-03-04'],
  },
  reference: Maybe(Text({ max: 100, description: "The payer's or operator's reference; unique for each method." })),
  proofMediaId: Maybe(ProofMediaId),
  payer: Maybe(
    Text({
      max: 100,
      description:
        'Who paid, if not the tenant: a person or a company. The lease remembers them (`/bookings/{id}/payers`).',
      examples: ['Société Kamga SARL'],
    }),
  ),
  payerNumber: Maybe({ ...Phone, description: 'The number that it was paid from, if not the tenant’s.' }),
}
/** Whether what is told is the same money as a declaration that waits. */
const declared = {
  same: Maybe({ ...Uuid, description: 'The declared payment that this is: it is confirmed.' }),
  distinct: Maybe(
    Type.Boolean({ description: 'This is other money than any payment that waits (409 `maybe_known`).' }),
  ),
}
const RECEIVER =
  'For CASH that another person received: the owner of the property, or a manager or administrator (`team` of the organization).'
export const PaymentCreate = Body(
  {
    ...members,
    ...declared,
    receivedBy: Maybe({
      ...Uuid,
      description: `${RECEIVER} Where the organization confirms cash (\`confirmCash\`), it stays PENDING until they confirm it.`,
    }),
    as: Maybe(
      oneOf(['TENANT'] as const, {
        description:
          'For a landlord who also rents: declares the payment as the tenant of this invoice, and never confirms it.',
      }),
    ),
  },
  {
    $id: 'PaymentCreate',
    examples: [{ amount: 85000, method: 'MTN_MOMO', paidOn: '2026-03-05', reference: '7712345678' }],
  },
)
export type PaymentCreate = Static<typeof PaymentCreate>
const Reason = Text({ max: 500, lines: true })
export const AdvanceCreate = Body(
  {
    ...members,
    ...declared,
    type: Maybe(
      oneOf(['PAYMENT', 'REFUND'] as const, {
        description: 'A REFUND cannot use WITHHOLDING, which went to the State.',
      }),
    ),
    reason: Maybe({
      ...Reason,
      description: 'For a REFUND only: why. Required of everybody but the owner of the property.',
    }),
    receivedBy: Maybe({
      ...Uuid,
      description: `${RECEIVER} Where the organization confirms cash (\`confirmCash\`), it stays PENDING and pays nothing until they confirm it.`,
    }),
  },
  { $id: 'AdvanceCreate', examples: [{ amount: 510000, method: 'CASH', paidOn: '2026-03-05' }] },
)
export type AdvanceCreate = Static<typeof AdvanceCreate>
export type Refund = Omit<AdvanceCreate, 'type'>
export const Advance = Type.Object(
  {
    payment: As(Payment, 'The payment that was recorded.'),
    invoiceIds: Type.Array(InvoiceId, { description: 'The invoices that it paid.' }),
    creditAmount: Type.Integer({
      minimum: 0,
      description: 'The credit that is left, in XAF; the next invoice uses it.',
    }),
    coveredUntil: Type.Optional({
      ...DateOnly,
      description: 'The last day up to which rent is paid without a gap.',
      examples: ['2026-03-31'],
    }),
  },
  {
    $id: 'Advance',
    description:
      'What an advance paid: the invoices, the remaining credit, and the last day that is paid without a gap.',
  },
)
export const Decision = Body(
  { reason: Maybe({ ...Reason, description: 'The reason, which the other side reads.' }) },
  { $id: 'PaymentDecision', examples: [{ reason: 'Vu sur le relevé MTN du 5 mars.' }] },
)
export const Confirmation = Body(
  {
    ...Decision.properties,
    distinct: Maybe(Type.Boolean({ description: 'This is other money than the payment of 409 `maybe_known`.' })),
  },
  { $id: 'PaymentConfirmation', examples: [{ reason: 'Vu sur le relevé MTN du 5 mars.' }] },
)
export type Decision = Static<typeof Decision>

/** Removes what says nothing from a payment's row. Single answers and lists use it alike. */
export const trimPayment = without({ unallocatedAmount: 0, recordedBy: 'system' })
export const toPayment = dtoOf<PaymentRow>(trimPayment)(
  'ownerUserId',
  'tenantUserId',
  'creditBookingId',
  'transfer',
  'updatedAt',
  'version',
)

export const AdvanceQuote = Type.Object(
  {
    months: Type.Integer({
      description: 'The number of coming months that it pays; fewer than requested if the lease ends before.',
      examples: [1],
    }),
    currency: CurrencyCode,
    openAmount: Type.Integer({ description: 'The amount already owed; it is paid first.', examples: [85_000] }),
    creditAmount: Type.Integer({ description: "The tenant's credit; it is used first." }),
    amount: Type.Integer({
      description: 'The amount of the payment to record: openAmount plus the coming months, less creditAmount.',
      examples: [85_000],
    }),
    coveredUntil: Type.Optional({
      ...DateOnly,
      description: 'The last day that this payment covers.',
      examples: ['2026-03-31'],
    }),
  },
  { $id: 'AdvanceQuote' },
)

type Paid = {
  readonly payment: Parameters<typeof toPayment>[0]
  readonly invoiceIds: readonly string[]
  readonly creditAmount: number
  readonly coveredUntil: string | undefined
}
export const toAdvance = ({ payment, invoiceIds, coveredUntil, creditAmount }: Paid) => ({
  payment: toPayment(payment),
  invoiceIds: [...invoiceIds],
  creditAmount,
  ...(coveredUntil === undefined ? {} : { coveredUntil }),
})

const MessageText = Text({
  max: LONGEST_MESSAGE,
  lines: true,
  description: 'The text of the message, word for word.',
  examples: [
    'You have received 85,000 XAF from NGO BASSA MARIE (237677123456) on your mobile money account at 2026-03-05 16:30:51. Your new balance: 112,500 XAF. Financial Transaction Id: 7712345678.',
  ],
})
const EXAMPLE =
  'You have received 85,000 XAF from NGO BASSA MARIE (237677123456) on your mobile money account at 2026-03-05 16:30:51. Your new balance: 112,500 XAF. Financial Transaction Id: 7712345678.'
export const MessageParse = Body(
  {
    text: {
      ...MessageText,
      maxLength: MOST_MESSAGES * LONGEST_MESSAGE,
      description: 'The text of the message, word for word, or of several.',
    },
  },
  { examples: [{ text: EXAMPLE }] },
)
export const MessageTake = Body(
  {
    text: MessageText,
    invoiceId: Maybe(InvoiceId),
    bookingId: Maybe(BookingId),
    paidOn: Maybe({
      ...DateOnly,
      description: 'The day of the payment, where the message has none; today if omitted.',
    }),
    ...declared,
  },
  {
    $id: 'MessageTake',
    ways: {
      ForInvoice: { has: ['invoiceId'] },
      ForBooking: { has: ['bookingId'] },
      ForDeclared: { has: ['same'], only: ['text', 'paidOn'] },
      ForWhomItFits: {},
    },
    examples: [{ text: EXAMPLE }],
  },
)
export type MessageTake = Static<typeof MessageTake>
export const MessageAssign = Body(
  { invoiceId: Maybe(InvoiceId), bookingId: Maybe(BookingId), ...declared },
  {
    $id: 'MessageAssign',
    ways: {
      ToInvoice: { has: ['invoiceId'] },
      ToBooking: { has: ['bookingId'] },
      ToDeclared: { has: ['same'], only: [] },
    },
    examples: [{ invoiceId: '01985f3a-7c00-7000-8000-000000000014' }],
  },
)
export type MessageAssign = Static<typeof MessageAssign>

const read = {
  operator: oneOf(OPERATORS, { $id: 'MobileMoneyOperator', description: 'The operator that sent the message.' }),
  transactionId: Type.String({ description: "The operator's number of the transaction.", examples: ['7712345678'] }),
  amount: PositiveAmount,
  currency: CurrencyCode,
  payerNumber: Type.Optional(
    Type.String({ description: 'The phone number of the payer.', examples: ['+237677123456'] }),
  ),
  payerName: Type.Optional(
    Type.String({ description: "The payer's name, as the operator has it.", examples: ['NGO BASSA MARIE'] }),
  ),
}
const Candidate = Type.Object(
  {
    bookingId: BookingId,
    tenantId: TenantId,
    tenantName: TenantName,
    unitLabel: UnitLabel,
    propertyName: PropertyName,
    by: oneOf(['PHONE', 'KNOWN_PAYER', 'NAME'] as const, {
      $id: 'MatchedBy',
      description:
        'What the message has in common with the lease. PHONE: the number of its tenant or a co-tenant. KNOWN_PAYER: the number of who else pays for it. NAME: the name of its tenant.',
    }),
    openAmount: Type.Integer({ description: 'The open amount of the lease.', examples: [85_000] }),
    invoiceId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The invoice whose balance equals the amount.' }),
    ),
  },
  { $id: 'MessageCandidate' },
)
export type Candidate = Static<typeof Candidate>
const parsed = {
  ...read,
  paidOn: Type.Optional(PaidOn),
  paymentId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The payment in which this transaction is already recorded.' }),
  ),
  paymentStatus: Type.Optional(
    oneOf(PAYMENT_STATUS, { description: 'Its status; one that is PENDING is confirmed by taking the message.' }),
  ),
  candidates: Type.Array(Candidate, {
    description: 'The leases that the payment may belong to, the most likely first.',
  }),
}
const OneOfSeveral = Type.Object(
  {
    text: Type.String({ description: 'The text of this message, to be recorded with.', examples: [EXAMPLE] }),
    message: Type.Optional(
      Type.Object(parsed, { $id: 'ReadMessage', description: 'What it says, if it can be read.' }),
    ),
    unreadable: Type.Optional(oneOf(UNREADABLE, { description: 'Why it cannot be read.' })),
  },
  { $id: 'OneOfSeveralMessages' },
)
export const ParsedMessage = Type.Object(
  {
    ...parsed,
    text: Type.Optional(
      Type.String({ description: 'The text of this message, if there are others.', examples: [EXAMPLE] }),
    ),
    others: Type.Optional(Type.Array(OneOfSeveral, { description: 'The other messages of the text, in their order.' })),
  },
  {
    $id: 'ParsedMessage',
    description: 'The content of a credit message, and the leases it may belong to. Nothing is recorded.',
  },
)
export type ParsedMessage = Static<typeof ParsedMessage>

export const MoneyMessage = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    ...read,
    paidOn: PaidOn,
    status: oneOf(MESSAGE_STATUS, { description: 'UNMATCHED: waits to be assigned or dismissed.' }),
    paymentId: Type.Optional({ ...Uuid, description: 'The payment.' }),
    recordedBy: RecordedBy,
    createdAt: CreatedAt,
  },
  { $id: 'MoneyMessage' },
)
export type MoneyMessage = Static<typeof MoneyMessage>

export const toMessage = ({
  time: _t,
  balance: _b,
  updatedAt: _u,
  version: _v,
  ...row
}: MoneyMessageRow): MoneyMessage => dto(row)
