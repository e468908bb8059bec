import { and, asc, count, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { leasesMatching, leasesOfTenant, numberBegins } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import {
  type Conditions,
  type Filter,
  listColumns,
  ofProperty,
  type Range,
  type Shape,
} from '../../../../db/list/spec.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, insertingNumbered, query, reading, readingAll, saving } from '../../../../db/query.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { creditNote, type InvoiceRow, invoice, invoiceCounter } from '../../../../db/schema/invoices.ts'
import { organization } from '../../../../db/schema/organizations.ts'
import { allocation, payment } from '../../../../db/schema/payments.ts'
import { regularisation, regularisationShare } from '../../../../db/schema/regularisations.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'
import { ofParty, ofTenant, within } from '../../../core/scope.ts'

export const insertInvoice = insertingNumbered('invoice.insert', invoice)
export const saveInvoice = saving(
  'invoice',
  invoice,
  'row',
  'bookingId',
  'unitId',
  'propertyId',
  'ownerUserId',
  'tenantId',
  'tenantUserId',
  'tenantName',
  'unitLabel',
  'propertyName',
  'number',
  'currency',
  'periodStart',
  'periodEnd',
  'dueDate',
  'tvaBasisPoints',
  'issuedOn',
)

export const findInvoice = reading('invoice.byId', invoice)
/** An invoice as far as the scope reaches. */
export const getInvoice = within(findInvoice, ofTenant)
/** The same, also for an owner who is its tenant. */
export const partyInvoice = ofParty(getInvoice)

const ofBooking = query('invoice.ofBooking', ['orgId', 'bookingId'], (db, p) =>
  db
    .select()
    .from(invoice)
    .where(
      and(
        eq(sql`+${invoice.orgId}`, p.orgId),
        eq(invoice.bookingId, p.bookingId),
        inArray(sql`+${invoice.status}`, ['ISSUED', 'OVERDUE', 'PAID']),
      ),
    )
    .orderBy(asc(invoice.periodStart)),
)
/** Every invoice of a booking that is not cancelled, in the order of their periods. */
export const standingInvoices = (db: Db, orgId: string, bookingId: string): InvoiceRow[] =>
  ofBooking(db).all({ orgId, bookingId })

const chargesOfLease = query('invoice.charges', ['orgId', 'bookingId', 'day'], (db, p) =>
  db
    .select({ all: count(), ofDay: sql<number | null>`sum(${invoice.issuedOn} = ${p.day})` })
    .from(invoice)
    .where(
      and(
        eq(sql`+${invoice.orgId}`, p.orgId),
        eq(invoice.bookingId, p.bookingId),
        eq(sql`+${invoice.kind}`, sql`'CHARGES'`),
      ),
    ),
)
/** How many invoices of charges a lease has, and how many of them were issued on a day; cancelled ones included. */
export function countCharges(db: Db, orgId: string, bookingId: string, day: string) {
  const { all = 0, ofDay } = chargesOfLease(db).get({ orgId, bookingId, day }) ?? {}
  return { all, ofDay: ofDay ?? 0 }
}

const next = query('invoiceCounter.next', ['orgId', 'year'], (db, p) =>
  db
    .insert(invoiceCounter)
    .values({ orgId: p.orgId, year: p.year, last: 1 })
    .onConflictDoUpdate({
      target: [invoiceCounter.orgId, invoiceCounter.year],
      set: { last: sql`${invoiceCounter.last} + 1` },
    })
    .returning({ last: invoiceCounter.last }),
)
/** The next invoice number of an organization in a year. A rollback returns it, so that the series has no gap. */
export const nextNumber = (tx: Tx, orgId: string, year: number): number =>
  next(tx).get({ orgId, year: String(year) })?.last ?? 1

/** ISSUED invoices that were due before a day, of organizations in a time zone, the oldest due date first. */
export const lateInvoices = query('invoice.late', ['timeZone', 'today', 'limit'], (db, p) =>
  db
    .select({ id: invoice.id, orgId: invoice.orgId })
    .from(invoice)
    .innerJoin(organization, eq(organization.id, invoice.orgId))
    .where(
      and(
        eq(invoice.status, sql`'ISSUED'`),
        lt(invoice.dueDate, p.today),
        eq(sql`+${organization.timeZone}`, p.timeZone),
        livesHere(invoice.orgId),
      ),
    )
    .orderBy(asc(invoice.dueDate))
    .limit(p.limit),
)
const own = (table: SQL, id: string) =>
  sql`exists (select 1 from ${table} where org_id = ${sql.placeholder('orgId')} and id = ${sql.placeholder(id)})`
const itsProperty = own(sql`property`, 'propertyId')
const itsOwner = own(sql`app_user`, 'scopeUser')
/** Ways to find invoices, the most selective first: each statement of the list names its index, because SQLite often chooses the
 * wrong one of two ranges. All but the last end in the rowid, which grows as ids do and takes a tenth of the space. */
const WAYS: readonly Way[] = [
  { index: 'invoice_once', on: [invoice.bookingId], few: true },
  { index: 'invoice_org_id', on: [invoice.id], few: true },
  { index: 'invoice_tenant_user_id', on: [invoice.tenantUserId], few: true },
  { index: 'invoice_property_id_due_date', on: [invoice.propertyId], range: invoice.dueDate, within: itsProperty },
  { index: 'invoice_property_id_status', on: [invoice.propertyId, invoice.status], open: true, within: itsProperty },
  { index: 'invoice_property_id', on: [invoice.propertyId], within: itsProperty },
  { index: 'invoice_owner_user_id_due_date', on: [invoice.ownerUserId], range: invoice.dueDate, within: itsOwner },
  {
    index: 'invoice_owner_user_id',
    on: [invoice.ownerUserId],
    range: invoice.updatedAt,
    ofFew: true,
    within: itsOwner,
  },
  { index: 'invoice_owner_user_id_status', on: [invoice.ownerUserId, invoice.status], open: true, within: itsOwner },
  { index: 'invoice_owner_user_id', on: [invoice.ownerUserId], within: itsOwner },
  { index: 'invoice_status_due_date', on: [invoice.status], range: invoice.dueDate, open: true },
  { index: 'invoice_status_updated_at', on: [invoice.status], range: invoice.updatedAt, open: true },
  { index: 'invoice_status', on: [invoice.status] },
  { index: 'invoice_due_date', range: invoice.dueDate },
  { index: 'invoice_updated_at', range: invoice.updatedAt },
  { index: 'invoice_org_id' },
]
/**
 * `on`: compared for equality; `range`: orders the rows; `few`: finds so few that they are sorted, as `ofFew` does if the owner
 * has few; `open`: a partial index of what is not PAID; `within`: of an index without the organization, that its first column
 * belongs to it, so that a total reads no rows.
 */
type Way = {
  readonly index: string
  readonly on?: readonly AnySQLiteColumn[]
  readonly range?: AnySQLiteColumn
  readonly few?: true
  readonly ofFew?: true
  readonly open?: true
  readonly within?: SQL
}
const FILTERS = {
  bookingId: { column: invoice.bookingId },
  tenantId: { column: invoice.bookingId, where: (p) => sql`${invoice.bookingId} in (${leasesOfTenant(p)})` },
  q: {
    column: invoice.id,
    where: (p, scope) =>
      sql`${invoice.id} in (select i.id from ${invoice} i where i.booking_id in (${leasesMatching(p, scope)}) union all ${numberBegins(invoice, sql`r.number`, sql`+r.org_id`, scope)})`,
  },
  tenantUserId: { column: invoice.tenantUserId },
  propertyId: { column: invoice.propertyId },
  status: { column: invoice.status },
  // A status other than PAID, in the words of the partial indexes.
  open: { column: invoice.status, where: (p) => sql`${invoice.status} = ${p} and status <> 'PAID'` },
  // What tells a statement that the owner has few.
  ofFew: {},
} satisfies Record<string, Filter>
const RANGES = {
  dueFrom: { column: invoice.dueDate, op: '>=' },
  dueTo: { column: invoice.dueDate, op: '<=' },
  updatedSince: { column: invoice.updatedAt, op: '>=' },
} satisfies Record<string, Range>
const SCOPES = {
  owner: { column: invoice.ownerUserId },
  limited: ofProperty(invoice.propertyId),
  tenant: { column: invoice.tenantUserId },
}

function conditionsOf({ used, scope, order, paged, counted, end }: Shape): Conditions {
  const has = (name: string) => used.includes(name)
  const filters: [string, Filter][] = Object.entries(FILTERS).filter(([name]) => has(name) && name !== 'ofFew')
  const ranges = Object.entries(RANGES).filter(([name]) => has(name))
  const range = ranges[0]?.[1].column
  const equal: [string, Filter][] = [
    ...(scope === 'all' ? [] : [['scopeUser', SCOPES[scope]] as [string, Filter]]),
    ...filters,
  ]
  const columns = equal.map(([, f]) => f.column)
  /** One property has few enough rows to be sorted; an index by the range would hold those of all others, for each. */
  const ofOne = (scope === 'limited' || has('propertyId')) && range ? invoice.propertyId : undefined
  const orders = (w: Way) => w.range === range || w.few || (ofOne && !w.range && w.on?.includes(ofOne))
  const way = WAYS.find(
    (w) =>
      (w.on ?? []).every((c) => columns.includes(c)) &&
      (w.ofFew ? has('ofFew') && w.range === range : orders(w)) &&
      (!ofOne || w.few || w.on?.includes(ofOne)) &&
      (has('open') || !w.open),
  )
  if (!way) throw new Error(`no index of invoices for ${used.join()}`)
  const sorted = way.few === true || way.ofFew === true || way.range !== range
  const key = range && (sorted ? sql`+${range}` : sql`${range}`)
  const byId = sorted || (way.on === undefined && way.range === undefined)
  const place = byId ? sql`${invoice.id}` : sql`${invoice}.rowid`
  const [before, upTo, passed] = order === 'asc' ? [sql`>`, sql`<=`, '<='] : [sql`<`, sql`>=`, '>=']
  const beyond = (how: SQL, of: 'after' | 'end') => {
    const id = sql.placeholder(`${of}Id`)
    const its = byId
      ? sql`${id}`
      : sql`(select rowid from ${invoice} where ${invoice.orgId} = ${sql.placeholder('orgId')} and ${invoice.id} = ${id})`
    return key ? sql`(${key}, ${place}) ${how} (${sql.placeholder(`${of}Key`)}, ${its})` : sql`${place} ${how} ${its}`
  }
  // Most are PAID: a page of those is soon full.
  const chooses = ([name, { column }]: readonly [string, Filter | Range]) =>
    name !== 'status' && column !== undefined && column !== range && !way.on?.includes(column)
  const walks = !sorted && [...equal, ...ranges].some(chooses)
  const left = <T extends readonly [string, Filter | Range]>(of: readonly T[]) =>
    end === 'find' ? of.filter((one) => !chooses(one)) : of
  const where = and(
    // The total of one property of several is asked for by another name.
    (counted && scope !== 'limited' && way.within) || sql`${invoice.orgId} = ${sql.placeholder('orgId')}`,
    ...left(equal).map(([n, f]) => f.where?.(sql.placeholder(n), scope) ?? sql`${f.column} = ${sql.placeholder(n)}`),
    ...left(ranges)
      // The end of a walk lies within its range, and SQLite goes by one of two bounds.
      .filter(([, r]) => !(end === 'given' && r.column === range && r.op === passed))
      .map(
        ([n, r]) =>
          sql`${r.column === range ? key : r.column} ${r.op === '>=' ? sql`>=` : sql`<=`} ${sql.placeholder(n)}`,
      ),
    paged ? beyond(before, 'after') : undefined,
    end === 'given' ? beyond(upTo, 'end') : undefined,
  )
  return { where, key, place, index: way.index, sorted, walks }
}

const listed = list({
  name: 'invoices',
  table: invoice,
  org: invoice.orgId,
  id: invoice.id,
  columns: listColumns(invoice, 'row', 'ownerUserId', 'replacedById', 'notedAmount'),
  filters: FILTERS,
  ranges: RANGES,
  scopes: SCOPES,
  conditions: conditionsOf,
})
/** So many invoices of an owner are sorted, where the index by the time of change would lead through those of all others. */
const FEW = 2000
const manyOf = query('invoice.manyOfOwner', ['ownerUserId'], (db, p) =>
  db.select({ one: sql`1` }).from(invoice).where(eq(invoice.ownerUserId, p.ownerUserId)).limit(1).offset(FEW),
)
type InvoiceQuery = Omit<Parameters<typeof listed>[1], 'values'> & {
  readonly values: Omit<Parameters<typeof listed>[1]['values'], 'open' | 'ofFew'>
}
export function listInvoices(db: Db, q: InvoiceQuery) {
  const { status, ...values } = q.values
  const byChange = values.updatedSince !== undefined && values.dueFrom === undefined && values.dueTo === undefined
  const { kind, userId } = q.scope
  const hasFew = kind === 'owner' && byChange && manyOf(db).get({ ownerUserId: userId }) === undefined
  const branches =
    status && [...new Set(status.split(','))].map((one) => (one === 'PAID' ? { status: one } : { open: one }))
  return listed(db, { ...q, values: { ...values, ...(hasFew && { ofFew: '1' }) }, ...(branches && { branches }) })
}

export type CreditNoteRow = typeof creditNote.$inferSelect
export const insertCreditNote = inserting('creditNote.insert', creditNote)
/** A credit note is withdrawn on a day: what it took off is asked for again. */
export const saveWithdrawn = query('creditNote.withdraw', ['orgId', 'id', 'on', 'now'], (db, p) =>
  db
    .update(creditNote)
    .set({ withdrawnOn: sql`${p.on}`, updatedAt: sql`${p.now}`, version: sql`${creditNote.version} + 1` })
    .where(and(eq(creditNote.orgId, p.orgId), eq(creditNote.id, p.id), isNull(sql`+${creditNote.withdrawnOn}`))),
)
/** The credit notes of an invoice, oldest first, withdrawn ones too. */
export const creditNotesOf = query('creditNote.ofInvoice', ['orgId', 'invoiceId'], (db, p) =>
  db
    .select()
    .from(creditNote)
    .where(and(eq(creditNote.orgId, p.orgId), eq(creditNote.invoiceId, p.invoiceId)))
    .orderBy(asc(creditNote.id)),
)
/** An invoice as a receipt names it. */
export const receiptedInvoice = reading('receipt.invoice', invoice)

/** What a payment put on each invoice or refund. */
export const partsOf = query('receipt.parts', ['paymentId'], (db, p) =>
  db
    .select({ targetId: allocation.targetId, amount: allocation.amount })
    .from(allocation)
    .where(eq(allocation.paymentId, p.paymentId)),
)

/** The payments on an invoice, oldest first, with what is on it and the `whole`; also those that wait or were reversed. */
export const paymentsBehind = query('receipt.paymentsBehind', ['orgId', 'targetId'], (db, p) =>
  db
    .select({
      id: payment.id,
      paidOn: payment.paidOn,
      method: payment.method,
      status: payment.status,
      amount: allocation.amount,
      whole: payment.amount,
    })
    .from(allocation)
    // A cross join fixes the order in which SQLite reads the tables.
    .crossJoin(payment)
    .where(
      and(
        eq(allocation.orgId, p.orgId),
        eq(allocation.targetId, p.targetId),
        eq(payment.orgId, allocation.orgId),
        eq(payment.id, allocation.paymentId),
      ),
    )
    .orderBy(asc(allocation.paymentId)),
)

/** What was declared as paid on an invoice and waits for the landlord's word, in francs. */
export const waitingOn = (db: Db, orgId: string, invoiceId: string): number =>
  paymentsBehind(db)
    .all({ orgId, targetId: invoiceId })
    .reduce((sum, { status, whole }) => (status === 'PENDING' ? sum + whole : sum), 0)

const KEYS = ['orgId', 'bookingId'] as const
const paid = readingAll(
  'receipt.paid',
  KEYS,
  {
    type: payment.type,
    paidOn: payment.paidOn,
    method: payment.method,
    reference: payment.reference,
    amount: payment.amount,
    note: payment.note,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(payment)
      .where(
        and(
          eq(payment.orgId, p.orgId),
          eq(payment.bookingId, p.bookingId),
          eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
        ),
      )
      .orderBy(asc(payment.id)),
)
const held = readingAll(
  'receipt.deposits',
  KEYS,
  {
    type: depositEntry.type,
    paidOn: depositEntry.paidOn,
    amount: depositEntry.amount,
    reason: depositEntry.reason,
    heldAmount: depositEntry.heldAmount,
    paymentId: depositEntry.paymentId,
    movedBookingId: depositEntry.movedBookingId,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(depositEntry)
      .where(and(eq(depositEntry.orgId, p.orgId), eq(depositEntry.bookingId, p.bookingId)))
      .orderBy(asc(depositEntry.id)),
)
const carried = query('receipt.carried', ['orgId', 'bookingId', 'leases'], (db, p) => {
  const leases = sql`(select value from json_each(${p.leases}))`
  // What a payment has on an invoice or gave to a refund of these leases stays with them.
  const used = sql`(select sum(${allocation.amount}) from ${allocation} where ${allocation.paymentId} = ${payment.id} and coalesce((select i.booking_id from invoice i where i.org_id = ${allocation.orgId} and i.id = ${allocation.targetId}), (select r.booking_id from payment r where r.org_id = ${allocation.orgId} and r.id = ${allocation.targetId})) in ${leases})`
  return db
    .select({ amount: sql<number>`coalesce(sum(${payment.amount} - coalesce(${used}, 0)), 0)` })
    .from(payment)
    .where(
      and(
        eq(payment.orgId, p.orgId),
        eq(payment.bookingId, p.bookingId),
        eq(sql`+${payment.status}`, sql`'CONFIRMED'`),
        eq(sql`+${payment.type}`, sql`'PAYMENT'`),
        isNotNull(payment.creditBookingId),
        sql`${payment.creditBookingId} not in ${leases}`,
      ),
    )
})
/** Francs that these leases, each the renewal of the next, handed over as credit to the renewal of the first. */
export const creditCarried = (db: Db, orgId: string, leases: readonly string[]): number =>
  leases.reduce(
    (sum, bookingId) => sum + (carried(db).get({ orgId, bookingId, leases: JSON.stringify(leases) })?.amount ?? 0),
    0,
  )

/** All that was billed, paid and held of a lease: invoices by period, the others in the order of entry. */
export const accountsOf = (db: Db, orgId: string, bookingId: string) => {
  const key = { orgId, bookingId }
  return {
    invoices: ofBooking(db).all(key),
    payments: paid(db, key),
    deposits: held(db, key),
  }
}

export type ShareRow = typeof regularisationShare.$inferSelect
export const insertShare = inserting('regularisationShare.insert', regularisationShare)

/** The share that an invoice asks for, and its period; undefined where it asks for something else. */
export const shareOfInvoice = query('regularisationShare.ofInvoice', ['orgId', 'invoiceId'], (db, p) =>
  db
    .select({
      share: regularisationShare,
      from: regularisation.periodStart,
      to: regularisation.periodEnd,
    })
    .from(regularisationShare)
    .innerJoin(
      regularisation,
      and(
        eq(regularisation.orgId, regularisationShare.orgId),
        eq(regularisation.id, regularisationShare.regularisationId),
      ),
    )
    .where(and(eq(regularisationShare.orgId, p.orgId), eq(regularisationShare.invoiceId, p.invoiceId))),
)
const ofLease = query('regularisationShare.ofLease', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({
      share: regularisationShare,
      periodStart: regularisation.periodStart,
      periodEnd: regularisation.periodEnd,
      issuedOn: regularisation.issuedOn,
    })
    .from(regularisationShare)
    .innerJoin(
      regularisation,
      and(
        eq(regularisation.orgId, regularisationShare.orgId),
        eq(regularisation.id, regularisationShare.regularisationId),
      ),
    )
    .where(
      and(
        eq(regularisationShare.orgId, p.orgId),
        eq(regularisationShare.bookingId, p.bookingId),
        eq(sql`+${regularisation.status}`, 'ISSUED'),
      ),
    )
    .orderBy(asc(regularisationShare.id)),
)
/** A lease's shares in regularisations that are in force, oldest first. */
export const sharesOfLease = (db: Db, orgId: string, bookingId: string) => ofLease(db).all({ orgId, bookingId })

const all = query('regularisationShare.all', ['orgId', 'regularisationId'], (db, p) =>
  db
    .select()
    .from(regularisationShare)
    .where(and(eq(regularisationShare.orgId, p.orgId), eq(regularisationShare.regularisationId, p.regularisationId)))
    .orderBy(asc(regularisationShare.id)),
)
/** The shares of a regularisation, in the order of its units. */
export const sharesOf = (db: Db, orgId: string, regularisationId: string): ShareRow[] =>
  all(db).all({ orgId, regularisationId })
