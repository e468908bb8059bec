import { and, asc, eq, exists, gt, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { insertingOnce, query } from '../../../../db/query.ts'
import { codeSend } from '../../../../db/schema/challenges.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { outboundMessage } from '../../../../db/schema/messages.ts'
import { deliveryReport } from '../../../../db/schema/operations.ts'
import { notice } from '../../../../db/schema/reminders.ts'
import { purging, SLICE } from '../../../../db/slices.ts'
import { LEASE_MS } from './rules.ts'

export type MessageRow = typeof outboundMessage.$inferSelect
const m = outboundMessage

/** False if the message already exists, or another SMS already replaces the same one. */
export const insertOutbound = insertingOnce('outbound.insert', outboundMessage)

const byId = query('outbound.byId', ['id'], (db, p) => db.select().from(m).where(eq(m.id, p.id)))
export const findOutbound = (db: Db, id: string): MessageRow | undefined => byId(db).get({ id })

const byVendorId = query('outbound.byVendorId', ['vendorMessageId'], (db, p) =>
  db.select().from(m).where(eq(m.vendorMessageId, p.vendorMessageId)).limit(1),
)
export const findReported = (db: Db, vendorMessageId: string): MessageRow | undefined =>
  byVendorId(db).get({ vendorMessageId })

const due = query('outbound.due', ['now', 'limit'], (db, p) =>
  db
    .select({ id: m.id })
    .from(m)
    .where(and(isNotNull(m.nextAt), lte(m.nextAt, p.now), gt(m.expiresAt, p.now)))
    .orderBy(asc(m.nextAt))
    .limit(p.limit),
)
export const dueOutbound = (db: Db, now: number, limit: number): string[] =>
  due(db)
    .all({ now, limit })
    .map(({ id }) => id)

const claim = query('outbound.claim', ['id', 'now', 'until'], (db, p) =>
  db
    .update(m)
    .set({
      status: sql`'SENDING'`,
      attempts: sql`${m.attempts} + 1`,
      nextAt: sql`${p.until}`,
      updatedAt: sql`${p.now}`,
    })
    .where(and(eq(m.id, p.id), isNotNull(m.sealed), lte(m.nextAt, p.now), gt(m.expiresAt, p.now)))
    .returning(),
)
/** Claims a due message for one attempt; undefined if another attempt has it, or it may no longer be sent. */
export const claimOutbound = (tx: Tx, id: string, now: number): MessageRow | undefined =>
  claim(tx).get({ id, now, until: now + LEASE_MS })

const recover = query('outbound.recover', ['now'], (db, p) =>
  db
    .update(m)
    .set({ nextAt: sql`${p.now}` })
    .where(and(isNotNull(m.nextAt), gt(m.nextAt, p.now), eq(m.status, sql`'SENDING'`))),
)
export const recoverOutbound = (tx: Tx, now: number): void => void recover(tx).run({ now })

const CHANGES = ['status', 'attempts', 'vendorMessageId', 'reason', 'sealed', 'nextAt', 'sentAt', 'updatedAt'] as const
const save = query('outbound.save', [...CHANGES, 'id'], (db, p) => {
  const set: Record<string, SQL> = {}
  for (const key of CHANGES) set[key] = sql`${p[key]}`
  return db
    .update(m)
    .set(set as never)
    .where(eq(m.id, p.id))
})
export const saveOutbound = (tx: Tx, row: MessageRow): void => void save(tx).run(row)

const drop = query('outbound.drop', ['challengeId', 'now'], (db, p) =>
  db
    .update(m)
    .set({
      sealed: null,
      nextAt: null,
      status: sql`case when ${m.status} = 'QUEUED' then 'EXPIRED' else ${m.status} end`,
      updatedAt: sql`${p.now}`,
    })
    .where(and(isNotNull(m.challengeId), eq(m.challengeId, p.challengeId), isNotNull(m.sealed))),
)
/** Stops every message that carries this void code. */
export const dropCode = (tx: Tx, challengeId: string, now: number): void => void drop(tx).run({ challengeId, now })

const settle = query('outbound.settled', ['id', 'now'], (db, p) =>
  db
    .update(m)
    .set({ sealed: null, nextAt: null, status: sql`'EXPIRED'`, reason: sql`'settled'`, updatedAt: sql`${p.now}` })
    .where(
      and(
        eq(m.id, p.id),
        eq(m.status, sql`'QUEUED'`),
        sql`${m.purpose} <> 'reminder_formal_notice'`,
        exists(
          db
            .select({ id: notice.id })
            .from(notice)
            .innerJoin(invoice, and(eq(invoice.orgId, notice.orgId), eq(invoice.id, notice.invoiceId)))
            .where(
              and(
                eq(notice.id, sql`coalesce(${m.insteadOf}, ${m.id})`),
                inArray(invoice.status, ['PAID', 'CANCELLED']),
              ),
            ),
        ),
      ),
    ),
)
/**
 * Drops a reminder whose invoice was settled while it waited; a formal notice is about several, so it still goes out.
 */
export const dropSettled = (tx: Tx, id: string, now: number): void => void settle(tx).run({ id, now })

const expire = query('outbound.expire', ['now'], (db, p) =>
  db
    .update(m)
    .set({
      sealed: null,
      nextAt: null,
      status: sql`case when ${m.status} in ('QUEUED', 'SENDING') then 'EXPIRED' else ${m.status} end`,
      updatedAt: sql`${p.now}`,
    })
    .where(
      inArray(
        m.id,
        db
          .select({ id: m.id })
          .from(m)
          .where(and(isNotNull(m.sealed), lte(m.expiresAt, p.now)))
          .limit(SLICE),
      ),
    ),
)
/** Deletes messages older than `before`. */
export const purgeOutbound = purging('outbound.purge', ['before'], m, (p) => lt(m.createdAt, p.before))
const neverSent = query('outbound.neverSent', ['now'], (db, p) =>
  db
    .update(codeSend)
    .set({ status: sql`'UNSENT'` })
    .where(
      inArray(
        codeSend.challengeId,
        db
          .select({ id: m.challengeId })
          .from(m)
          .where(and(isNotNull(m.sealed), lte(m.expiresAt, p.now), isNotNull(m.challengeId), isNull(m.sentAt))),
      ),
    ),
)
/** Deletes numbers and texts that are too late to send, a slice at a time. @returns of how many messages */
export function expireOutbound(tx: Tx, now: number): number {
  // A code that no vendor accepted while it was valid costs no budget.
  neverSent(tx).run({ now })
  return expire(tx).run({ now }).changes
}

const early = query('deliveryReport.early', ['earlyId'], (db, p) =>
  db
    .select({ status: deliveryReport.earlyStatus })
    .from(deliveryReport)
    .where(and(isNotNull(deliveryReport.earlyId), eq(deliveryReport.earlyId, p.earlyId))),
)
/** Reports that arrived before the vendor's id was stored here. */
export const earlyReports = (db: Db, vendorMessageId: string): string[] =>
  early(db)
    .all({ earlyId: vendorMessageId })
    .flatMap(({ status }) => status ?? [])
