import { type Static, Type } from '@sinclair/typebox'
import { PAID_BY } from '../../../core/money.ts'
import { BookingId, CurrencyCode } from '../../../http/members.ts'
import { DateOnly, oneOf } from '../../../http/schema.ts'

const ENTRIES = ['INVOICE', 'CREDIT_NOTE', 'CREDIT_NOTE_WITHDRAWN', 'PAYMENT', 'REFUND', 'CARRIED'] as const
const Francs = Type.Integer({ minimum: 0 })
const AccountEntry = Type.Object({
  happenedOn: { ...DateOnly, description: 'The day on which it counts.' },
  kind: oneOf(ENTRIES, {
    $id: 'LeaseAccountKind',
    description:
      'CREDIT_NOTE: what was taken off an invoice; CREDIT_NOTE_WITHDRAWN: asked for again. CARRIED: money of this lease that pays for another one, or the reverse.',
  }),
  number: Type.Optional(
    Type.String({ description: 'Of an invoice or a credit note: its number.', examples: ['2026-000123'] }),
  ),
  method: Type.Optional(oneOf(PAID_BY, { description: 'Of a payment or a refund: how it was paid.' })),
  reference: Type.Optional(Type.String({ description: 'Of a payment or a refund: its reference.' })),
  debitAmount: { ...Francs, description: 'Owed by the tenant, in XAF.', examples: [85_000] },
  creditAmount: { ...Francs, description: 'Paid by the tenant or taken off, in XAF.' },
  balanceAmount: Type.Integer({
    description: 'Owed after it; negative: paid ahead. In XAF.',
    examples: [85_000],
  }),
})
export type AccountEntry = Static<typeof AccountEntry>

export const LeaseAccount = Type.Object(
  {
    bookingId: BookingId,
    currency: CurrencyCode,
    from: { ...DateOnly, description: 'The first day.' },
    to: { ...DateOnly, description: 'The last day.' },
    openingAmount: Type.Integer({ description: 'Owed before `from`; negative: paid ahead. In XAF.' }),
    rows: Type.Array(AccountEntry, { description: 'The entries in the order of their days.' }),
    debitAmount: { ...Francs, description: 'The sum of the debits, in XAF.', examples: [85_000] },
    creditAmount: { ...Francs, description: 'The sum of the credits, in XAF.' },
    balanceAmount: Type.Integer({
      description: 'openingAmount + debitAmount − creditAmount, in XAF.',
      examples: [85_000],
    }),
  },
  { $id: 'LeaseAccount' },
)
export type LeaseAccount = Static<typeof LeaseAccount>

export const Parameters = Type.Object(
  {
    from: Type.Optional({ ...DateOnly, description: 'The first day; everything if omitted.' }),
    to: Type.Optional({ ...DateOnly, description: 'The last day; today if omitted.' }),
    format: Type.Optional(oneOf(['json', 'pdf'], { description: 'json if omitted.' })),
    locale: Type.Optional(
      oneOf(['fr', 'en'], { description: 'The language of the PDF; that of the lease if omitted.' }),
    ),
  },
  { additionalProperties: true },
)
