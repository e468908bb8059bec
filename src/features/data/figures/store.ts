import {
  and,
  asc,
  count,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { writing } from '../../../../db/json.ts'
import { type Seen, seenBy } from '../../../../db/matching.ts'
import type { Db } from '../../../../db/open.ts'
import { query, readingAll } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { property, unit } from '../../../../db/schema/properties.ts'
import { tenant } from '../../../../db/schema/tenants.ts'

const named = { id: property.id, name: property.name, status: property.status }
export const allProperties = readingAll('report.properties', ['orgId'], named, (db, columns, p) =>
  db.select(columns).from(property).where(eq(property.orgId, p.orgId)),
)
export const ownProperties = readingAll('report.ownProperties', ['orgId', 'userId'], named, (db, columns, p) =>
  db
    .select(columns)
    .from(property)
    .where(and(eq(property.orgId, p.orgId), eq(property.ownerUserId, p.userId))),
)

export const unitsOf = readingAll(
  'report.units',
  ['orgId', 'propertyId'],
  { id: unit.id, label: unit.label, status: unit.status, rentAmount: unit.rentAmount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(unit)
      .where(and(eq(unit.orgId, p.orgId), eq(unit.propertyId, p.propertyId))),
)

/** Leases of a property that ran at some time from `from` to `to`. */
export const leasesOf = readingAll(
  'report.leases',
  ['orgId', 'propertyId', 'from', 'to'],
  {
    id: booking.id,
    unitId: booking.unitId,
    unitLabel: booking.unitLabel,
    tenantName: booking.tenantName,
    rentAmount: booking.rentAmount,
    startDate: booking.startDate,
    endDate: booking.endDate,
    terminatedAt: booking.terminatedAt,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(
        and(
          eq(booking.orgId, p.orgId),
          eq(booking.propertyId, p.propertyId),
          inArray(sql`+${booking.status}`, [sql`'ACTIVE'`, sql`'TERMINATED'`]),
          lte(booking.startDate, p.to),
          or(isNull(booking.endDate), gte(booking.endDate, p.from)),
        ),
      ),
)

/** Unit and tenant of every lease that a property has had. */
export const leaseNames = readingAll(
  'report.leaseNames',
  ['orgId', 'propertyId'],
  { id: booking.id, unitId: booking.unitId, unitLabel: booking.unitLabel, tenantName: booking.tenantName },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(and(eq(booking.orgId, p.orgId), eq(booking.propertyId, p.propertyId))),
)

const standingOnly = sql`${invoice.status} in ('ISSUED','OVERDUE','PAID')`
/** Reads the invoices of each lease through the index that makes an invoice unique. */
const billedIn = (p: { readonly [N in 'orgId' | 'propertyId' | 'from' | 'to' | 'after' | 'until']: Placeholder }) =>
  and(
    eq(booking.orgId, p.orgId),
    eq(booking.propertyId, p.propertyId),
    gt(booking.id, p.after),
    lte(booking.id, p.until),
    eq(invoice.bookingId, booking.id),
    eq(sql`+${invoice.orgId}`, p.orgId),
    gte(invoice.periodStart, p.from),
    lte(invoice.periodStart, p.to),
    standingOnly,
  )
const balance = sql`${invoice.grossAmount} - ${invoice.amountPaid}`
/** A settlement's credit counts as settled on the invoice, but nobody paid it. */
const paid = sql`${invoice.amountPaid} - ${invoice.creditedAmount}`
const rollStatus = sql`iif(${invoice.creditedAmount} > 0 and ${invoice.creditedAmount} = ${invoice.grossAmount}, 'CREDITED', ${invoice.status})`

const summed = (column: AnySQLiteColumn) => sql<number>`sum(${column})`
const amounts = {
  net: summed(invoice.netAmount),
  tva: summed(invoice.tvaAmount),
  gross: summed(invoice.grossAmount),
  credited: summed(invoice.creditedAmount),
  paid: summed(invoice.amountPaid),
  // Nothing is left to pay, and not all of it was given back.
  paidCount: sql<number>`sum(${invoice.amountPaid} >= ${invoice.grossAmount} and ${invoice.creditedAmount} < ${invoice.grossAmount})`,
  openCount: sql<number>`sum(${invoice.amountPaid} < ${invoice.grossAmount})`,
}
/** Uncancelled invoices of a piece of a property's leases, with periods begun from `from` to `to`, summed by that day. */
export const billedByStart = query(
  'report.billedByStart',
  ['orgId', 'propertyId', 'from', 'to', 'after', 'until'],
  (db, p) =>
    db
      .select({ periodStart: invoice.periodStart, invoices: count(), ...amounts })
      .from(booking)
      // SQLite runs a cross join in the order written.
      .crossJoin(invoice)
      .where(billedIn(p))
      .groupBy(invoice.periodStart),
)
/**
 * The invoices of a lease, not cancelled, whose period begins from `from` to `to`, by period, each after its `begun`
 * text. The index that makes an invoice unique serves this; it holds no replaced invoices.
 */
export const rollOf = writing('report.roll', ['begun', 'orgId', 'bookingId', 'from', 'to'], (p) => ({
  begun: p.begun,
  members: {
    tenantName: ['text', invoice.tenantName],
    invoiceId: ['word', invoice.id],
    invoiceNumber: ['text', invoice.number],
    periodStart: ['word', invoice.periodStart],
    periodEnd: ['word', invoice.periodEnd],
    dueDate: ['word', invoice.dueDate],
    grossAmount: ['number', invoice.grossAmount],
    creditedAmount: ['number', invoice.creditedAmount],
    amountPaid: ['number', paid],
    balanceAmount: ['number', balance],
    status: ['word', rollStatus],
  },
  sums: {
    grossAmount: invoice.grossAmount,
    creditedAmount: invoice.creditedAmount,
    amountPaid: paid,
    balanceAmount: balance,
  },
  from: sql`from ${invoice} where ${and(
    eq(invoice.bookingId, p.bookingId),
    gte(invoice.periodStart, p.from),
    lte(invoice.periodStart, p.to),
    isNull(invoice.replacedById),
    eq(sql`+${invoice.orgId}`, p.orgId),
    standingOnly,
  )}`,
}))

/**
 * The amount of an invoice that counts in its month: all of it, because a later reduction has a credit note in its own
 * month. The TVA of a part is its share by the invoice's rate, rounded half up.
 */
const stands = (of: SQLWrapper, left: SQLWrapper): SQL =>
  sql`case ${offGross} when 0 then ${of} when ${invoice.grossAmount} then 0 else ${left} end`
/** The amount taken off without a credit note, as before Loyer made any. */
const offGross = sql`(iif(${invoice.status} = 'CANCELLED', ${invoice.grossAmount}, ${invoice.creditedAmount}) - ${invoice.notedAmount})`
const leftGross = sql`(${invoice.grossAmount} - ${offGross})`
const whole = sql`(10000 + ${invoice.tvaBasisPoints})`
const leftTva = sql`((${leftGross} * ${invoice.tvaBasisPoints} * 2 + ${whole}) / (2 * ${whole}))`
const standing = {
  standingNetAmount: stands(invoice.netAmount, sql`${leftGross} - ${leftTva}`),
  standingTvaAmount: stands(invoice.tvaAmount, leftTva),
  standingGrossAmount: stands(invoice.grossAmount, leftGross),
}

export const tenantsWithNiu = readingAll(
  'report.nius',
  ['orgId'],
  { id: tenant.id, niu: tenant.niu },
  (db, columns, p) =>
    db
      .select(columns)
      .from(tenant)
      .where(and(eq(tenant.orgId, p.orgId), isNotNull(tenant.niu))),
)

const PAGE = 500
const made = (p: { orgId: SQLWrapper; of: SQLWrapper; after: SQLWrapper }, seen: Seen) =>
  and(eq(invoice.orgId, p.orgId), seen?.(p.of), gt(invoice.id, p.after))
/**
 * `page`: invoices after one id up to another, cancelled ones too, that are dated from `from` to `to`. `offsets`: the
 * time zone's, as [since, what SQLite adds to UTC]. `nius`: the tenants' NIU by id, as a JSON object.
 * `until`: the last id of the page.
 */
const journalBy = (name: string, seen: Seen) => {
  const page = writing(name, ['orgId', 'of', 'after', 'until', 'from', 'to', 'offsets', 'nius'], (p) => {
    const localDate = (instant: SQLWrapper) =>
      sql`(select date(${instant}, ahead) from zone where since <= ${instant} order by since desc limit 1)`
    return {
      // Finding a tenant in this list costs half of a lookup for each invoice.
      before: sql`with niu as materialized (select key, value from json_each(${p.nius})), zone as materialized (select value ->> 0 as since, value ->> 1 as ahead from json_each(${p.offsets}))`,
      members: {
        kind: ['word', sql`'INVOICE'`],
        invoiceId: ['word', invoice.id],
        invoiceNumber: ['text', invoice.number],
        issuedOn: ['word', invoice.issuedOn],
        propertyId: ['word', invoice.propertyId],
        propertyName: ['text', invoice.propertyName],
        unitLabel: ['text', invoice.unitLabel],
        tenantName: ['text', invoice.tenantName],
        tenantNiu: ['maybe', sql`niu.value`],
        periodStart: ['word', invoice.periodStart],
        periodEnd: ['word', invoice.periodEnd],
        netAmount: ['number', invoice.netAmount],
        tvaBasisPoints: ['number', invoice.tvaBasisPoints],
        tvaAmount: ['number', invoice.tvaAmount],
        grossAmount: ['number', invoice.grossAmount],
        status: ['word', invoice.status],
        cancelledOn: [
          'maybe',
          sql`iif(${invoice.cancelledAt} is null or ${invoice.notedAmount} > 0, null, ${localDate(invoice.cancelledAt)})`,
        ],
        creditedAmount: ['number', sql`iif(${offGross} > 0, ${invoice.creditedAmount}, 0)`],
        standingNetAmount: ['number', standing.standingNetAmount],
        standingTvaAmount: ['number', standing.standingTvaAmount],
        standingGrossAmount: ['number', standing.standingGrossAmount],
      },
      sums: {
        netAmount: invoice.netAmount,
        tvaAmount: invoice.tvaAmount,
        grossAmount: invoice.grossAmount,
        creditedAmount: sql`iif(${offGross} > 0, ${invoice.creditedAmount}, 0)`,
        ...standing,
      },
      from: sql`from ${invoice} left join niu on niu.key = ${invoice.tenantId} where ${and(
        made(p, seen),
        lte(invoice.id, p.until),
        gte(invoice.issuedOn, p.from),
        lte(invoice.issuedOn, p.to),
      )}`,
    }
  })
  return page
}
const last = query('report.journal.until', ['orgId', 'after'], (db, p) =>
  db
    .select({ id: invoice.id })
    .from(invoice)
    .where(and(eq(invoice.orgId, p.orgId), gt(invoice.id, p.after)))
    .orderBy(asc(invoice.id))
    .limit(1)
    .offset(PAGE - 1),
)
/** The last id of the organization's next page, whatever the caller sees: each query reads equally many invoices. */
export const journalUntil = (db: Db, key: { orgId: string; after: string }): string | undefined => last(db).get(key)?.id
const SEEN = seenBy(invoice)
/** The journals by the scope of the caller; each reads the invoices of the organization once. */
export const journals = {
  all: journalBy('report.journal', SEEN.all),
  owner: journalBy('report.journalOfOwner', SEEN.owner),
  limited: journalBy('report.journalOfManaged', SEEN.limited),
  property: journalBy('report.journalOfProperty', SEEN.property),
}
