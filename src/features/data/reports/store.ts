import {
  and,
  asc,
  count,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lt,
  lte,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { type AnySQLiteColumn, alias } from 'drizzle-orm/sqlite-core'
import { writing } from '../../../../db/json.ts'
import { type Seen, seenBy } from '../../../../db/list/filters.ts'
import type { Db } from '../../../../db/open.ts'
import { query, readingAll } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { expense, ownerTransfer } from '../../../../db/schema/expenses.ts'
import { creditNote, invoice } from '../../../../db/schema/invoices.ts'
import { allocation, payment } from '../../../../db/schema/payments.ts'
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

/** Every lease that a property has had. */
export const leasesOf = readingAll(
  'report.leases',
  ['orgId', 'propertyId'],
  {
    id: booking.id,
    unitId: booking.unitId,
    tenantName: booking.tenantName,
    rentAmount: booking.rentAmount,
    startDate: booking.startDate,
    endDate: booking.endDate,
    terminatedAt: booking.terminatedAt,
    status: booking.status,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(and(eq(booking.orgId, p.orgId), eq(booking.propertyId, p.propertyId))),
)

/** Names of every lease that a property has had, at less than all of it costs. */
export const leaseNames = readingAll(
  'report.leaseNames',
  ['orgId', 'propertyId'],
  { id: booking.id, unitLabel: booking.unitLabel, tenantName: booking.tenantName },
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

const summed = (column: AnySQLiteColumn | SQL) => sql<number>`sum(${column})`
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
 * The invoices of some leases (`leases`: a JSON array of their ids), not cancelled, whose period begins from `from` to `to`,
 * by period. The index that makes an invoice unique serves this; it holds no replaced invoices.
 */
export const rollOf = readingAll(
  'report.roll',
  ['orgId', 'leases', 'from', 'to'],
  {
    bookingId: invoice.bookingId,
    tenantName: invoice.tenantName,
    id: invoice.id,
    number: invoice.number,
    periodStart: invoice.periodStart,
    periodEnd: invoice.periodEnd,
    dueDate: invoice.dueDate,
    grossAmount: invoice.grossAmount,
    creditedAmount: invoice.creditedAmount,
    amountPaid: invoice.amountPaid,
    status: invoice.status,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(sql`json_each(${p.leases})`)
      // SQLite runs a cross join in the order written.
      .crossJoin(invoice)
      .where(
        and(
          eq(invoice.bookingId, sql`json_each.value`),
          gte(invoice.periodStart, p.from),
          lte(invoice.periodStart, p.to),
          isNull(invoice.replacedById),
          eq(sql`+${invoice.orgId}`, p.orgId),
          standingOnly,
        ),
      ),
)

const waivers = query('report.waivers', ['orgId', 'invoices'], (db, p) =>
  db
    .select({ id: creditNote.invoiceId, amount: creditNote.grossAmount })
    .from(sql`json_each(${p.invoices})`)
    // SQLite runs a cross join in the order written.
    .crossJoin(creditNote)
    .where(
      and(
        eq(creditNote.orgId, p.orgId),
        eq(creditNote.invoiceId, sql`json_each.value`),
        sql`${creditNote.reason} = 'WAIVED'`,
        isNull(creditNote.withdrawnOn),
      ),
    ),
)
type Off = { readonly id: string; readonly creditedAmount: number }
/** What was waived of those of these invoices that have a credit note, in francs by invoice. */
export function waivedOf(db: Db, orgId: string, invoices: readonly Off[]): ReadonlyMap<string, number> {
  const ids = new Set(invoices.flatMap(({ id, creditedAmount }) => (creditedAmount > 0 ? [id] : [])))
  const rows = ids.size === 0 ? [] : waivers(db).all({ orgId, invoices: JSON.stringify([...ids]) })
  const sums = new Map<string, number>()
  for (const { id, amount } of rows) sums.set(id, (sums.get(id) ?? 0) + amount)
  return sums
}

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
const issuedIn = (p: { orgId: SQLWrapper; of: SQLWrapper; after: SQLWrapper }, seen: Seen) =>
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
        issuedIn(p, seen),
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

const OPEN = 1000
const invoicePlace = sql<number>`${invoice}.rowid`
// Written as in the partial index, so that SQLite uses it.
const isOpen = sql`${invoice.status} in ('ISSUED','OVERDUE')`
const openAfter = query('report.openUntil', ['propertyId', 'from', 'after', 'before'], (db, p) =>
  db
    .select({ dueDate: invoice.dueDate, row: invoicePlace })
    .from(invoice)
    .where(
      and(
        eq(invoice.propertyId, p.propertyId),
        isOpen,
        sql`(${invoice.dueDate}, ${invoicePlace}) > (${p.from}, ${p.after})`,
        lt(invoice.dueDate, p.before),
      ),
    )
    .orderBy(asc(invoice.dueDate), asc(invoicePlace))
    .limit(1)
    .offset(OPEN - 1),
)
/** The last of a property's next thousand open invoices, by due date and rowid; undefined on the last page. */
export const openUntil = (db: Db, key: { propertyId: string; from: string; after: number; before: string }) =>
  openAfter(db).get(key)
/**
 * The open amounts of a property's invoices due before `before`, in order: those after the one due on `from` with the
 * rowid `after`, up to that of `until`.
 */
export const openInvoices = readingAll(
  'report.open',
  ['orgId', 'propertyId', 'from', 'after', 'before', 'last', 'until'],
  {
    id: invoice.id,
    bookingId: invoice.bookingId,
    unitLabel: invoice.unitLabel,
    tenantName: invoice.tenantName,
    phoneNumber: tenant.phoneNumber,
    number: invoice.number,
    periodStart: invoice.periodStart,
    dueDate: invoice.dueDate,
    grossAmount: invoice.grossAmount,
    creditedAmount: invoice.creditedAmount,
    amountPaid: invoice.amountPaid,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .innerJoin(tenant, and(eq(tenant.orgId, invoice.orgId), eq(tenant.id, invoice.tenantId)))
      .where(
        and(
          eq(sql`+${invoice.orgId}`, p.orgId),
          eq(invoice.propertyId, p.propertyId),
          isOpen,
          sql`(${invoice.dueDate}, ${invoicePlace}) > (${p.from}, ${p.after})`,
          sql`(${invoice.dueDate}, ${invoicePlace}) <= (${p.last}, ${p.until})`,
          lt(invoice.dueDate, p.before),
        ),
      )
      .orderBy(asc(invoice.dueDate), asc(invoicePlace)),
)

const MOST_NOTES = 500
type Place = { readonly [N in 'orgId' | 'from' | 'after']: SQLWrapper }
/** After a place in the order of the days. */
const within = (p: Place, day: SQLWrapper) =>
  and(eq(creditNote.orgId, p.orgId), sql`(${day}, ${creditNote.id}) > (${p.from}, ${p.after})`)
/** Credit notes of a time that a caller sees, with their invoices; `withdrawn`: by the day on which they were taken back. */
const notesBy = (name: string, withdrawn: boolean, seen: Seen) => {
  const day = withdrawn ? creditNote.withdrawnOn : creditNote.issuedOn
  const signed = (of: SQLWrapper) => (withdrawn ? sql`${of}` : sql`-${of}`)
  const [net, tva, gross] = [signed(creditNote.netAmount), signed(creditNote.tvaAmount), signed(creditNote.grossAmount)]
  const stand = { standingNetAmount: net, standingTvaAmount: tva, standingGrossAmount: gross }
  return writing(name, ['orgId', 'of', 'from', 'after', 'to', 'until', 'nius'], (p) => ({
    members: {
      kind: ['word', withdrawn ? sql`'CREDIT_NOTE_WITHDRAWN'` : sql`'CREDIT_NOTE'`],
      creditNoteNumber: ['text', creditNote.number],
      invoiceId: ['word', invoice.id],
      invoiceNumber: ['text', invoice.number],
      issuedOn: ['word', day],
      propertyId: ['word', invoice.propertyId],
      propertyName: ['text', invoice.propertyName],
      unitLabel: ['text', invoice.unitLabel],
      tenantName: ['text', invoice.tenantName],
      tenantNiu: ['maybe', sql`(${p.nius} ->> ('$.' || json_quote(${invoice.tenantId})))`],
      periodStart: ['word', invoice.periodStart],
      periodEnd: ['word', invoice.periodEnd],
      netAmount: ['number', net],
      tvaBasisPoints: ['number', creditNote.tvaBasisPoints],
      tvaAmount: ['number', tva],
      grossAmount: ['number', gross],
      status: ['word', invoice.status],
      creditedAmount: ['number', sql`0`],
      standingNetAmount: ['number', net],
      standingTvaAmount: ['number', tva],
      standingGrossAmount: ['number', gross],
    },
    sums: { netAmount: net, tvaAmount: tva, grossAmount: gross, creditedAmount: sql`0`, ...stand },
    from: sql`from ${creditNote} cross join ${invoice} where ${and(
      within(p, day),
      sql`(${day}, ${creditNote.id}) <= (${p.to}, ${p.until})`,
      eq(invoice.orgId, creditNote.orgId),
      eq(invoice.id, creditNote.invoiceId),
      seen?.(p.of),
    )}`,
  }))
}
const lastNote = (name: string, withdrawn: boolean) => {
  const day = withdrawn ? creditNote.withdrawnOn : creditNote.issuedOn
  return query(name, ['orgId', 'from', 'after', 'to'], (db, p) =>
    db
      .select({ from: sql<string>`${day}`, after: creditNote.id })
      .from(creditNote)
      .where(and(within(p, day), sql`${day} <= ${p.to}`))
      .orderBy(asc(day), asc(creditNote.id))
      .limit(1)
      .offset(MOST_NOTES - 1),
  )
}
const notesOf = (withdrawn: boolean, name: string) => ({
  until: lastNote(`${name}.until`, withdrawn),
  all: notesBy(name, withdrawn, SEEN.all),
  owner: notesBy(`${name}OfOwner`, withdrawn, SEEN.owner),
  limited: notesBy(`${name}OfManaged`, withdrawn, SEEN.limited),
  property: notesBy(`${name}OfProperty`, withdrawn, SEEN.property),
})
/** Credit notes by the day on which they were issued, and by that on which they were withdrawn. */
export const noteJournals = [notesOf(false, 'report.notes'), notesOf(true, 'report.withdrawn')]

const KEYS = ['orgId', 'propertyId', 'from', 'to'] as const

/** What the management paid for a property from `from` to `to`. */
export const spentBetween = readingAll(
  'ownerAccount.expenses',
  KEYS,
  { on: expense.spentOn, kind: expense.kind, supplier: expense.supplier, note: expense.note, amount: expense.amount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(expense)
      .where(
        and(
          eq(expense.orgId, p.orgId),
          eq(expense.propertyId, p.propertyId),
          gte(expense.spentOn, p.from),
          lte(expense.spentOn, p.to),
          sql`+${expense.paidBy} = 'MANAGEMENT'`,
          sql`+${expense.status} = 'RECORDED'`,
        ),
      ),
)
/** What the owner of a property was handed from `from` to `to`. */
export const handedBetween = readingAll(
  'ownerAccount.transfers',
  KEYS,
  {
    on: ownerTransfer.paidOn,
    method: ownerTransfer.method,
    reference: ownerTransfer.reference,
    note: ownerTransfer.note,
    amount: ownerTransfer.amount,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(ownerTransfer)
      .where(
        and(
          eq(ownerTransfer.orgId, p.orgId),
          eq(ownerTransfer.propertyId, p.propertyId),
          gte(ownerTransfer.paidOn, p.from),
          lte(ownerTransfer.paidOn, p.to),
          sql`+${ownerTransfer.status} = 'RECORDED'`,
        ),
      ),
)

/**
 * Invoices, not cancelled, whose period begins from `from` to `to`, of a piece of a property's leases (by id), summed
 * by lease.
 */
export const billedByLease = query('ownerStatement.billed', [...KEYS, 'after', 'until'], (db, p) =>
  db
    .select({
      bookingId: booking.id,
      netAmount: summed(invoice.netAmount),
      tvaAmount: summed(invoice.tvaAmount),
      grossAmount: summed(invoice.grossAmount),
      creditedAmount: summed(invoice.creditedAmount),
    })
    .from(booking)
    // SQLite runs a cross join in the order written: lease by lease.
    .crossJoin(invoice)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.propertyId, p.propertyId),
        gt(booking.id, p.after),
        lte(booking.id, p.until),
        eq(invoice.bookingId, booking.id),
        eq(sql`+${invoice.orgId}`, p.orgId),
        gte(invoice.periodStart, p.from),
        lte(invoice.periodStart, p.to),
        sql`${invoice.status} in ('ISSUED','OVERDUE','PAID')`,
      ),
    )
    .groupBy(booking.id),
)

/** The open amounts of a property's invoices whose period begins by `to`. */
export const openOf = readingAll(
  'ownerStatement.open',
  ['orgId', 'propertyId', 'to'],
  { bookingId: invoice.bookingId, grossAmount: invoice.grossAmount, amountPaid: invoice.amountPaid },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .where(
        and(
          eq(sql`+${invoice.orgId}`, p.orgId),
          eq(invoice.propertyId, p.propertyId),
          // Written as in the partial index, so that SQLite uses it.
          sql`${invoice.status} in ('ISSUED','OVERDUE')`,
          lte(invoice.periodStart, p.to),
        ),
      ),
)

const PIECE = 1000
const place = sql<number>`${payment}.rowid`
const paymentAfter = query('ownerStatement.paymentsUntil', [...KEYS, 'after'], (db, p) =>
  db
    .select({ paidOn: payment.paidOn, row: place })
    .from(payment)
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.propertyId, p.propertyId),
        sql`(${payment.paidOn}, ${place}) > (${p.from}, ${p.after})`,
        lte(payment.paidOn, p.to),
      ),
    )
    .orderBy(asc(payment.paidOn), asc(place))
    .limit(1)
    .offset(PIECE - 1),
)
type Range = { readonly orgId: string; readonly propertyId: string; readonly from: string; readonly to: string }
type Piece = Range & { readonly after: number; readonly until: number }
/** A property's payments dated from `from` to `to` as pieces of a thousand, in order of their dates. */
export function* paymentPieces(db: Db, range: Range): Generator<Piece> {
  let start = { from: range.from, after: -1 }
  for (;;) {
    const end = paymentAfter(db).get({ ...range, ...start })
    yield { ...range, ...start, to: end?.paidOn ?? range.to, until: end?.row ?? Number.MAX_SAFE_INTEGER }
    if (!end) return
    start = { from: end.paidOn, after: end.row }
  }
}
/** The confirmed ones of a piece: after the payment dated `from` with the rowid `after`, up to that of `until`. */
const inPiece = (p: { readonly [N in keyof Piece]: Placeholder }) =>
  and(
    eq(payment.orgId, p.orgId),
    eq(payment.propertyId, p.propertyId),
    sql`(${payment.paidOn}, ${place}) > (${p.from}, ${p.after})`,
    sql`(${payment.paidOn}, ${place}) <= (${p.to}, ${p.until})`,
    eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
  )

/** Confirmed payments and refunds of a piece. */
export const moneyOf = readingAll(
  'ownerStatement.money',
  [...KEYS, 'after', 'until'],
  {
    bookingId: payment.bookingId,
    type: payment.type,
    method: payment.method,
    paidOn: payment.paidOn,
    amount: payment.amount,
  },
  (db, columns, p) => db.select(columns).from(payment).where(inPiece(p)),
)

/** The deposits of a property's leases: movements from `from` to `to`, and the amount held at the end of `to`. */
export const depositsByLease = query('ownerStatement.deposits', KEYS, (db, p) => {
  const change = sql`iif(${depositEntry.type} = 'RECEIVED', ${depositEntry.amount}, -${depositEntry.amount})`
  // A deduction that was taken back does not count; an amount moved to a renewal was neither returned nor received.
  const moved = (type: string, amount = sql`${depositEntry.amount}`, when = sql`${depositEntry.type} = ${type}`) =>
    summed(
      sql`iif(${when} and ${depositEntry.movedBookingId} is null and ${depositEntry.paidOn} >= ${p.from}, ${amount}, 0)`,
    )
  const signed = sql`iif(${depositEntry.type} = 'DEDUCTED', ${depositEntry.amount}, -${depositEntry.amount})`
  const isDeduction = sql`(${depositEntry.type} = 'DEDUCTED' or ${depositEntry.paymentId} is not null)`
  const came = sql`${depositEntry.type} = 'RECEIVED' and ${depositEntry.paymentId} is null`
  return (
    db
      .select({
        bookingId: booking.id,
        depositReceivedAmount: moved('RECEIVED', undefined, came),
        depositDeductedAmount: moved('DEDUCTED', signed, isDeduction),
        depositReturnedAmount: moved('RETURNED'),
        depositMovedAmount: summed(
          sql`iif(${depositEntry.movedBookingId} is not null and ${depositEntry.paidOn} >= ${p.from}, ${change}, 0)`,
        ),
        depositHeldAmount: summed(change),
      })
      .from(booking)
      // SQLite runs a cross join in the order written; otherwise it would scan the ledgers of the whole organization.
      .crossJoin(depositEntry)
      .where(
        and(
          eq(booking.orgId, p.orgId),
          eq(booking.propertyId, p.propertyId),
          eq(depositEntry.orgId, booking.orgId),
          eq(depositEntry.bookingId, booking.id),
          lte(depositEntry.paidOn, p.to),
        ),
      )
      .groupBy(booking.id)
  )
})

/** Payments of a piece: the amounts allocated to invoices dated by `issuedBy`. */
export const takenOfPayments = readingAll(
  'ownerStatement.taken',
  [...KEYS, 'after', 'until', 'issuedBy'],
  { bookingId: payment.bookingId, amount: allocation.amount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(payment)
      // SQLite runs cross joins in the order written.
      .crossJoin(allocation)
      .crossJoin(invoice)
      .where(
        and(
          inPiece(p),
          eq(allocation.paymentId, payment.id),
          eq(invoice.orgId, allocation.orgId),
          eq(invoice.id, allocation.targetId),
          lte(invoice.issuedOn, p.issuedBy),
        ),
      ),
)
const row = sql<number>`${invoice}.rowid`
const piece = query('ownerStatement.piece', ['propertyId', 'after'], (db, p) =>
  db
    .select({ row })
    .from(invoice)
    .where(and(eq(invoice.propertyId, p.propertyId), gt(row, p.after)))
    .orderBy(asc(row))
    .limit(1)
    .offset(PIECE - 1),
)
/** The last of a property's next thousand invoices, in order of creation; undefined on the last page. */
export const pieceOf = (db: Db, propertyId: string, after: number): number | undefined =>
  piece(db).get({ propertyId, after })?.row
/** A page of a property's invoices dated from `from` to `to`: the amounts allocated to them from earlier payments. */
export const takenByInvoices = readingAll(
  'ownerStatement.takenByInvoices',
  ['orgId', 'propertyId', 'after', 'until', 'from', 'to'],
  { bookingId: invoice.bookingId, amount: allocation.amount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(invoice)
      .crossJoin(allocation)
      .crossJoin(payment)
      .where(
        and(
          eq(sql`+${invoice.orgId}`, p.orgId),
          eq(invoice.propertyId, p.propertyId),
          gt(row, p.after),
          lte(row, p.until),
          gte(invoice.issuedOn, p.from),
          lte(invoice.issuedOn, p.to),
          eq(allocation.orgId, invoice.orgId),
          eq(allocation.targetId, invoice.id),
          eq(payment.id, allocation.paymentId),
          eq(payment.status, sql`'CONFIRMED'`),
          lt(payment.paidOn, p.from),
        ),
      ),
)
/** What ends of leases credited on each invoice of a property, with what was waived of it, and the dates of the payments on it. */
export const creditedOf = readingAll(
  'ownerStatement.credited',
  ['orgId', 'propertyId'],
  {
    bookingId: invoice.bookingId,
    amount: invoice.creditedAmount,
    endedAt: booking.terminatedAt,
    issuedOn: invoice.issuedOn,
    id: payment.id,
    paidOn: payment.paidOn,
    paidAmount: payment.amount,
    invoiceId: invoice.id,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .crossJoin(invoice)
      .crossJoin(allocation)
      .crossJoin(payment)
      .where(
        and(
          eq(booking.orgId, p.orgId),
          eq(booking.propertyId, p.propertyId),
          sql`${booking.settlement} is not null`,
          eq(sql`+${invoice.orgId}`, booking.orgId),
          eq(invoice.bookingId, booking.id),
          gt(invoice.creditedAmount, sql`0`),
          eq(allocation.orgId, invoice.orgId),
          eq(allocation.targetId, invoice.id),
          eq(payment.id, allocation.paymentId),
          eq(payment.status, sql`'CONFIRMED'`),
        ),
      ),
)
const refund = alias(payment, 'refund')
/** What invoices and refunds took of a payment, by the dates of both. */
export const takenFrom = query('ownerStatement.takenFrom', ['paymentId'], (db, p) =>
  db
    .select({
      amount: allocation.amount,
      takenOn: sql<string>`max(${payment.paidOn}, coalesce(${invoice.issuedOn}, ${refund.paidOn}))`,
    })
    .from(allocation)
    .innerJoin(payment, eq(payment.id, allocation.paymentId))
    .leftJoin(invoice, and(eq(invoice.orgId, allocation.orgId), eq(invoice.id, allocation.targetId)))
    .leftJoin(refund, eq(refund.id, allocation.targetId))
    .where(eq(allocation.paymentId, p.paymentId)),
)
/** The present credit of a property's leases. */
export const creditsOf = readingAll(
  'ownerStatement.credits',
  ['orgId', 'propertyId'],
  { bookingId: booking.id, amount: booking.creditAmount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .where(and(eq(booking.orgId, p.orgId), eq(booking.propertyId, p.propertyId), gt(booking.creditAmount, sql`0`))),
)

/** What was waived of a property's invoices from `from` to `to`, by the day of the credit note, in francs. */
export const waivedBetween = query('profitLoss.waived', KEYS, (db, p) =>
  db
    .select({ amount: sql<number>`coalesce(sum(${creditNote.grossAmount}), 0)` })
    .from(creditNote)
    // SQLite runs a cross join in the order written.
    .crossJoin(invoice)
    .where(
      and(
        eq(creditNote.orgId, p.orgId),
        gte(creditNote.issuedOn, p.from),
        lte(creditNote.issuedOn, p.to),
        sql`${creditNote.reason} = 'WAIVED'`,
        isNull(creditNote.withdrawnOn),
        eq(invoice.orgId, creditNote.orgId),
        eq(invoice.id, creditNote.invoiceId),
        eq(invoice.propertyId, p.propertyId),
      ),
    ),
)

/** What a property cost from `from` to `to`, whoever paid it. */
export const costsBetween = readingAll(
  'profitLoss.costs',
  ['orgId', 'propertyId', 'from', 'to'],
  { kind: expense.kind, amount: expense.amount },
  (db, columns, p) =>
    db
      .select(columns)
      .from(expense)
      .where(
        and(
          eq(expense.orgId, p.orgId),
          eq(expense.propertyId, p.propertyId),
          gte(expense.spentOn, p.from),
          lte(expense.spentOn, p.to),
          sql`+${expense.status} = 'RECORDED'`,
        ),
      ),
)
