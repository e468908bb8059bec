import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/cache.ts'
import { Body, DateOnly, DateTime, Maybe, oneOf, PositiveAmount, Text, Uuid } from '../../../http/schema.ts'
import { MESSAGE_STATUS, OPERATORS } from './rules.ts'
import type { MoneyMessageRow } from './store.ts'

const MessageText = Text({ max: 1000, lines: true })
const EXAMPLE =
  'You have received 85,000 XAF from NGO BASSA MARIE (237677123456) on your mobile money account at 2026-03-05 16:30:51. Your new balance: 112,500 XAF. Financial Transaction Id: 7712345678.'
export const MessageParse = Body({ text: MessageText }, { examples: [{ text: EXAMPLE }] })
export const MessageTake = Body(
  { text: MessageText, invoiceId: Maybe(Uuid), bookingId: Maybe(Uuid) },
  {
    $id: 'MessageTake',
    'x-one-of': { ForInvoice: { has: ['invoiceId'] }, ForBooking: { has: ['bookingId'] }, ForWhomItFits: {} },
    examples: [{ text: EXAMPLE }],
  },
)
export type MessageTake = Static<typeof MessageTake>
export const MessageAssign = Body(
  { invoiceId: Maybe(Uuid), bookingId: Maybe(Uuid) },
  {
    $id: 'MessageAssign',
    'x-one-of': { ToInvoice: { has: ['invoiceId'] }, ToBooking: { has: ['bookingId'] } },
    examples: [{ invoiceId: '01985f3a-7c00-7000-8000-000000000014' }],
  },
)
export type MessageAssign = Static<typeof MessageAssign>

const read = {
  operator: oneOf(OPERATORS, { $id: 'MobileMoneyOperator' }),
  transactionId: Type.String(),
  amount: PositiveAmount,
  currency: Type.String(),
  payerNumber: Type.Optional(Type.String()),
  payerName: Type.Optional(Type.String()),
}
const Candidate = Type.Object(
  {
    bookingId: Uuid,
    tenantId: Uuid,
    tenantName: Type.String(),
    unitLabel: Type.String(),
    propertyName: Type.String(),
    by: oneOf(['PHONE', 'NAME'] as const, {
      $id: 'MatchedBy',
      description: 'The part of the message that matched the tenant.',
    }),
    openAmount: Type.Integer({ description: 'The open amount of the lease.' }),
    invoiceId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The invoice whose balance equals the amount.' }),
    ),
  },
  { $id: 'MessageCandidate' },
)
export type Candidate = Static<typeof Candidate>
export const ParsedMessage = Type.Object(
  {
    ...read,
    paidOn: Type.Optional(DateOnly),
    paymentId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The payment in which this transaction is already recorded.' }),
    ),
    candidates: Type.Array(Candidate),
  },
  {
    $id: 'ParsedMessage',
    description: 'The content of a credit message, and the leases it may belong to. Nothing is recorded.',
  },
)
export type ParsedMessage = Static<typeof ParsedMessage>

export const MoneyMessage = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    ...read,
    paidOn: DateOnly,
    status: oneOf(MESSAGE_STATUS, { description: 'UNMATCHED: waits to be assigned or dismissed.' }),
    paymentId: Type.Optional(Uuid),
    recordedBy: Uuid,
    createdAt: DateTime,
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
