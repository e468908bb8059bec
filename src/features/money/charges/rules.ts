import { addDays, daysInclusive, maxDate, minDate } from '../../../core/dates.ts'
import type { MeterKind } from '../../../core/meters.ts'
import { divide, tvaAmount } from '../../../core/money.ts'

export const REGULARISATION_STATUS = ['ISSUED', 'CANCELLED'] as const
/** How a cost is shared: by what meters counted, by equal parts, by surface, or by weights of one's own. */
export const SHARE_KEYS = ['METERS', 'EQUAL', 'SURFACE', 'WEIGHTS'] as const
export type ShareKey = (typeof SHARE_KEYS)[number]

/** A cost of a regularisation: an expense of the property, or one that was typed. Amounts in francs. */
type Cost = {
  readonly label: string
  readonly amount: number
  /** The supplier's TVA in it. */
  readonly tvaAmount?: number
  readonly expenseId?: string
}
/** One thing that is shared; `counted` and `total` in thousandths of the measure, `unitPrice` in thousandths of a franc. */
export type Item = {
  readonly label: string
  readonly key: ShareKey
  readonly meterKind?: MeterKind
  readonly measure?: string
  readonly costs: readonly Cost[]
  readonly amount: number
  /** Of the amount: the suppliers' TVA, and what of it leases with TVA do not pay. */
  readonly tvaAmount?: number
  readonly deductedAmount?: number
  readonly unitPrice?: number
  readonly counted?: number
  readonly total?: number
  readonly units: readonly { readonly unitId: string; readonly weight?: number }[]
  readonly chargedAmount: number
}
/** What a lease pays of an item, and how that comes about. */
export type ShareItem = {
  readonly label: string
  readonly key: ShareKey
  readonly amount: number
  /** Of a lease with TVA: the suppliers' TVA of its part, which is not in the amount, as the landlord deducts it. */
  readonly deductedAmount?: number
  /** Of METERS: what was counted, in thousandths, by which readings. */
  readonly counted?: number
  readonly measure?: string
  readonly unitPrice?: number
  readonly meters?: readonly {
    readonly meterId: string
    readonly number?: string
    readonly counted: number
    readonly readings: readonly {
      readonly id: string
      readonly readOn: string
      readonly thousandths: number
      readonly finalThousandths?: number
      readonly mediaObjectId?: string
    }[]
  }[]
  /** Of the other keys: the part of the unit in the whole. */
  readonly weight?: number
  readonly totalWeight?: number
  readonly days?: number
}

export const MOST_ITEMS = 12
export const MOST_COSTS = 60
export const MOST_UNITS = 500
/** Leases of one regularisation, which is one write. */
export const MOST_LEASES = 200
export const MOST_A_DAY = 20
export const MONTHS = 24
/** Days to pay in, where none is named. */
export const DAYS_TO_PAY = 15
/** Weights and decimals are kept in whole numbers. */
export const SCALE = 1000

type Span = { readonly start: string; readonly end: string }
/** Days that two spans have in common, whose ends are within them. */
export function daysShared(a: Span, b: Span): number {
  const [start, end] = [maxDate(a.start, b.start), minDate(a.end, b.end)]
  return start > end ? 0 : daysInclusive(start, end)
}

/** The days on which a lease runs, and whether its invoices bear TVA. */
export type Tenancy = Span & { readonly bookingId: string; readonly unitId: string; readonly bearsTva: boolean }
export type Reading = {
  readonly id: string
  readonly readOn: string
  readonly thousandths: number
  readonly finalThousandths: number | null
  readonly mediaObjectId: string | null
}
/**
 * The readings that a period counts with, of all up to the day after its end, oldest first: from the last one up to its
 * first day, so that one period goes on where the one before it ended.
 */
export const readingsFrom = (readings: readonly Reading[], periodStart: string): readonly Reading[] =>
  readings.slice(
    Math.max(
      0,
      readings.findLastIndex(({ readOn }) => readOn <= periodStart),
    ),
  )

/**
 * What a meter counted, in thousandths: for each lease, then for no lease. Between two readings it counts the same each
 * day; a reading on the day of a change of tenants is exact.
 */
function counted(readings: readonly Reading[], leases: readonly Span[]): number[] {
  const sums = new Array<number>(leases.length + 1).fill(0)
  readings.forEach((to, n) => {
    const from = readings[n - 1]
    if (!from) return
    const span = { start: from.readOn, end: addDays(to.readOn, -1) }
    const days = leases.map((lease) => daysShared(span, lease))
    const free = Math.max(0, daysInclusive(span.start, span.end) - days.reduce((sum, d) => sum + d, 0))
    const parts = divide((to.finalThousandths ?? to.thousandths) - from.thousandths, [...days, free])
    for (const [at, part] of parts.entries()) sums[at] = (sums[at] ?? 0) + part
  })
  return sums
}

/** `amount × part / whole`, half up; 0 of nothing. */
export const partOf = (amount: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))

/** `counted` (thousandths) × `unitPrice` (thousandths of a franc) in francs, half up. */
const priced = (count: number, unitPrice: number): number =>
  Number((BigInt(count) * BigInt(unitPrice) + 500_000n) / 1_000_000n)

type ItemTerms = Omit<Item, 'chargedAmount' | 'deductedAmount' | 'counted'>
type Metered = {
  readonly id: string
  readonly number: string | null
  readonly measure: string
  readonly readings: readonly Reading[]
}
type Part = { readonly lease: Tenancy; readonly share: ShareItem }

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)

/** Less the suppliers' TVA where the lease bears TVA of its own: the landlord deducts the one and adds the other. */
const charged = ({ bearsTva }: Tenancy, amount: number, tva: number) => {
  const deductedAmount = bearsTva ? Math.min(tva, amount) : 0
  return { amount: amount - deductedAmount, ...(deductedAmount > 0 ? { deductedAmount } : {}) }
}
/** What an item charges in all. */
function totals(parts: readonly Part[]) {
  const deductedAmount = sumOf(parts.map(({ share: { deductedAmount: tva = 0 } }) => tva))
  const chargedAmount = sumOf(parts.map(({ share: { amount } }) => amount))
  return { chargedAmount, ...(deductedAmount > 0 ? { deductedAmount } : {}) }
}

/**
 * Shares one thing among the leases of its units by days. What falls on days without a lease stays with the landlord; all
 * of it together is the cost to the franc, but for a given price, which holds as much TVA as the costs do.
 */
export function share(
  terms: ItemTerms,
  period: Span,
  leasesOf: (unitId: string) => readonly Tenancy[],
  metersOf: (unitId: string) => readonly Metered[],
): { readonly item: Item; readonly parts: readonly Part[] } {
  return terms.key === 'METERS' ? byMeters(terms, period, leasesOf, metersOf) : byWeights(terms, period, leasesOf)
}

function byMeters(
  terms: ItemTerms,
  period: Span,
  leasesOf: (unitId: string) => readonly Tenancy[],
  metersOf: (unitId: string) => readonly Metered[],
) {
  const uses = terms.units.flatMap(({ unitId }) => {
    const leases = leasesOf(unitId)
    const meters = metersOf(unitId).map((meter) => {
      const readings = readingsFrom(meter.readings, period.start)
      return { ...meter, readings, sums: counted(readings, leases) }
    })
    return leases.map((lease, n) => ({
      lease,
      meters: meters.map(({ sums, ...meter }) => ({ ...meter, counted: sums[n] ?? 0 })),
      counted: sumOf(meters.map(({ sums }) => sums[n] ?? 0)),
    }))
  })
  const all = sumOf(
    terms.units.flatMap(({ unitId }) =>
      metersOf(unitId).map(({ readings }) => sumOf(counted(readingsFrom(readings, period.start), []))),
    ),
  )
  const total = Math.max(terms.total ?? 0, all)
  const { unitPrice, tvaAmount: tva = 0 } = terms
  const counts = uses.map((use) => use.counted)
  const own = total - sumOf(counts)
  const amounts =
    unitPrice !== undefined
      ? counts.map((count) => priced(count, unitPrice))
      : total === 0
        ? counts.map(() => 0)
        : divide(terms.amount, [...counts, own])
  const taxes =
    tva === 0 || total === 0
      ? []
      : unitPrice === undefined
        ? divide(tva, [...counts, own])
        : amounts.map((amount) => partOf(amount, tva, terms.amount))
  const parts = uses.map(({ lease, meters, counted: count }, n) => ({
    lease,
    share: {
      label: terms.label,
      key: terms.key,
      ...charged(lease, amounts[n] ?? 0, taxes[n] ?? 0),
      counted: count,
      ...(terms.measure === undefined ? {} : { measure: terms.measure }),
      meters: meters.map(({ id, number, counted: one, readings }) => ({
        meterId: id,
        ...(number === null ? {} : { number }),
        counted: one,
        readings: readings.map(({ finalThousandths, mediaObjectId, ...reading }) => ({
          ...reading,
          ...(finalThousandths === null ? {} : { finalThousandths }),
          ...(mediaObjectId === null ? {} : { mediaObjectId }),
        })),
      })),
    },
  }))
  const sums = totals(parts)
  // If only the price is given, the cost is what it charges.
  const amount = terms.costs.length === 0 ? sums.chargedAmount : terms.amount
  const price = unitPrice ?? (total === 0 ? undefined : Math.round((amount * SCALE * SCALE) / total))
  const priceOf = ({ bearsTva }: Tenancy): { unitPrice?: number } =>
    price === undefined ? {} : { unitPrice: bearsTva ? price - partOf(price, tva, amount) : price }
  return {
    item: {
      ...terms,
      ...(price === undefined ? {} : { unitPrice: price }),
      amount,
      counted: all,
      total,
      ...sums,
    },
    parts: parts.map(({ lease, share: one }) => ({ lease, share: { ...one, ...priceOf(lease) } })),
  }
}

function byWeights(terms: ItemTerms, period: Span, leasesOf: (unitId: string) => readonly Tenancy[]) {
  const days = daysInclusive(period.start, period.end)
  const totalWeight = sumOf(terms.units.map(({ weight = 1 }) => weight))
  const uses = terms.units.flatMap(({ unitId, weight = 1 }) => {
    const leases = leasesOf(unitId).map((lease) => ({ lease, days: daysShared(period, lease) }))
    const free = Math.max(0, days - sumOf(leases.map((one) => one.days)))
    return [...leases, { lease: undefined, days: free }].map((use) => ({ ...use, weight }))
  })
  const weights = uses.map((use) => use.weight * use.days)
  const amounts = divide(terms.amount, weights)
  const taxes = divide(terms.tvaAmount ?? 0, weights)
  const parts = uses.flatMap(({ lease, weight, days: lived }, n): Part[] =>
    lease
      ? [
          {
            lease,
            share: {
              label: terms.label,
              key: terms.key,
              ...charged(lease, amounts[n] ?? 0, taxes[n] ?? 0),
              weight,
              totalWeight,
              days: lived,
            },
          },
        ]
      : [],
  )
  return { item: { ...terms, ...totals(parts) }, parts }
}

export type Provision = { readonly invoiceId: string; readonly number: string; readonly amount: number }
type Provided = Provision & {
  /** What a credit note may give back: net and with TVA; 0 where one stands already. */
  readonly whole: { readonly net: number; readonly gross: number }
  readonly basisPoints: number
}
/**
 * The credit notes, with TVA, that give back what provisions were too high, of the newest invoices first. Undefined if
 * they cannot, because notes stand on these invoices already.
 */
export function creditsOf(excess: number, provisions: readonly Provided[]): readonly Provision[] | undefined {
  let left = excess
  const credits = provisions.toReversed().flatMap(({ invoiceId, number, amount, whole, basisPoints }) => {
    const net = whole.gross === 0 ? 0 : Math.min(left, amount)
    left -= net
    if (net === 0) return []
    const gross = net === whole.net ? whole.gross : Math.min(whole.gross, net + tvaAmount(net, basisPoints))
    return [{ invoiceId, number, amount: gross }]
  })
  return left === 0 ? credits : undefined
}
