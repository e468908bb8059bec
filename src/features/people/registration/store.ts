import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { registrationTicket } from '../../../../db/schema/challenges.ts'
import { tenant } from '../../../../db/schema/tenants.ts'

export const insertTicket = inserting('ticket.insert', registrationTicket)

const take = query('ticket.take', ['hash', 'now', 'stale'], (db, p) =>
  db
    .update(registrationTicket)
    .set({ takenAt: sql`${p.now}` })
    .where(
      and(
        eq(registrationTicket.hash, p.hash),
        gt(registrationTicket.expiresAt, p.now),
        or(isNull(registrationTicket.takenAt), lt(registrationTicket.takenAt, p.stale)),
        isNull(registrationTicket.usedAt),
      ),
    )
    .returning({ phoneNumber: registrationTicket.phoneNumber }),
)
/** If the process dies during a registration, the ticket is free again after this time. */
const ABANDONED_MS = 60_000

/** Takes a ticket for one registration: of parallel requests only one gets it. */
export const takeTicket = (tx: Tx, hash: string, now: number): string | undefined =>
  take(tx).get({ hash, now, stale: now - ABANDONED_MS })?.phoneNumber

const settle = query('ticket.settle', ['hash', 'takenAt', 'usedAt'], (db, p) =>
  db
    .update(registrationTicket)
    .set({ takenAt: sql`${p.takenAt}`, usedAt: sql`${p.usedAt}` })
    .where(eq(registrationTicket.hash, p.hash)),
)
export const giveBackTicket = (tx: Tx, hash: string): void => void settle(tx).run({ hash, takenAt: null, usedAt: null })
export const useTicket = (tx: Tx, hash: string, now: number): void =>
  void settle(tx).run({ hash, takenAt: now, usedAt: now })

const inviting = query('tenant.inviting', ['phoneNumber'], (db, p) =>
  db.select({ orgId: tenant.orgId }).from(tenant).where(eq(tenant.phoneNumber, p.phoneNumber)).limit(1),
)
/** The organization that entered this number as a tenant's; if several did, the first. */
export const invitingOrganization = (db: Db, phoneNumber: string): string | undefined =>
  inviting(db).get({ phoneNumber })?.orgId
