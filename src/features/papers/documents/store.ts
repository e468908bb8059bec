import { and, asc, count, eq, gt, gte, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import { takeOfDay, untilRefill } from '../../../../db/budgets.ts'
import { leasesOfTenant } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns, ofProperty } from '../../../../db/list/spec.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, type Placeholders, query, reading, saving } from '../../../../db/query.ts'
import { type BookingRow, booking } from '../../../../db/schema/bookings.ts'
import { document, documentCounter } from '../../../../db/schema/documents.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { auditEntry } from '../../../../db/schema/operations.ts'
import { allocation, payment } from '../../../../db/schema/payments.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'
import { within } from '../../../core/scope.ts'
import { LAST, type VoidReason } from './rules.ts'

export { takeOfDay, untilRefill }
export type DocumentRow = typeof document.$inferSelect
export const insertDocument = inserting('document.insert', document)
export const saveDocument = saving(
  'document',
  document,
  'kind',
  'variant',
  'bookingId',
  'invoiceId',
  'paymentId',
  'propertyId',
  'ownerUserId',
  'tenantUserId',
  'source',
  'number',
  'locale',
  'issuedOn',
  'code',
  'data',
)

const rewriting = query('document.rewrite', ['orgId', 'id', 'data'], (db, p) =>
  db
    .update(document)
    .set({ data: sql`${p.data}` })
    .where(and(eq(document.orgId, p.orgId), eq(document.id, p.id))),
)
/** What a document that nobody has seen is drawn from. */
export const rewriteDocument = (tx: Tx, { orgId, id }: DocumentRow, data: DocumentRow['data']): void =>
  void rewriting(tx).run({ orgId, id, data: JSON.stringify(data) })

export const findDocument = reading('document.byId', document)
/** A document as far as the scope reaches; its tenant, who may be an owner too, sees it. */
export const getDocument = within(findDocument, ({ userId }, row) => row.tenantUserId === userId)

/** The document that a signed link names: the signature stands for the organization. */
export const findLinkedDocument = query('document.anywhere', ['id'], (db, p) =>
  db.select().from(document).where(eq(document.id, p.id)),
)
/** The document that a verification code names, of whatever organization. */
export const findByCode = query('document.byCode', ['code'], (db, p) =>
  db.select().from(document).where(eq(document.code, p.code)),
)
/** The document that an event has made, by the name of the event. */
export const findBySource = query('document.bySource', ['orgId', 'source'], (db, p) =>
  db
    .select({ id: document.id })
    .from(document)
    .where(and(eq(document.orgId, p.orgId), eq(document.source, p.source))),
)

/** The lease and the invoice that papers belong to. */
export const leaseBehind = reading('document.lease', booking)
export const invoiceBehind = reading('document.invoice', invoice)

const standing = query('document.standing', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({
      id: document.id,
      kind: document.kind,
      variant: document.variant,
      invoiceId: document.invoiceId,
      paymentId: document.paymentId,
      number: document.number,
      status: document.status,
    })
    .from(document)
    .where(and(eq(document.orgId, p.orgId), eq(document.bookingId, p.bookingId), isNull(document.voidedAt)))
    .orderBy(asc(document.id)),
)
/** The documents of a booking that stand, oldest first. */
export const standingDocuments = (db: Db, orgId: string, bookingId: string) => standing(db).all({ orgId, bookingId })

const voided = (p: Placeholders<'reason' | 'now'>) => ({
  voidReason: sql`${p.reason}`,
  voidedAt: sql`${p.now}`,
  updatedAt: sql`${p.now}`,
  version: sql`${document.version} + 1`,
})
const voidThese = query('document.void', ['orgId', 'ids', 'reason', 'now'], (db, p) =>
  db
    .update(document)
    .set(voided(p))
    .where(and(eq(document.orgId, p.orgId), sql`${document.id} in (select value from json_each(${p.ids}))`)),
)
/** Marks documents as void, by their ids. */
export function markVoid(tx: Tx, orgId: string, ids: readonly string[], reason: VoidReason, now: string): void {
  if (ids.length > 0) voidThese(tx).run({ orgId, ids: JSON.stringify(ids), reason, now })
}
const voidSources = query('document.voidFrom', ['orgId', 'from', 'to', 'reason', 'now'], (db, p) =>
  db
    .update(document)
    .set(voided(p))
    .where(
      and(
        eq(document.orgId, p.orgId),
        gte(document.source, p.from),
        lt(document.source, p.to),
        isNull(document.voidedAt),
      ),
    ),
)
/** Marks the valid documents of one object as void. Their sources begin with its kind and id: `invoice:{id}`. */
export function markVoidOf(tx: Tx, orgId: string, thing: string, reason: VoidReason, now: string): void {
  // The character after the colon ends the range of what begins with `thing:`.
  voidSources(tx).run({ orgId, from: `${thing}:`, to: `${thing};`, reason, now })
}

/** The same of the documents of this very source. */
export const markVoidAs = (tx: Tx, orgId: string, source: string, reason: VoidReason, now: string): void =>
  void voidSources(tx).run({ orgId, from: source, to: `${source};`, reason, now })

const countedOf = query('document.countOf', ['orgId', 'from', 'to'], (db, p) =>
  db
    .select({ n: count() })
    .from(document)
    .where(and(eq(document.orgId, p.orgId), gte(document.source, p.from), lt(document.source, p.to))),
)
/** How many documents of one object were made, void ones included. */
export const countDocuments = (db: Db, orgId: string, thing: string): number =>
  countedOf(db).get({ orgId, from: `${thing}:`, to: `${thing};` })?.n ?? 0

const first = query('document.due', ['now', 'limit'], (db, p) =>
  db
    .select({ id: document.id, orgId: document.orgId, renderAt: document.renderAt })
    .from(document)
    .where(and(lte(document.renderAt, p.now), livesHere(document.orgId)))
    .orderBy(asc(document.renderAt), asc(document.orgId), asc(document.id))
    .limit(p.limit),
)
const after = query('document.dueAfter', ['line', 'orgId', 'limit'], (db, p) =>
  db
    .select({ id: document.id, orgId: document.orgId, renderAt: document.renderAt })
    .from(document)
    .where(and(eq(document.renderAt, p.line), gt(document.orgId, p.orgId), livesHere(document.orgId)))
    .orderBy(asc(document.orgId), asc(document.id))
    .limit(p.limit),
)
/**
 * The documents to draw next: from the first queue that has any, the oldest of the organizations after the
 * one that had the last turn, so that ten thousand papers of one organization delay no other.
 */
export function dueDocuments(db: Db, now: number, lastOrgId: string, limit: number) {
  const due = first(db).all({ now, limit })
  const line = due[0]?.renderAt
  return line === undefined ? [] : [...after(db).all({ line, orgId: lastOrgId, limit }), ...due]
}

const dueOne = query('document.dueOne', ['orgId', 'id', 'now'], (db, p) =>
  db
    .select()
    .from(document)
    .where(
      and(
        eq(document.orgId, p.orgId),
        eq(document.id, p.id),
        lte(sql`+${document.renderAt}`, p.now),
        livesHere(document.orgId),
      ),
    ),
)
/** A document, if it is due. */
export const dueDocument = (db: Db, orgId: string, id: string, now: number): DocumentRow | undefined =>
  dueOne(db).get({ orgId, id, now })

const hurry = query('document.hurry', ['orgId', 'bookingId'], (db, p) =>
  db
    .update(document)
    .set({ renderAt: sql`1` })
    .where(and(eq(document.orgId, p.orgId), eq(document.bookingId, p.bookingId), eq(sql`+${document.renderAt}`, LAST))),
)
/** Moves papers of a lease that the service made by itself before all others like them: somebody waits for these. */
export const hurryPapers = (tx: Tx, orgId: string, bookingId: string): null => {
  hurry(tx).run({ orgId, bookingId })
  return null
}

const stored = query('document.stored', ['after', 'limit'], (db, p) =>
  db
    .select({ id: document.id, sha256: document.sha256, sizeBytes: document.sizeBytes })
    .from(document)
    .where(and(gt(document.id, p.after), isNotNull(document.sha256)))
    .orderBy(asc(document.id))
    .limit(p.limit),
)
/** The documents of all organizations that have a file, after an id. */
export const storedDocuments = (db: Db, after: string, limit: number) => stored(db).all({ after, limit })

/** The next number of a series: `R-2026-000001` of `R-2026`. A rollback returns it, so that the series has no gap. */
export const nextInSeries = query('documentCounter.next', ['orgId', 'series'], (db, p) =>
  db
    .insert(documentCounter)
    .values({ orgId: p.orgId, series: p.series, last: 1 })
    .onConflictDoUpdate({
      target: [documentCounter.orgId, documentCounter.series],
      set: { last: sql`${documentCounter.last} + 1` },
    })
    .returning({ number: sql<string>`printf('%s-%06d', ${documentCounter.series}, ${documentCounter.last})` }),
)

type Lease = Pick<BookingRow, 'tenantId' | 'propertyId' | 'status' | 'requestedBy'>
export const listDocuments = list({
  name: 'documents',
  table: document,
  org: document.orgId,
  id: document.id,
  columns: listColumns(document, 'ownerUserId', 'tenantUserId', 'source', 'data', 'attempts', 'renderAt'),
  joins: sql`left join ${booking} on ${booking.orgId} = ${document.orgId} and ${booking.id} = ${document.bookingId}`,
  computed: () => ({
    tenantName: sql<string>`${booking.tenantName}`,
    unitLabel: sql<string>`${booking.unitLabel}`,
    propertyName: sql<string>`${booking.propertyName}`,
    /** What says whether an owner may know the tenant's name; not for clients. */
    lease: sql<Lease>`json_object('tenantId', ${booking.tenantId}, 'propertyId', ${booking.propertyId}, 'status', ${booking.status}, 'requestedBy', ${booking.requestedBy})`,
  }),
  json: ['lease'],
  filters: {
    // Its own paper, and the receipts of every payment that went to it.
    invoiceId: {
      column: document.bookingId,
      narrow: true,
      few: true,
      where: (p) => {
        const org = sql.placeholder('orgId')
        const paid = sql`from ${allocation} where ${allocation.orgId} = ${org} and ${allocation.targetId} = ${p} and ${allocation.amount} > 0`
        const leases = sql`select ${invoice.bookingId} from ${invoice} where ${invoice.orgId} = ${org} and ${invoice.id} = ${p} union all select (select ${payment.bookingId} from ${payment} where ${payment.orgId} = ${allocation.orgId} and ${payment.id} = ${allocation.paymentId}) ${paid}`
        return sql`(${document.bookingId} in (${leases}) and (+${document.invoiceId} = ${p} or ${document.paymentId} in (select ${allocation.paymentId} ${paid})))`
      },
    },
    bookingId: { column: document.bookingId, narrow: true },
    tenantId: {
      column: document.bookingId,
      narrow: true,
      few: true,
      where: (p) => sql`${document.bookingId} in (${leasesOfTenant(p)})`,
    },
    propertyId: { column: document.propertyId, narrow: true },
    status: { column: document.status, several: true },
    kind: { column: document.kind },
  },
  ranges: { updatedSince: { column: document.updatedAt, op: '>=' } },
  scopes: {
    owner: { column: document.ownerUserId },
    limited: ofProperty(document.propertyId),
    tenant: { column: document.tenantUserId },
  },
  pairs: [[document.ownerUserId, document.kind]],
})

const redrawn = query('document.redrawn', ['orgId', 'subjectId'], (db, p) =>
  db
    .select({ details: auditEntry.details })
    .from(auditEntry)
    .where(
      and(
        eq(auditEntry.orgId, p.orgId),
        eq(auditEntry.subjectId, p.subjectId),
        eq(sql`+${auditEntry.action}`, 'document.redraw'),
      ),
    ),
)
/** The digests that a document's file had before it was drawn again. */
export const redrawnFrom = (db: Db, orgId: string, documentId: string): string[] =>
  redrawn(db)
    .all({ orgId, subjectId: documentId })
    .map(({ details }) => String(details?.was))
