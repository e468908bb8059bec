import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { Ctx } from '../../../context.ts'
import { addDays, addMonths } from '../../../core/dates.ts'
import { MAX_AMOUNT, tvaAmount } from '../../../core/money.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { metersOf, readingsUntil } from '../../lease/meters/store.ts'
import { todayOf } from '../../people/organizations/service.ts'
import type { PropertyRow } from '../../property/properties/store.ts'
import { findUnit, type UnitRow, usableUnits } from '../../property/units/store.ts'
import { broughtUpToDate } from '../billing/service.ts'
import { findExpense } from '../expenses/store.ts'
import { provisionsOf } from '../invoices/provisions.ts'
import type { RegularisationGiven } from './model.ts'
import {
  creditsOf,
  DAYS_TO_PAY,
  daysShared,
  type Item,
  MONTHS,
  MOST_LEASES,
  MOST_UNITS,
  type Provision,
  partOf,
  readingsFrom,
  SCALE,
  type ShareItem,
  share,
  sumOf,
  type Tenancy,
} from './rules.ts'
import { chargedIn, leasesIn } from './store.ts'

export type PlannedShare = {
  readonly lease: BookingRow
  readonly days: number
  readonly items: readonly ShareItem[]
  readonly amount: number
  readonly provisionAmount: number
  readonly provisions: readonly Provision[]
  readonly credits: readonly Provision[]
  /** What is to pay, with TVA. */
  readonly grossAmount: number
}
export type Planned = {
  readonly propertyId: string
  readonly periodStart: string
  readonly periodEnd: string
  readonly dueDate: string
  readonly items: readonly Item[]
  readonly costAmount: number
  readonly chargedAmount: number
  readonly deductedAmount: number
  readonly provisionAmount: number
  readonly shares: readonly PlannedShare[]
}

type ItemInput = RegularisationGiven['items'][number]

/** @throws validation_failed for days that cannot be */
function checkDays({ periodStart, periodEnd, dueDate }: RegularisationGiven, today: string): string {
  if (periodEnd > today) throw invalid('/periodEnd', 'Today or earlier.', 'Aujourd’hui ou plus tôt.')
  if (periodEnd < periodStart) throw invalid('/periodEnd', 'Not before the first day.', 'Pas avant le premier jour.')
  if (periodEnd >= addMonths(periodStart, MONTHS))
    throw invalid('/periodEnd', `At most ${MONTHS} months.`, `Au plus ${MONTHS} mois.`)
  const due = dueDate ?? addDays(today, DAYS_TO_PAY)
  const latest = addMonths(today, 12)
  if (due < today || due > latest)
    throw invalid('/dueDate', `Must be from ${today} to ${latest}.`, `Doit être du ${today} au ${latest}.`)
  return due
}

/** The costs of an item, each expense once. @throws not_found, validation_failed, invalid_state */
function costsOf(ctx: Ctx, property: PropertyRow, input: ItemInput, n: number, used: Set<string>): Item['costs'] {
  return (input.costs ?? []).map(({ expenseId, label, amount, tvaAmount: tva }, at) => {
    const path = `/items/${n}/costs/${at}`
    if (tva && (expenseId || tva > (amount ?? 0)))
      throw invalid(`${path}/tvaAmount`, 'At most the amount that was typed.', 'Au plus le montant saisi.')
    if (!expenseId) {
      if (!label) throw invalid(`${path}/label`, 'Say what it is.', 'Dites ce que c’est.')
      if (!amount) throw invalid(`${path}/amount`, 'Say what it cost.', 'Dites ce que cela a coûté.')
      return { label, amount, ...(tva ? { tvaAmount: tva } : {}) }
    }
    const row = findExpense(ctx.tx, property.orgId, expenseId)
    if (row?.propertyId !== property.id) throw notFound()
    const units = input.units?.map(({ unitId }) => unitId)
    if (used.has(expenseId) || row.regularisationId !== null || !row.chargeable || row.status !== 'RECORDED')
      throw invalid(
        `${path}/expenseId`,
        'This expense is not chargeable, or was already charged on.',
        'Cette dépense n’est pas récupérable, ou a déjà été refacturée.',
      )
    if (row.unitId !== null && (units?.length !== 1 || units[0] !== row.unitId))
      throw invalid(
        `${path}/expenseId`,
        'This expense belongs to one unit. Charge it to that unit only.',
        'Cette dépense concerne un seul logement\u00a0: imputez-la à celui-ci.',
      )
    if (amount && amount > row.amount) throw invalid(`${path}/amount`, 'More than the expense.', 'Plus que la dépense.')
    used.add(expenseId)
    const taken = amount ?? row.amount
    const tvaAmount = partOf(row.tvaAmount ?? 0, taken, row.amount)
    const name = (label ?? row.supplier ?? row.kind).slice(0, 60)
    return { label: name, amount: taken, ...(tvaAmount > 0 ? { tvaAmount } : {}), expenseId }
  })
}

const decimals = (value: number, path: string): number => {
  const whole = Math.round(value * SCALE)
  if (whole / SCALE !== value) throw invalid(path, 'At most three decimals.', 'Trois décimales au plus.')
  return whole
}
const named = (labels: readonly string[]): string => labels.slice(0, 8).join(', ') + (labels.length > 8 ? ' …' : '')

/** The units that share an item, with their weights. @throws not_found, validation_failed */
function unitsOf(input: ItemInput, n: number, all: readonly UnitRow[], metered: ReadonlySet<string>): Item['units'] {
  const byId = new Map(all.map((unit) => [unit.id, unit]))
  const chosen = input.units?.map(({ unitId, weight }) => {
    const unit = byId.get(unitId)
    if (!unit) throw notFound()
    return { unit, weight: weight ?? undefined }
  })
  const units = chosen ?? all.map((unit) => ({ unit, weight: undefined }))
  const path = `/items/${n}/units`
  if (new Set(units.map(({ unit }) => unit.id)).size < units.length)
    throw invalid(path, 'A unit is in it twice.', 'Un logement y figure deux fois.')
  if (input.key === 'METERS')
    return units.filter(({ unit }) => metered.has(unit.id)).map(({ unit }) => ({ unitId: unit.id }))
  if (input.key === 'EQUAL') return units.map(({ unit }) => ({ unitId: unit.id, weight: 1 }))
  if (input.key === 'WEIGHTS') {
    if (!chosen || chosen.some(({ weight }) => weight === undefined))
      throw invalid(path, 'Give each unit its weight.', 'Donnez à chaque logement son poids.')
    return chosen.map(({ unit, weight = 1 }) => ({ unitId: unit.id, weight }))
  }
  const bare = units.filter(({ unit }) => !unit.areaSqm).map(({ unit }) => unit.label)
  if (bare.length > 0)
    throw invalid(path, `Their surface is not known: ${named(bare)}.`, `Surface non renseignée\u00a0: ${named(bare)}.`)
  return units.map(({ unit }) => ({ unitId: unit.id, weight: Math.max(1, Math.round((unit.areaSqm ?? 0) * 100)) }))
}

/** Every figure of a regularisation, without doing it. @throws not_found, validation_failed, invalid_state, overloaded */
export function plan(ctx: Ctx, property: PropertyRow, body: RegularisationGiven): Planned {
  const { orgId, id: propertyId } = property
  const { periodStart, periodEnd } = body
  const dueDate = checkDays(body, todayOf(ctx))
  const span = { orgId, propertyId, from: periodStart, to: periodEnd, limit: MOST_LEASES + 1 }
  const affected = leasesIn(ctx.tx, span)
  if (affected.length > MOST_LEASES)
    throw new AppError('quota_exceeded', {
      en: `A regularisation can cover at most ${MOST_LEASES} leases. Choose a shorter period.`,
      fr: `Au plus ${MOST_LEASES} baux à la fois\u00a0: choisissez une période plus courte.`,
    })
  for (const { id } of affected) broughtUpToDate(ctx, id)
  const leases = leasesIn(ctx.tx, span)
  const usable = usableUnits(ctx.tx, orgId, propertyId, MOST_UNITS)
  const there = new Set(usable.map(({ id }) => id))
  const gone = new Set(leases.map(({ unitId }) => unitId).filter((id) => !there.has(id)))
  const all = [...usable, ...[...gone].flatMap((id) => findUnit(ctx.tx, orgId, id) ?? [])]
  const tenancies = Map.groupBy(
    leases.map((lease): Tenancy => {
      const { id: bookingId, unitId, startDate: start, endDate, tvaBasisPoints } = lease
      return { bookingId, unitId, start, end: endDate ?? '9999-12-31', bearsTva: tvaBasisPoints > 0 }
    }),
    ({ unitId }) => unitId,
  )
  const leasesOf = (unitId: string): readonly Tenancy[] => tenancies.get(unitId) ?? []
  const earlier = chargedIn(ctx.tx, orgId, propertyId, periodStart, periodEnd)
  const used = new Set<string>()
  const kinds = new Set<string>()
  const items: Item[] = []
  const parts = new Map<string, ShareItem[]>()
  for (const [n, input] of body.items.entries()) {
    const { key, meterKind } = input
    const meters = new Map<string, ReturnType<typeof metersRead>>()
    if (key === 'METERS') {
      if (!meterKind) throw invalid(`/items/${n}/meterKind`, 'Say which meters.', 'Dites quels compteurs.')
      if (kinds.has(meterKind) || earlier.some((item) => item.meterKind === meterKind))
        throw invalid(
          `/items/${n}/meterKind`,
          'These meters were already charged for days of this period.',
          'Ces compteurs ont déjà été facturés pour des jours de cette période.',
        )
      kinds.add(meterKind)
      for (const { id } of all) {
        const read = metersRead(ctx, orgId, id, meterKind, addDays(periodEnd, 1))
        if (read.length > 0) meters.set(id, read)
      }
    }
    const costs = costsOf(ctx, property, input, n, used)
    const units = unitsOf(input, n, all, new Set(meters.keys()))
    const amount = sumOf(costs.map((cost) => cost.amount))
    const tva = sumOf(costs.map((cost) => cost.tvaAmount ?? 0))
    const { unitPrice, total } = input
    if (key !== 'METERS' && (unitPrice || total || meterKind))
      throw invalid(
        `/items/${n}/key`,
        'A price, a total and a kind can be given only with METERS.',
        'Un prix, un total et un type de compteur vont avec METERS seulement.',
      )
    if (costs.length === 0 && !unitPrice)
      throw invalid(`/items/${n}/costs`, 'Name what it cost, or a price.', 'Indiquez ce que cela a coûté, ou un prix.')
    if (amount > MAX_AMOUNT) throw invalid(`/items/${n}/costs`, 'Too much.', 'Montant trop élevé.')
    const silent = all.filter(
      ({ id }) =>
        units.some(({ unitId }) => unitId === id) &&
        meters.get(id)?.some(({ readings }) => readingsFrom(readings, periodStart).length < 2),
    )
    if (silent.length > 0 || (key === 'METERS' && units.length === 0))
      throw invalid(
        `/items/${n}/meterKind`,
        `label))}. => The readings at the beginning and the end are missing: ${named(silent.map(({ label }) => label))}. => label))}.`,
        `Il manque deux relevés, du début et de la fin\u00a0: ${named(silent.map(({ label }) => label))}.`,
      )
    const measure = [...meters.values()][0]?.[0]?.measure
    const shared = share(
      {
        label: input.label,
        key,
        ...(meterKind ? { meterKind } : {}),
        ...(measure === undefined ? {} : { measure }),
        costs,
        amount,
        ...(tva > 0 ? { tvaAmount: tva } : {}),
        ...(unitPrice ? { unitPrice: decimals(unitPrice, `/items/${n}/unitPrice`) } : {}),
        ...(total ? { total: decimals(total, `/items/${n}/total`) } : {}),
        units,
      },
      { start: periodStart, end: periodEnd },
      leasesOf,
      (unitId) => meters.get(unitId) ?? [],
    )
    if (total && (shared.item.counted ?? 0) > decimals(total, `/items/${n}/total`))
      throw invalid(`/items/${n}/total`, 'The sub-meters counted more.', 'Les sous-compteurs ont compté davantage.')
    if (shared.item.chargedAmount > MAX_AMOUNT)
      throw invalid(`/items/${n}/unitPrice`, 'Too much.', 'Montant trop élevé.')
    items.push(shared.item)
    for (const { lease, share: one } of shared.parts)
      parts.set(lease.bookingId, [...(parts.get(lease.bookingId) ?? []), one])
  }
  return summed(ctx, { ...body, propertyId, dueDate }, leases, items, parts)
}

const metersRead = (ctx: Ctx, orgId: string, unitId: string, kind: string, until: string) =>
  metersOf(ctx.tx, orgId, unitId)
    .filter((meter) => meter.kind === kind)
    .map(({ id, number, measure }) => ({
      id,
      number,
      measure,
      readings: readingsUntil(ctx.tx).all({ orgId, meterId: id, day: until }),
    }))

/** The shares lease by lease, with what their provisions leave to pay or to give back. */
function summed(
  ctx: Ctx,
  body: RegularisationGiven & { readonly propertyId: string; readonly dueDate: string },
  leases: readonly BookingRow[],
  items: readonly Item[],
  parts: ReadonlyMap<string, readonly ShareItem[]>,
): Planned {
  const { propertyId, periodStart, periodEnd, dueDate, setOffProvisions } = body
  const period = { start: periodStart, end: periodEnd }
  const shares = leases.flatMap((lease): PlannedShare[] => {
    const own = parts.get(lease.id)
    if (!own) return []
    const amount = sumOf(own.map((item) => item.amount))
    const provisions = setOffProvisions === false ? [] : provisionsOf(ctx, lease, periodStart, periodEnd)
    const provisionAmount = sumOf(provisions.map((one) => one.amount))
    const balance = amount - provisionAmount
    const credits = balance < 0 ? creditsOf(-balance, provisions) : []
    if (!credits)
      throw new AppError(
        'invalid_state',
        {
          en: `Provisions of ${lease.unitLabel} cannot be given back, because their invoices already have a credit note.`,
          fr: `Les provisions de ${lease.unitLabel} ne peuvent être rendues\u00a0: un avoir porte déjà sur leurs factures.`,
        },
        { currentStatus: lease.status, allowed: [] },
      )
    return [
      {
        lease,
        days: daysShared(period, { start: lease.startDate, end: lease.endDate ?? '9999-12-31' }),
        items: own,
        amount,
        provisionAmount,
        provisions: provisions.map(({ invoiceId, number, amount: paid }) => ({ invoiceId, number, amount: paid })),
        credits,
        grossAmount: balance > 0 ? balance + tvaAmount(balance, lease.tvaBasisPoints) : 0,
      },
    ]
  })
  return {
    propertyId,
    periodStart,
    periodEnd,
    dueDate,
    items,
    costAmount: sumOf(items.map((item) => item.amount)),
    chargedAmount: sumOf(items.map((item) => item.chargedAmount)),
    deductedAmount: sumOf(items.map((item) => item.deductedAmount ?? 0)),
    provisionAmount: sumOf(shares.map((one) => one.provisionAmount)),
    shares,
  }
}
