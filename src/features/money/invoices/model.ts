import { type Static, Type } from '@sinclair/typebox'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import { dto } from '../../../http/json.ts'
import {
  BookingId,
  CancelledAt,
  CreatedAt,
  CurrencyCode,
  DueDate,
  Id,
  InvoiceId,
  IssuedOn,
  OrgId,
  PeriodEnd,
  PeriodStart,
  PropertyId,
  PropertyName,
  TenantId,
  TenantName,
  TenantUserId,
  UnitId,
  UnitLabel,
} from '../../../http/members.ts'
import { Body, Currency, DateOnly, DateTime, Maybe, oneOf, PositiveAmount, Text } from '../../../http/schema.ts'
import { CREDIT_NOTE_REASONS, INVOICE_KINDS, INVOICE_STATUS } from './rules.ts'
import type { CreditNoteRow } from './store.ts'

const NetAmount = Type.Integer({ description: 'The amount without VAT, in XAF.', examples: [85_000] })
const TvaBasisPoints = Type.Integer({ description: 'The rate of VAT in basis points: 1925 is 19.25 %.' })

const Line = Type.Object({
  kind: oneOf(['RENT', 'CHARGE', 'OPENING_BALANCE'] as const, { description: 'The kind.' }),
  label: Type.String({
    description:
      'The text printed on the paper, in the language of the lease or in the words of the user who charged it.',
    examples: ['A1'],
  }),
  amount: Type.Integer({
    description: 'Negative: provisions that a regularisation of charges offsets.',
    examples: [85_000],
  }),
  provision: Type.Optional(
    Type.Boolean({
      description: 'Whether it is paid on account of charges; a regularisation offsets it against the real cost.',
    }),
  ),
})

export const Invoice = Type.Object(
  {
    id: { ...Id, examples: InvoiceId.examples },
    orgId: OrgId,
    bookingId: BookingId,
    propertyId: PropertyId,
    unitId: UnitId,
    tenantId: TenantId,
    tenantUserId: Type.Optional(TenantUserId),
    tenantName: TenantName,
    unitLabel: UnitLabel,
    propertyName: PropertyName,
    kind: oneOf(INVOICE_KINDS, {
      $id: 'InvoiceKind',
      description: 'PERIOD: for a rent period; a lease has one for each. CHARGES: for charges only, besides those.',
    }),
    number: Type.String({
      description: "Numbered without gaps within the organization's year: 2026-000123.",
      examples: ['2026-000123'],
    }),
    currency: CurrencyCode,
    periodStart: PeriodStart,
    periodEnd: PeriodEnd,
    dueDate: DueDate,
    grossAmount: Type.Integer({ description: 'netAmount + tvaAmount: what the tenant owes.', examples: [85_000] }),
    netAmount: NetAmount,
    tvaAmount: Type.Integer({ description: 'floor((netAmount × tvaBasisPoints + 5000) / 10000).' }),
    tvaBasisPoints: TvaBasisPoints,
    amountPaid: Type.Integer({
      description: 'The sum of confirmed payments, used credit, and creditedAmount.',
      examples: [85_000],
    }),
    balanceAmount: Type.Integer({ description: 'grossAmount − amountPaid; 0 once cancelled.' }),
    creditedAmount: Type.Optional(
      Type.Integer({
        description: 'What credit notes took off it: at the end of the lease, by a regularisation, or waived.',
      }),
    ),
    lines: Type.Array(Line, {
      description: 'The parts of the net amount.',
      examples: [[{ kind: 'RENT', label: 'Loyer mars 2026', amount: 85_000 }]],
    }),
    status: oneOf(INVOICE_STATUS, { description: 'The current status; the operations change it.', examples: ['PAID'] }),
    issuedOn: {
      ...DateOnly,
      description:
        "The date on its paper: the day on which it was issued, in the organization's time zone at that time.",
      examples: ['2026-03-01'],
    },
    createdAt: CreatedAt,
    paidAt: Type.Optional({
      ...DateTime,
      description: 'When it was paid in full.',
      examples: ['2026-03-04T10:12:30.000Z'],
    }),
    cancelledAt: Type.Optional(CancelledAt),
  },
  { $id: 'Invoice' },
)
export type Invoice = Static<typeof Invoice>

export const provision = Maybe(
  Type.Boolean({ description: 'Whether it is paid on account of charges, to be offset by a regularisation.' }),
)
export const Charge = Body(
  {
    label: Text({ max: 100, description: 'The text printed on the line.', examples: ['Eau (Camwater), mars'] }),
    amount: PositiveAmount,
    currency: Maybe({ ...Currency, description: 'The currency of the amount; XAF if omitted.' }),
    provision,
  },
  { $id: 'ChargeCreate', examples: [{ label: 'Eau (Camwater), mars', amount: 4500 }] },
)
export type Charge = Static<typeof Charge>

export const Cancel = Body(
  { reason: Maybe(Text({ max: 500, lines: true, description: 'The reason, for the record.' })) },
  { $id: 'InvoiceCancel', examples: [{ reason: 'Facture établie par erreur' }] },
)

type Listed = Omit<InvoiceRow, 'row' | 'ownerUserId' | 'replacedById' | 'notedAmount' | 'updatedAt' | 'version'>
/** Adds the computed members to an invoice row in place, as copying each row would make a list a tenth slower. */
export function invoiceView<T extends Pick<Listed, 'grossAmount' | 'amountPaid' | 'creditedAmount' | 'status'>>(
  row: T,
) {
  const view: { balanceAmount?: number; creditedAmount: number | undefined } = row
  view.balanceAmount = row.status === 'CANCELLED' ? 0 : row.grossAmount - row.amountPaid
  if (row.creditedAmount === 0) view.creditedAmount = undefined
  return row as T & { balanceAmount: number }
}
export const toInvoice = (row: InvoiceRow) =>
  invoiceView(dto(row, 'row', 'ownerUserId', 'replacedById', 'notedAmount', 'updatedAt', 'version'))

export const CreditNote = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    invoiceId: InvoiceId,
    bookingId: BookingId,
    number: Type.String({
      description: "Numbered without gaps within the organization's year: AV-2026-000001.",
      examples: ['2026-000123'],
    }),
    issuedOn: IssuedOn,
    reason: oneOf(CREDIT_NOTE_REASONS, {
      $id: 'CreditNoteReason',
      description:
        'CANCELLED: the whole invoice. ENDED: what was paid for time after the end of the lease. REGULARISED: the part of its provisions that exceeded the charges. WAIVED: what the landlord no longer asks for.',
    }),
    netAmount: NetAmount,
    tvaAmount: Type.Integer({ description: 'The VAT, in XAF.' }),
    tvaBasisPoints: TvaBasisPoints,
    grossAmount: Type.Integer({ description: 'The amount taken off the invoice, with its VAT.', examples: [85_000] }),
    withdrawnOn: Type.Optional({
      ...DateOnly,
      description: 'The day on which the end of the lease was undone; the amount is owed again.',
    }),
    createdAt: CreatedAt,
  },
  { $id: 'CreditNote' },
)
export const toCreditNote = (row: CreditNoteRow) => dto(row, 'updatedAt', 'version')
