import { type Static, Type } from '@sinclair/typebox'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { regularisationShare } from '../../../../db/schema/regularisations.ts'
import { METER_KINDS } from '../../../core/meters.ts'
import { MAX_AMOUNT } from '../../../core/money.ts'
import { dto } from '../../../http/json.ts'
import {
  BookingId,
  CancelledAt,
  CreatedAt,
  DueDate,
  Id,
  InvoiceId,
  IssuedOn,
  OrgId,
  PeriodEnd,
  PeriodStart,
  PropertyId,
  PropertyName,
  TenantName,
  UnitId,
  UnitLabel,
} from '../../../http/members.ts'
import {
  Amount,
  Body,
  Currency,
  DateOnly,
  InLists,
  Maybe,
  oneOf,
  PositiveAmount,
  Text,
  Uuid,
} from '../../../http/schema.ts'
import { invoiceView, provision } from '../invoices/model.ts'
import { INVOICE_STATUS } from '../invoices/rules.ts'
import {
  type Item,
  MONTHS,
  MOST_COSTS,
  MOST_ITEMS,
  MOST_UNITS,
  REGULARISATION_STATUS,
  SCALE,
  SHARE_KEYS,
  type ShareItem,
} from './rules.ts'
import type { RegularisationRow } from './store.ts'

const Measure = Type.String({ description: 'The unit of measure: kWh, m³.', examples: ['m³'] })
const PrintedNumber = Type.String({ description: 'The number printed on it.', examples: ['2026-000123'] })

export const ChargesInvoice = Body(
  {
    lines: Type.Array(
      Type.Object(
        {
          label: Text({ max: 100, description: 'The text printed on the line.', examples: ['Eau (Camwater), mars'] }),
          amount: PositiveAmount,
          provision,
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 20, description: 'Net amounts, like a charge on the invoice of a period.' },
    ),
    dueDate: Maybe({
      ...DateOnly,
      description: 'From today to one year ahead; if omitted, the next due day of the lease.',
    }),
    currency: Maybe({ ...Currency, description: 'The currency of the amounts: XAF.' }),
  },
  {
    $id: 'ChargesInvoiceCreate',
    examples: [{ lines: [{ label: 'Eau (Camwater), mars', amount: 4500 }], dueDate: '2026-04-15' }],
  },
)
export type ChargesInvoice = Static<typeof ChargesInvoice>

const Key = oneOf(SHARE_KEYS, {
  $id: 'ShareKey',
  description:
    'METERS: by the consumption on the sub-meters of a kind. EQUAL: in equal parts for each unit. SURFACE: by areaSqm. WEIGHTS: by weights of your own.',
})
const Decimal = Type.Number({ exclusiveMinimum: 0, maximum: 999_999_999 })
const UnitPrice = {
  ...Decimal,
  description:
    'For METERS: the price in francs for one kWh or m³, with at most three decimals. It contains the same share of VAT as the costs given with it; without costs, none.',
}
const Total = {
  ...Decimal,
  description:
    'For METERS: the quantity on the bill, if it is more than all sub-meters; the rest stays with the landlord.',
}
const CostInput = Type.Object(
  {
    expenseId: Maybe({
      ...Uuid,
      description: 'A chargeable expense of the property that has not been charged on yet.',
    }),
    label: Maybe({ ...Text({ max: 60 }), description: 'For a cost that is not an expense: its text.' }),
    amount: Maybe({
      ...PositiveAmount,
      description: 'The amount with the VAT. For an expense: the part to charge on; all of it if omitted. In XAF.',
    }),
    tvaAmount: Maybe({
      ...Amount,
      description: 'For a cost that is not an expense: the VAT inside the amount. An expense has its own. In XAF.',
    }),
  },
  { additionalProperties: false },
)
const UnitInput = Type.Object(
  {
    unitId: UnitId,
    weight: Maybe(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'For WEIGHTS: the weight of the unit.' }),
    ),
  },
  { additionalProperties: false },
)
const ItemInput = Type.Object(
  {
    label: {
      ...Text({ max: 40 }),
      description: 'The text on the invoice, such as Eau or Gardiennage.',
      examples: ['Eau'],
    },
    key: Key,
    meterKind: Maybe(oneOf(METER_KINDS, { description: 'For METERS: the kind of sub-meters.' })),
    costs: Type.Optional(
      Type.Array(CostInput, {
        maxItems: MOST_COSTS,
        description: 'The costs: expenses of the property, or amounts of your own.',
      }),
    ),
    unitPrice: Maybe(UnitPrice),
    total: Maybe(Total),
    units: Maybe(
      Type.Array(UnitInput, {
        minItems: 1,
        maxItems: MOST_UNITS,
        description:
          'The units that share the item. If omitted: all of the property, for METERS those with such a meter.',
      }),
    ),
  },
  { additionalProperties: false },
)
export const RegularisationGiven = Body(
  {
    periodStart: PeriodStart,
    periodEnd: {
      ...DateOnly,
      description: `Today or earlier, at most ${MONTHS} months after the start.`,
      examples: ['2026-03-31'],
    },
    items: Type.Array(ItemInput, {
      minItems: 1,
      maxItems: MOST_ITEMS,
      description: 'Each item that is shared, with its own key.',
    }),
    setOffProvisions: Maybe(
      Type.Boolean({
        description:
          'Whether provisions are offset, each once, on invoices whose own period ends in this one; true if omitted. The unpaid part of provisions stays owed on its own invoice, which can no longer be cancelled.',
      }),
    ),
    dueDate: Maybe({ ...DateOnly, description: 'From today to one year ahead; if omitted, in 15 days.' }),
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
    label: Type.String({ description: 'The text on the invoice.', examples: ['Eau'] }),
    key: Key,
    meterKind: Type.Optional(oneOf(METER_KINDS, { description: 'For METERS: the kind of sub-meters.' })),
    measure: Type.Optional(Measure),
    costs: Type.Array(
      Type.Object({
        label: Type.String({ description: 'The text on the invoice.', examples: ['Facture CAMWATER'] }),
        amount: PositiveAmount,
        tvaAmount: Type.Optional({ ...Amount, description: 'The VAT inside the amount. In XAF.' }),
        expenseId: Type.Optional({ ...Uuid, description: 'The expense that is charged on.' }),
      }),
      { description: 'The costs, each with its expense if it is one.' },
    ),
    amount: { ...Amount, description: 'The cost, with the VAT. In XAF.', examples: [85_000] },
    tvaAmount: Type.Optional({ ...Amount, description: 'The VAT inside the amount. In XAF.' }),
    deductedAmount: Type.Optional({
      ...Amount,
      description: 'The part of that VAT that leases with VAT do not pay. In XAF.',
    }),
    unitPrice: Type.Optional({
      ...Count,
      description: 'The given price, or the cost divided by the consumption, in francs.',
    }),
    counted: Type.Optional({ ...Count, description: 'For METERS: the consumption on all sub-meters.' }),
    total: Type.Optional({ ...Count, description: 'For METERS: the quantity that the cost is divided by.' }),
    chargedAmount: {
      ...Amount,
      description: 'The sum of the shares of all leases, before their VAT. In XAF.',
      examples: [85_000],
    },
  },
  { $id: 'RegularisedItem', description: 'One item that is shared.' },
)
const ReadAt = Type.Object({
  id: Id,
  readOn: { ...DateOnly, description: 'The day of the reading.' },
  value: { ...Count, examples: [1240] },
  finalValue: Type.Optional({
    ...Count,
    description: 'The last reading of a meter that was replaced or reset on this day.',
  }),
  mediaObjectId: Type.Optional({ ...Uuid, description: 'Its photo: a media object, which the tenant sees too.' }),
})
const ItemShare = Type.Object(
  {
    label: Type.String({ description: 'The text on the invoice.', examples: ['Eau'] }),
    key: Key,
    amount: { ...Amount, description: 'Before the VAT of the lease. In XAF.', examples: [85_000] },
    deductedAmount: Type.Optional({
      ...Amount,
      description:
        'For a lease with VAT: the VAT of the costs, which is not in the amount because the landlord deducts it. In XAF.',
    }),
    counted: Type.Optional({ ...Count, description: 'For METERS: the consumption on the days of this lease.' }),
    measure: Type.Optional(Measure),
    unitPrice: Type.Optional({ ...Count, description: 'Francs.' }),
    meters: Type.Optional(
      Type.Array(
        Type.Object({
          meterId: { ...Uuid, description: 'The sub-meter.' },
          number: Type.Optional(PrintedNumber),
          counted: { ...Count, examples: [12] },
          readings: Type.Array(ReadAt, { description: 'The readings used, oldest first.' }),
        }),
        { description: 'The meters and their readings.' },
      ),
    ),
    weight: Type.Optional(
      Type.Integer({ description: 'The weight of the unit; for SURFACE in hundredths of a square metre.' }),
    ),
    totalWeight: Type.Optional(Type.Integer({ description: 'The total weight of all units that share the item.' })),
    days: Type.Optional(
      Type.Integer({ description: 'The days of the period on which the lease ran.', examples: [31] }),
    ),
  },
  { $id: 'ItemShare', description: 'What a lease pays for one item, and how it is calculated.' },
)
const OnInvoice = Type.Object({
  invoiceId: InvoiceId,
  number: PrintedNumber,
  amount: { ...Amount, examples: [85_000] },
})
const share = {
  bookingId: BookingId,
  unitId: UnitId,
  days: Type.Integer({ description: 'The days of the period on which the lease ran.', examples: [31] }),
  items: Type.Array(ItemShare, { description: 'What the lease pays for each item.' }),
  amount: {
    ...Amount,
    description:
      'The share in the charges, before the VAT of the lease: of costs without their VAT if the lease has VAT, otherwise of costs with their VAT. In XAF.',
    examples: [85_000],
  },
  provisionAmount: { ...Amount, description: 'The provisions that are offset, without VAT. In XAF.' },
  balanceAmount: {
    ...Signed,
    description: 'amount − provisionAmount; a negative amount is given back. In XAF.',
    examples: [85_000],
  },
  provisions: Type.Array(OnInvoice, { description: 'The provisions, each with the invoice that charged it.' }),
  credited: Type.Array(OnInvoice, { description: 'Credit notes for provisions that were too high, with VAT.' }),
  invoiceId: Type.Optional({ ...Uuid, description: 'The invoice of the balance.' }),
}
export const LeaseShare = Type.Object(
  {
    ...share,
    id: Id,
    regularisationId: { ...Uuid, description: 'The regularisation of charges.' },
    periodStart: PeriodStart,
    periodEnd: PeriodEnd,
    issuedOn: IssuedOn,
    createdAt: CreatedAt,
  },
  { $id: 'LeaseShare', description: 'The share of a lease in a regularisation of charges.' },
)
const InvoiceSeen = Type.Optional(
  Type.Object(
    {
      number: PrintedNumber,
      status: oneOf(INVOICE_STATUS, { description: 'The current status; the operations change it.' }),
      grossAmount: { ...Amount, description: 'The amount with VAT, in XAF.', examples: [85_000] },
      balanceAmount: { ...Amount, description: 'The amount still open, in XAF.' },
    },
    { description: 'The invoice of the balance, as it is now.' },
  ),
)
const Share = Type.Object(
  {
    ...share,
    unitLabel: UnitLabel,
    tenantName: TenantName,
    grossAmount: { ...Amount, description: 'The amount to pay, with VAT. In XAF.', examples: [85_000] },
    creditAmount: { ...Amount, description: 'The amount given back, with VAT. In XAF.' },
    invoice: InvoiceSeen,
  },
  { $id: 'RegularisationShare' },
)
const sums = {
  costAmount: { ...Amount, description: 'The total cost, with the VAT. In XAF.', examples: [85_000] },
  chargedAmount: {
    ...Amount,
    description: 'The sum of the shares of all leases, before their VAT. In XAF.',
    examples: [85_000],
  },
  deductedAmount: {
    ...Amount,
    description: 'The VAT of the costs that leases with VAT do not pay, because the landlord deducts it. In XAF.',
  },
  landlordAmount: {
    ...Signed,
    examples: [0],
    description:
      'costAmount − chargedAmount − deductedAmount, the part that stays with the landlord for days without a lease; negative if a given price charges more than the cost. In XAF.',
  },
  provisionAmount: { ...Amount, description: 'The provisions that are offset, without VAT. In XAF.' },
}
const preview = { propertyId: PropertyId, periodStart: PeriodStart, periodEnd: PeriodEnd, dueDate: DueDate, ...sums }
export const RegularisationPreview = Type.Object(
  {
    ...preview,
    items: Type.Array(Shared, { description: 'Each item that would be shared.' }),
    shares: Type.Array(Share, { description: 'What each lease would pay or get back.' }),
  },
  { $id: 'RegularisationPreview', description: 'Every figure of a regularisation, without issuing it.' },
)
const head = {
  ...preview,
  id: Id,
  orgId: OrgId,
  status: oneOf(REGULARISATION_STATUS, {
    $id: 'RegularisationStatus',
    description: 'The current status; the operations change it.',
  }),
  issuedOn: IssuedOn,
  issuedBy: { ...Uuid, description: 'The user who issued it.' },
  cancelledAt: Type.Optional(CancelledAt),
  createdAt: CreatedAt,
}
export const RegularisationHead = Type.Object(
  { ...head, propertyName: InLists(PropertyName) },
  { $id: 'RegularisationHead', description: 'A regularisation without its shares, as in lists.' },
)
export const Regularisation = Type.Object(
  {
    ...head,
    items: Type.Array(Shared, { description: 'Each item that is shared.' }),
    shares: Type.Array(Share, { description: 'What each lease pays or gets back.' }),
  },
  { $id: 'Regularisation', description: 'The real cost of charges over a period, shared among the leases.' },
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

type ShareRow = typeof regularisationShare.$inferSelect
export const toShare = ({ items, invoiceId, orgId: _o, moved: _m, readingIds: _r, ...share }: ShareRow) => ({
  ...share,
  items: items.map(toItemShare),
  balanceAmount: share.amount - share.provisionAmount,
  ...(invoiceId === null ? {} : { invoiceId }),
})

type Seen = {
  readonly share: ShareRow
  readonly lease: BookingRow
  readonly invoice: InvoiceRow | null
}
function seenShare({ share: row, lease, invoice }: Seen) {
  const { id: _i, regularisationId: _r, createdAt: _c, ...share } = toShare(row)
  return {
    ...share,
    unitLabel: lease.unitLabel,
    tenantName: lease.tenantName,
    grossAmount: invoice?.grossAmount ?? 0,
    creditAmount: row.credited.reduce((sum, { amount }) => sum + amount, 0),
    ...(invoice
      ? {
          invoice: {
            number: invoice.number,
            status: invoice.status,
            grossAmount: invoice.grossAmount,
            balanceAmount: invoiceView({ ...invoice }).balanceAmount,
          },
        }
      : {}),
  }
}

/** A regularisation with its shares, their leases, and the invoices that ask for them. */
export const toRegularisation = (row: RegularisationRow, shares: readonly Seen[]) => ({
  ...withLandlord(dto(row, 'ownerUserId', 'items', 'updatedAt', 'version')),
  items: row.items.map(toItem),
  shares: shares.map(seenShare),
})
