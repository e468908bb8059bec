import { type Static, Type } from '@sinclair/typebox'
import { METER_KINDS } from '../../../core/meters.ts'
import { MAX_AMOUNT } from '../../../core/money.ts'
import {
  Amount,
  Body,
  DateOnly,
  DateTime,
  InLists,
  Maybe,
  oneOf,
  PositiveAmount,
  Text,
  Uuid,
} from '../../../http/schema.ts'
import { INVOICE_STATUS } from '../invoices/rules.ts'
import type { Item, ShareItem } from './rules.ts'
import { MONTHS, MOST_COSTS, MOST_ITEMS, MOST_UNITS, REGULARISATION_STATUS, SCALE, SHARE_KEYS } from './rules.ts'

const Key = oneOf(SHARE_KEYS, {
  $id: 'ShareKey',
  description:
    'METERS: by what the sub-meters of a kind counted. EQUAL: by equal parts of the units. SURFACE: by their areaSqm. WEIGHTS: by weights of your own.',
})
const Decimal = Type.Number({ exclusiveMinimum: 0, maximum: 999_999_999 })
const UnitPrice = {
  ...Decimal,
  description:
    'Of METERS: francs for one kWh or m³, with at most three decimals. It holds as much VAT as the costs named beside it do, without costs none.',
}
const Total = {
  ...Decimal,
  description:
    'Of METERS: what the bill counts, where that is more than all sub-meters; the rest stays with the landlord.',
}
const CostGiven = Type.Object(
  {
    expenseId: Maybe({ ...Uuid, description: 'A chargeable expense of the property that nobody charged on yet.' }),
    label: Maybe({ ...Text({ max: 60 }), description: 'Of a cost that is no expense.' }),
    amount: Maybe({
      ...PositiveAmount,
      description: 'With the VAT. Of an expense: what of it is charged on; all when not given. XAF',
    }),
    tvaAmount: Maybe({
      ...Amount,
      description: 'Of a cost that is no expense: the VAT inside the amount. An expense says its own. XAF',
    }),
  },
  { additionalProperties: false },
)
const UnitGiven = Type.Object(
  {
    unitId: Uuid,
    weight: Maybe(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Of WEIGHTS.' })),
  },
  { additionalProperties: false },
)
const ItemGiven = Type.Object(
  {
    label: { ...Text({ max: 40 }), description: 'What it is, as the invoice names it: Eau, Gardiennage.' },
    key: Key,
    meterKind: Maybe(oneOf(METER_KINDS)),
    costs: Type.Optional(Type.Array(CostGiven, { maxItems: MOST_COSTS })),
    unitPrice: Maybe(UnitPrice),
    total: Maybe(Total),
    units: Maybe(
      Type.Array(UnitGiven, {
        minItems: 1,
        maxItems: MOST_UNITS,
        description: 'Those that share it; all of the property when not given, of METERS those with such a meter.',
      }),
    ),
  },
  { additionalProperties: false },
)
export const RegularisationGiven = Body(
  {
    periodStart: DateOnly,
    periodEnd: { ...DateOnly, description: `Today or earlier, at most ${MONTHS} months after the start.` },
    items: Type.Array(ItemGiven, { minItems: 1, maxItems: MOST_ITEMS }),
    setOffProvisions: Maybe(
      Type.Boolean({
        description:
          'Whether provisions are set off, each once, of invoices whose own period ends in this one; true when not given. What of them is unpaid stays owed on its own invoice, which is cancelled no more.',
      }),
    ),
    dueDate: Maybe({ ...DateOnly, description: 'From today to a year ahead; when not given, in 15 days.' }),
  },
  {
    $id: 'RegularisationGiven',
    examples: [
      {
        periodStart: '2026-01-01',
        periodEnd: '2026-03-31',
        items: [
          { label: 'Eau', key: 'METERS', meterKind: 'WATER', unitPrice: 364 },
          { label: 'Gardiennage', key: 'EQUAL', costs: [{ label: 'Gardien', amount: 180_000 }] },
        ],
      },
    ],
  },
)
export type RegularisationGiven = Static<typeof RegularisationGiven>

const Signed = Type.Integer({ minimum: -MAX_AMOUNT, maximum: MAX_AMOUNT })
const Count = Type.Number({ minimum: 0, description: 'With at most three decimals.' })
const Shared = Type.Object(
  {
    label: Type.String(),
    key: Key,
    meterKind: Type.Optional(oneOf(METER_KINDS)),
    measure: Type.Optional(Type.String()),
    costs: Type.Array(
      Type.Object({
        label: Type.String(),
        amount: PositiveAmount,
        tvaAmount: Type.Optional({ ...Amount, description: 'The VAT inside the amount. XAF' }),
        expenseId: Type.Optional(Uuid),
      }),
    ),
    amount: { ...Amount, description: 'What it cost, with the VAT. XAF' },
    tvaAmount: Type.Optional({ ...Amount, description: 'The VAT inside the amount. XAF' }),
    deductedAmount: Type.Optional({ ...Amount, description: 'Of that VAT: what leases with VAT do not pay. XAF' }),
    unitPrice: Type.Optional({ ...Count, description: 'Given, or the cost by what was counted; francs.' }),
    counted: Type.Optional({ ...Count, description: 'Of METERS: by all sub-meters.' }),
    total: Type.Optional({ ...Count, description: 'Of METERS: what the cost is divided by.' }),
    chargedAmount: { ...Amount, description: 'The shares of all leases, before their VAT. XAF' },
  },
  { $id: 'RegularisedItem', description: 'One thing that is shared.' },
)
const ReadAt = Type.Object({
  id: Uuid,
  readOn: DateOnly,
  value: Count,
  finalValue: Type.Optional({
    ...Count,
    description: 'What a meter showed that was replaced or set back on this day.',
  }),
  mediaObjectId: Type.Optional({ ...Uuid, description: 'Its photo: a media object, which the tenant sees too.' }),
})
const ItemShare = Type.Object(
  {
    label: Type.String(),
    key: Key,
    amount: { ...Amount, description: 'Before the VAT of the lease. XAF' },
    deductedAmount: Type.Optional({
      ...Amount,
      description:
        'Of a lease with VAT: the VAT of the costs, which is not in the amount, as the landlord deducts it. XAF',
    }),
    counted: Type.Optional({ ...Count, description: 'Of METERS: on the days of this lease.' }),
    measure: Type.Optional(Type.String()),
    unitPrice: Type.Optional({ ...Count, description: 'Francs.' }),
    meters: Type.Optional(
      Type.Array(
        Type.Object({
          meterId: Uuid,
          number: Type.Optional(Type.String()),
          counted: Count,
          readings: Type.Array(ReadAt, { description: 'That it counts with, oldest first.' }),
        }),
      ),
    ),
    weight: Type.Optional(Type.Integer({ description: 'Of the unit; of SURFACE hundredths of a square metre.' })),
    totalWeight: Type.Optional(Type.Integer({ description: 'Of all units that share it.' })),
    days: Type.Optional(Type.Integer({ description: 'Of the period on which the lease ran.' })),
  },
  { $id: 'ItemShare', description: 'What a lease pays of one thing, and how that comes about.' },
)
const OnInvoice = Type.Object({
  invoiceId: Uuid,
  number: Type.String(),
  amount: Amount,
})
const share = {
  bookingId: Uuid,
  unitId: Uuid,
  days: Type.Integer({ description: 'Of the period on which the lease ran.' }),
  items: Type.Array(ItemShare),
  amount: {
    ...Amount,
    description:
      'The share in the charges, before the VAT of the lease: of costs without their VAT where the lease bears VAT, of costs with it where it does not. XAF',
  },
  provisionAmount: { ...Amount, description: 'The provisions set off, without VAT. XAF' },
  balanceAmount: { ...Signed, description: 'amount − provisionAmount: below 0 it is given back. XAF' },
  provisions: Type.Array(OnInvoice, { description: 'Each with the invoice that asked for it.' }),
  credited: Type.Array(OnInvoice, { description: 'Credit notes for what provisions were too high, with VAT.' }),
  invoiceId: Type.Optional({ ...Uuid, description: 'What the balance is paid by.' }),
}
export const LeaseShare = Type.Object(
  {
    ...share,
    id: Uuid,
    regularisationId: Uuid,
    periodStart: DateOnly,
    periodEnd: DateOnly,
    issuedOn: DateOnly,
    createdAt: DateTime,
  },
  { $id: 'LeaseShare', description: 'The share of a lease in a regularisation of charges.' },
)
const InvoiceSeen = Type.Optional(
  Type.Object({ number: Type.String(), status: oneOf(INVOICE_STATUS), grossAmount: Amount, balanceAmount: Amount }),
)
const Share = Type.Object(
  {
    ...share,
    unitLabel: Type.String(),
    tenantName: Type.String(),
    grossAmount: { ...Amount, description: 'What is to pay, with VAT. XAF' },
    creditAmount: { ...Amount, description: 'What is given back, with VAT. XAF' },
    invoice: InvoiceSeen,
  },
  { $id: 'RegularisationShare' },
)
const sums = {
  costAmount: { ...Amount, description: 'What it cost in all, with the VAT. XAF' },
  chargedAmount: { ...Amount, description: 'The shares of all leases, before their VAT. XAF' },
  deductedAmount: {
    ...Amount,
    description: 'The VAT of the costs that leases with VAT do not pay, as the landlord deducts it. XAF',
  },
  landlordAmount: {
    ...Signed,
    description:
      'costAmount − chargedAmount − deductedAmount, what stays with the landlord: days without a lease; below 0 where a given price charges more. XAF',
  },
  provisionAmount: { ...Amount, description: 'The provisions set off, without VAT. XAF' },
}
const preview = { propertyId: Uuid, periodStart: DateOnly, periodEnd: DateOnly, dueDate: DateOnly, ...sums }
export const RegularisationPreview = Type.Object(
  { ...preview, items: Type.Array(Shared), shares: Type.Array(Share) },
  { $id: 'RegularisationPreview', description: 'Every figure, of nothing that was done.' },
)
const head = {
  ...preview,
  id: Uuid,
  orgId: Uuid,
  status: oneOf(REGULARISATION_STATUS, { $id: 'RegularisationStatus' }),
  issuedOn: DateOnly,
  issuedBy: Uuid,
  cancelledAt: Type.Optional(DateTime),
  createdAt: DateTime,
}
export const RegularisationHead = Type.Object(
  { ...head, propertyName: InLists(Type.String()) },
  { $id: 'RegularisationHead', description: 'A regularisation without its shares, as lists have it.' },
)
export const Regularisation = Type.Object(
  { ...head, items: Type.Array(Shared), shares: Type.Array(Share) },
  { $id: 'Regularisation', description: 'What charges really cost over a period, shared among the leases.' },
)

const units = (thousandths: number): number => thousandths / SCALE
type Counts = { readonly counted?: number; readonly total?: number; readonly unitPrice?: number }
const asUnits = <T extends Counts>({ counted, total, unitPrice, ...rest }: T) => ({
  ...rest,
  ...(counted === undefined ? {} : { counted: units(counted) }),
  ...(total === undefined ? {} : { total: units(total) }),
  ...(unitPrice === undefined ? {} : { unitPrice: units(unitPrice) }),
})
export const toItem = ({ units: _units, ...item }: Item) => asUnits(item)
export const toItemShare = ({ meters, ...item }: ShareItem) => ({
  ...asUnits(item),
  ...(meters
    ? {
        meters: meters.map(({ counted, readings, ...meter }) => ({
          ...meter,
          counted: units(counted),
          readings: readings.map(({ thousandths, finalThousandths, ...read }) => ({
            ...read,
            value: units(thousandths),
            ...(finalThousandths === undefined ? {} : { finalValue: units(finalThousandths) }),
          })),
        })),
      }
    : {}),
})
type Sums = { readonly costAmount: number; readonly chargedAmount: number; readonly deductedAmount: number }
export const withLandlord = <T extends Sums>(row: T) => ({
  ...row,
  landlordAmount: row.costAmount - row.chargedAmount - row.deductedAmount,
})
