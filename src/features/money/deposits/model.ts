import { type Static, Type } from '@sinclair/typebox'
import { PAYMENT_METHODS } from '../../../core/money.ts'
import { dtoOf, without } from '../../../http/json.ts'
import { BookingId, CreatedAt, CurrencyCode, Id, OrgId, PaidOn } from '../../../http/members.ts'
import { Body, Currency, DateOnly, Maybe, oneOf, PositiveAmount, Text, Uuid } from '../../../http/schema.ts'
import { DEPOSIT_TYPES } from './rules.ts'
import type { DepositRow } from './store.ts'

export const DepositEntry = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    bookingId: BookingId,
    type: oneOf(DEPOSIT_TYPES, {
      description: 'RECEIVED from the tenant; DEDUCTED for a damage or debt, with the reason; RETURNED to the tenant.',
    }),
    amount: PositiveAmount,
    currency: CurrencyCode,
    reason: Type.Optional(Type.String({ description: 'The reason for a deduction.' })),
    paidOn: PaidOn,
    heldAmount: Type.Integer({ description: 'What the landlord holds after this entry.', examples: [170_000] }),
    paymentId: Type.Optional({ ...Uuid, description: 'The payment on invoices that this entry made or reversed.' }),
    movedBookingId: Type.Optional({
      ...Uuid,
      description:
        'For RETURNED: the renewal that took the deposit over. For RECEIVED: the lease that it came from. No money was moved.',
    }),
    transferId: Type.Optional({
      ...Uuid,
      description: 'The transfer that it is a share of, where it came or went back with one; not for tenants.',
    }),
    method: Type.Optional(oneOf(PAYMENT_METHODS, { description: 'The way that transfer was paid.' })),
    reference: Type.Optional(Type.String({ description: 'The reference of that transfer.' })),
    recordedBy: Type.Optional({
      ...Uuid,
      description: 'Absent if the deposit was transferred to a renewal automatically.',
    }),
    createdAt: CreatedAt,
  },
  { $id: 'DepositEntry' },
)
export type DepositEntry = Static<typeof DepositEntry>

export const DepositCreate = Body(
  {
    type: oneOf(DEPOSIT_TYPES, { description: 'DEDUCTED requires a reason.' }),
    amount: PositiveAmount,
    currency: Maybe({ ...Currency, description: 'The currency of the amount; XAF if omitted.' }),
    reason: Maybe(
      Text({
        max: 500,
        lines: true,
        description:
          'Required for DEDUCTED without invoiceIds, and of a manager limited to some properties for whatever leaves the deposit.',
      }),
    ),
    invoiceIds: Type.Optional(
      Type.Array(Uuid, {
        maxItems: 50,
        description:
          'For DEDUCTED only: open invoices of this tenant with this owner that the deduction pays, the first due first, by a payment of method DEPOSIT with a receipt. The amount cannot exceed what is owed on them (422 overpayment); the reason may then be omitted.',
      }),
    ),
    paidOn: {
      ...DateOnly,
      description:
        'From one year before the lease (or the first that it renews) to today; what is kept or returned cannot be dated before it was received.',
      examples: ['2026-03-04'],
    },
  },
  { $id: 'DepositEntryCreate', examples: [{ type: 'RECEIVED', amount: 170000, paidOn: '2026-03-01' }] },
)
export type DepositCreate = Static<typeof DepositCreate>

/** Leaves out the recorder of an entry that the service made. Single answers and lists use it alike. */
export const trimEntry = without({ recordedBy: 'system' })
/** An entry never changes: its version is always the first. */
export const toDeposit: (row: DepositRow & { version: 1 }) => DepositEntry = dtoOf<DepositRow & { version: 1 }>(
  trimEntry,
)('transfer', 'version')
