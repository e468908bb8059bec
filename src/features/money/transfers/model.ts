import { type Static, Type } from '@sinclair/typebox'
import type { TransferRow } from '../../../../db/schema/payments.ts'
import { CURRENCY } from '../../../core/money.ts'
import { dtoOf } from '../../../http/json.ts'
import {
  BookingId,
  CreatedAt,
  CurrencyCode,
  exampleId,
  Id,
  InvoiceId,
  OrgId,
  PaidOn,
  RecordedBy,
} from '../../../http/members.ts'
import { Body, Maybe, oneOf, PositiveAmount, Uuid } from '../../../http/schema.ts'
import { TRANSFER_STATE } from '../allocations/rules.ts'
import { PaymentCreate } from '../payments/model.ts'
import { MOST_PARTS, PART_KINDS } from './rules.ts'

const share = (description: string) =>
  Type.Array(
    Type.Object({
      id: { ...Uuid, description: 'The id of the payment or deposit entry.' },
      bookingId: BookingId,
      amount: PositiveAmount,
    }),
    { description },
  )

export const Transfer = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    direction: Type.Integer({
      enum: [1, -1],
      description: '1: the money came in. -1: it was paid back.',
      examples: [1],
    }),
    amount: PositiveAmount,
    currency: CurrencyCode,
    method: PaymentCreate.properties.method,
    paidOn: PaidOn,
    reference: Type.Optional(
      Type.String({ description: "The payer's or operator's reference.", examples: ['7712345678'] }),
    ),
    payerName: Type.Optional(Type.String({ description: 'Who paid, where that was told.' })),
    payerNumber: Type.Optional(Type.String({ description: 'The phone number of who paid, where that was told.' })),
    proofMediaId: Type.Optional({ ...Uuid, description: 'A picture or PDF that proves it: a media object.' }),
    note: Type.Optional(Type.String({ description: 'A note.' })),
    unattributedAmount: Type.Integer({
      minimum: 0,
      description: 'The part that nobody is named for yet, in XAF. Attribute it once you know.',
    }),
    state: oneOf(TRANSFER_STATE, {
      $id: 'TransferState',
      description:
        'PENDING: it waits for a word. POSTED: it counts. VOID: it was refused. REVERSED: it no longer counts.',
      examples: ['POSTED'],
    }),
    recordedBy: RecordedBy,
    createdAt: CreatedAt,
    payments: share('Its shares that are payments: one for each lease, or, while cash waits, one for each part.'),
    deposits: share('Its shares that went to deposits: entries of the ledger of the lease.'),
  },
  {
    $id: 'Transfer',
    description: 'Money that changed hands once, and its shares: payments and deposit entries of one lease or several.',
  },
)

const PartInput = Type.Object(
  {
    bookingId: Maybe({ ...BookingId, description: 'The lease of an ADVANCE or a DEPOSIT; an invoice has its own.' }),
    invoiceId: Maybe({ ...InvoiceId, description: 'For INVOICE: an open invoice.' }),
    kind: oneOf(PART_KINDS, {
      $id: 'TransferPartKind',
      description:
        'INVOICE: pays this invoice. ADVANCE: pays what is open on the lease, then coming periods. DEPOSIT: is held as its deposit.',
      examples: ['INVOICE'],
    }),
    amount: PositiveAmount,
  },
  { additionalProperties: false },
)
const { as: _as, ...received } = PaymentCreate.properties
export const TransferCreate = Body(
  {
    ...received,
    unattributedAmount: Maybe({
      ...PositiveAmount,
      description:
        'The part that nobody is named for yet: by managers of the whole organization. It counts as received by nobody until it is attributed.',
    }),
    parts: Type.Array(PartInput, {
      maxItems: MOST_PARTS,
      description:
        'What the money is for. The amounts, with `unattributedAmount`, add up to that of the transfer; each target stands once.',
    }),
  },
  {
    $id: 'TransferCreate',
    examples: [
      {
        amount: 205_000,
        method: 'MTN_MOMO',
        paidOn: '2026-03-05',
        reference: '7712345678',
        parts: [
          { bookingId: exampleId(19), kind: 'DEPOSIT', amount: 120_000 },
          { invoiceId: exampleId(20), kind: 'INVOICE', amount: 85_000 },
        ],
      },
    ],
  },
)
export type TransferCreate = Static<typeof TransferCreate>

export const TransferAttribution = Body(
  {
    parts: Type.Array(PartInput, {
      minItems: 1,
      maxItems: MOST_PARTS,
      description: 'What it is for: at most `unattributedAmount` in all; each target stands once.',
    }),
  },
  {
    $id: 'TransferAttribution',
    examples: [{ parts: [{ invoiceId: exampleId(20), kind: 'INVOICE', amount: 85_000 }] }],
  },
)
export type TransferAttribution = Static<typeof TransferAttribution>

const shown = dtoOf<TransferRow>()('row', 'operator', 'trace', 'told', 'updatedAt', 'version')
export const toTransfer = (row: TransferRow) => ({ ...shown(row), currency: CURRENCY })
