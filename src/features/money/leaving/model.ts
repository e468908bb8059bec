import { type Static, Type } from '@sinclair/typebox'
import {
  BookingId,
  CurrencyCode,
  DueDate,
  PeriodEnd,
  PeriodStart,
  PropertyName,
  TenantUserId,
  UnitLabel,
} from '../../../http/members.ts'
import { Body, DateOnly, Maybe, oneOf, Phone, Text, Uuid } from '../../../http/schema.ts'
import { BookingPatch } from '../../lease/leases/model.ts'

const Settled = Type.Object(
  {
    outcome: oneOf(['CANCELLED', 'ISSUED', 'CREDITED', 'SET_OFF', 'OWED'] as const, {
      description:
        'CANCELLED: for time after the end · ISSUED: replaces a cancelled one, for the days up to the end or for charges · CREDITED: PAID, and partly or fully given back · SET_OFF: an earlier invoice, paid by the credit from the end · OWED: an earlier invoice, still to be paid.',
    }),
    id: Type.Optional({ ...Uuid, description: 'Absent for an invoice that the end would issue.' }),
    number: Type.Optional(
      Type.String({ description: 'Absent for an invoice that the end would issue.', examples: ['2026-000123'] }),
    ),
    periodStart: PeriodStart,
    periodEnd: PeriodEnd,
    dueDate: DueDate,
    grossAmount: Type.Integer({ description: 'The amount with VAT, in XAF.', examples: [85_000] }),
    amountPaid: Type.Integer({
      description: 'The amount after the settlement; 0 if cancelled, because its money is moved on.',
    }),
    creditedAmount: Type.Optional(Type.Integer({ description: 'The amount credited by the end of the lease.' })),
    balanceAmount: Type.Integer({ description: 'The amount still to be paid; 0 if cancelled.', examples: [85_000] }),
  },
  { $id: 'SettledInvoice' },
)

const SetOff = Type.Object(
  {
    bookingId: BookingId,
    unitLabel: UnitLabel,
    propertyName: PropertyName,
    amount: Type.Integer({
      description: 'Positive: paid here by the credit of that lease. Negative: paid there.',
      examples: [85_000],
    }),
  },
  { $id: 'SettledWith' },
)

export const Settlement = Type.Object(
  {
    bookingId: BookingId,
    currency: CurrencyCode,
    endDate: { ...DateOnly, description: 'The last day of the lease.', examples: ['2026-12-31'] },
    needsConfirm: Type.Boolean({
      description: 'Whether `terminate` requires `confirm: true`, because the end is more than a month ago.',
    }),
    invoices: Type.Array(Settled, { description: 'What changes and what is owed, by period.' }),
    cancelledAmount: Type.Integer({ description: 'Sum of the cancelled invoices.', examples: [85_000] }),
    issuedAmount: Type.Integer({ description: 'Sum of the invoices that replace them.' }),
    creditedAmount: Type.Integer({ description: 'Sum of what is credited from PAID invoices.' }),
    owedAmount: Type.Integer({ description: 'The total that the tenant owes on this lease after the end.' }),
    creditAmount: Type.Integer({ description: 'What the tenant is to get back after the end, without the deposit.' }),
    setOffAmount: Type.Integer({
      description:
        'What the credit of other leases of the same tenant and owner paid on this lease; negative: what its credit paid on those. owedAmount and creditAmount already include it.',
    }),
    setOffs: Type.Array(SetOff, { description: 'The same amount by lease.' }),
    depositReceivedAmount: Type.Integer({
      description: 'The deposit received, including what came from an earlier lease.',
      examples: [170_000],
    }),
    rentOwedAmount: Type.Integer({
      description: 'The amount owed on invoices, including what the deposit has already paid on them.',
    }),
    deductedAmount: Type.Integer({
      description: 'Kept from the deposit for repairs and similar costs, on no invoice.',
    }),
    depositReturnedAmount: Type.Integer({
      description: 'The deposit already returned, or transferred to a renewal.',
    }),
    depositHeldAmount: Type.Integer({ description: 'The deposit that the landlord holds.', examples: [170_000] }),
    balanceAmount: Type.Integer({
      description:
        'depositHeldAmount + creditAmount − owedAmount, that is depositReceivedAmount − rentOwedAmount − deductedAmount − depositReturnedAmount + creditAmount. Positive: to be given back; negative: still owed.',
    }),
  },
  { $id: 'Settlement' },
)
export type Settlement = Static<typeof Settlement>
export type SettledInvoice = Static<typeof Settled>

export const LeaseCorrection = Body(
  {
    ...BookingPatch.properties,
    tenantId: Maybe({
      ...Uuid,
      description: 'The right tenant, if the lease names another person; give one of the three members.',
    }),
    tenantUserId: Maybe(TenantUserId),
    tenantPhoneNumber: Maybe(Phone),
    reason: Maybe({
      ...Text({ max: 300, lines: true }),
      description: 'For the audit trail; required of a manager limited to some properties.',
    }),
  },
  { $id: 'LeaseCorrection', examples: [{ rentAmount: 85000, reason: 'Faute de frappe' }] },
)
export type LeaseCorrection = Static<typeof LeaseCorrection>
