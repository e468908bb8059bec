import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import {
  CreatedAt,
  CurrencyCode,
  Id,
  OrgId,
  PropertyId,
  PropertyName,
  RecordedBy,
  UnitId,
  UnitLabel,
} from '../../../http/members.ts'
import { Amount, Body, Currency, DateOnly, Maybe, oneOf, PositiveAmount, Text, Uuid } from '../../../http/schema.ts'
import { EXPENSE_KINDS, EXPENSE_STATUS, PAYERS, REPEATS, YEARS } from './rules.ts'
import type { ExpenseRow } from './store.ts'

const Kind = oneOf(EXPENSE_KINDS, {
  $id: 'ExpenseKind',
  description: 'GUARD: the caretaker or watchman. FEE: of a bank, a notary, a lawyer; never that of the management.',
})
const Payer = oneOf(PAYERS, {
  $id: 'ExpensePayer',
  description:
    'MANAGEMENT: the management paid, and deducts it from what it transfers to the owner. OWNER: the owner paid; an owner records only those.',
})
const Every = oneOf(REPEATS, {
  $id: 'ExpenseRepeat',
  description: 'For the first of a series: how often it repeats.',
})
const Repeat = Type.Object(
  {
    every: Every,
    until: { ...DateOnly, description: `The last day on which it may repeat, at most ${YEARS} years after the first.` },
  },
  { additionalProperties: false },
)

export const Expense = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    propertyId: PropertyId,
    unitId: Type.Optional({ ...Uuid, description: 'The unit, if the expense is for a single unit.' }),
    kind: Kind,
    amount: { ...PositiveAmount, description: 'With the VAT. In XAF.', examples: [85_000] },
    tvaAmount: Type.Optional({ ...Amount, description: 'The VAT inside the amount, if it is known. In XAF.' }),
    currency: CurrencyCode,
    spentOn: { ...DateOnly, description: 'The day on which it was paid.' },
    paidBy: Payer,
    supplier: Type.Optional(Type.String({ description: 'The supplier who was paid.' })),
    note: Type.Optional(Type.String({ description: 'A note in your own words.' })),
    chargeable: Type.Boolean({ description: 'Whether it can be charged on to the tenants under their leases.' }),
    receiptMediaId: Type.Optional({ ...Uuid, description: 'A picture or PDF of the receipt: a media object.' }),
    status: oneOf(EXPENSE_STATUS, { $id: 'RecordStatus', description: 'CANCELLED: it no longer counts anywhere.' }),
    recordedBy: RecordedBy,
    repeatEvery: Type.Optional(Every),
    repeatUntil: Type.Optional({ ...DateOnly, description: 'For the first of a series: the last possible day.' }),
    nextOn: Type.Optional({ ...DateOnly, description: 'For the first of a series: the day of the next expense.' }),
    repeatOf: Type.Optional({ ...Uuid, description: 'The first expense of its series.' }),
    repeatNumber: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Its number in the series after the first one.' }),
    ),
    repairId: Type.Optional({ ...Uuid, description: 'The repair that the expense paid for.' }),
    regularisationId: Type.Optional({
      ...Uuid,
      description:
        'The regularisation that charged it on to the tenants; absent once that regularisation is cancelled.',
    }),
    createdAt: CreatedAt,
    propertyName: Type.Optional(PropertyName),
    unitLabel: Type.Optional(UnitLabel),
  },
  { $id: 'Expense', description: 'An expense of a property.' },
)

const details = {
  unitId: Maybe(UnitId),
  tvaAmount: Maybe({ ...Amount, description: 'The VAT, in XAF.' }),
  supplier: Maybe({ ...Text({ max: 120 }), description: 'The supplier who was paid.' }),
  note: Maybe(Text({ max: 500, lines: true, description: 'A note in your own words.' })),
  receiptMediaId: Maybe({
    ...Uuid,
    description: 'A picture or PDF uploaded for this property (kind DOCUMENT), which tenants do not see.',
  }),
  repeat: Maybe({
    ...Repeat,
    description: 'The expense repeats automatically, on the same day of later months. In PATCH, null ends the series.',
  }),
}
const spentOn = { ...DateOnly, description: `Today, or a day of the last ${YEARS} years.` }
export const ExpenseCreate = Body(
  {
    propertyId: PropertyId,
    kind: Kind,
    amount: PositiveAmount,
    currency: Maybe({ ...Currency, description: 'The currency of the amounts: XAF.' }),
    spentOn,
    paidBy: Type.Optional(Payer),
    chargeable: Maybe(Type.Boolean({ description: 'Whether it can be charged on to the tenants under their leases.' })),
    repairId: Maybe({
      ...Uuid,
      description:
        'A repair of this property that the expense paid for; each repair can have one expense that is not cancelled (409 duplicate).',
    }),
    ...details,
  },
  {
    examples: [
      {
        propertyId: '0190a5f0-0000-7000-8000-000000000001',
        kind: 'REPAIR',
        amount: 45000,
        spentOn: '2026-03-05',
        supplier: 'Plomberie Fokou',
      },
    ],
  },
)
export type ExpenseCreate = Static<typeof ExpenseCreate>

export const ExpensePatch = Body({
  kind: Type.Optional(Kind),
  amount: Type.Optional(PositiveAmount),
  spentOn: Type.Optional(spentOn),
  paidBy: Type.Optional(Payer),
  chargeable: Type.Optional(
    Type.Boolean({ description: 'Whether it can be charged on to the tenants under their leases.' }),
  ),
  ...details,
})
export type ExpensePatch = Static<typeof ExpensePatch>

export const toExpense = (row: ExpenseRow) => dto(row, 'ownerUserId', 'repeated', 'updatedAt', 'version')
