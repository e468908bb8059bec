import { and, count, eq, gt, isNull, lt, min, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { query } from '../../../db/query.ts'
import { challenge, codeSend, registrationTicket } from '../../../db/schema/challenges.ts'
import type { CapKind, Purpose } from './rules.ts'
import { MAX_ATTEMPTS } from './rules.ts'

export type ChallengeRow = typeof challenge.$inferSelect

const live = query('challenge.live', ['phoneNumber', 'purpose', 'userId', 'subject', 'now'], (db, p) =>
  db
    .select()
    .from(challenge)
    .where(
      and(
        eq(challenge.phoneNumber, p.phoneNumber),
        eq(challenge.purpose, p.purpose),
        gt(challenge.expiresAt, p.now),
        isNull(challenge.usedAt),
        sql`${challenge.userId} is ${p.userId}`,
        sql`${challenge.subject} is ${p.subject}`,
      ),
    )
    .limit(1)
    .prepare(),
)
export const liveChallenge = (
  db: Db,
  c: { phoneNumber: string; purpose: Purpose; userId: string | null; subject: string | null; now: number },
): ChallengeRow | undefined => live(db).get(c)

const byId = query('challenge.byId', ['id'], (db, p) =>
  db.select().from(challenge).where(eq(challenge.id, p.id)).prepare(),
)
export const findChallenge = (db: Db, id: string): ChallengeRow | undefined => byId(db).get({ id })

const put = query(
  'challenge.put',
  [
    'id',
    'purpose',
    'phoneNumber',
    'userId',
    'subject',
    'channel',
    'codeHash',
    'decoy',
    'attempts',
    'expiresAt',
    'sentAt',
  ],
  (db, p) =>
    db
      .insert(challenge)
      .values({ ...p, usedAt: null } as never)
      .onConflictDoUpdate({
        target: challenge.id,
        set: {
          channel: sql`excluded.channel`,
          codeHash: sql`excluded.code_hash`,
          decoy: sql`excluded.decoy`,
          expiresAt: sql`excluded.expires_at`,
          sentAt: sql`excluded.sent_at`,
        },
      })
      .prepare(),
)
/** A new challenge, or the same one with a new code: its attempts stay. */
export const putChallenge = (tx: Tx, row: Omit<ChallengeRow, 'usedAt'>): void => void put(tx).run(row)

const tryOnce = query('challenge.try', ['id', 'now'], (db, p) =>
  db
    .update(challenge)
    .set({ attempts: sql`${challenge.attempts} + 1` })
    .where(
      and(
        eq(challenge.id, p.id),
        lt(challenge.attempts, sql`${MAX_ATTEMPTS}`),
        gt(challenge.expiresAt, p.now),
        isNull(challenge.usedAt),
      ),
    )
    .returning()
    .prepare(),
)
/** Counts one attempt, before anything is compared; undefined when none is left. */
export const takeAttempt = (tx: Tx, id: string, now: number): ChallengeRow | undefined => tryOnce(tx).get({ id, now })

const setUsed = query('challenge.used', ['id', 'usedAt'], (db, p) =>
  db
    .update(challenge)
    .set({ usedAt: sql`${p.usedAt}` })
    .where(eq(challenge.id, p.id))
    .prepare(),
)
export const markUsed = (tx: Tx, id: string, usedAt: number): void => void setUsed(tx).run({ id, usedAt })

const unuse = query('challenge.unuse', ['id'], (db, p) =>
  db
    .update(challenge)
    .set({ usedAt: sql`null`, attempts: sql`${challenge.attempts} - 1` })
    .where(eq(challenge.id, p.id))
    .prepare(),
)
/** What the right code was for could not be done: it may be tried again, and costs no attempt. */
export const giveBackChallenge = (tx: Tx, id: string): void => void unuse(tx).run({ id })

type Send = typeof codeSend.$inferSelect
const insertSend = query(
  'codeSend.insert',
  ['id', 'phoneNumber', 'prefix', 'purpose', 'address', 'userId', 'sentAt'],
  (db, p) =>
    db
      .insert(codeSend)
      .values(p as never)
      .prepare(),
)
export const noteSend = (tx: Tx, row: Send): void => void insertSend(tx).run(row)

const counted = (
  name: string,
  where: (p: Record<'phoneNumber' | 'prefix' | 'purpose' | 'address' | 'userId', SQL>) => SQL | undefined,
) =>
  query(`codeSend.${name}`, ['phoneNumber', 'prefix', 'purpose', 'address', 'userId', 'since'], (db, p) =>
    db
      .select({ n: count(), first: min(codeSend.sentAt) })
      .from(codeSend)
      .where(and(where(p as never), gt(codeSend.sentAt, p.since)))
      .prepare(),
  )
const COUNTS: Record<CapKind, ReturnType<typeof counted>> = {
  phone: counted('ofPhone', (p) => eq(codeSend.phoneNumber, p.phoneNumber)),
  phoneAndAddress: counted('ofPhoneAndAddress', (p) =>
    and(eq(codeSend.phoneNumber, p.phoneNumber), eq(sql`+${codeSend.address}`, p.address)),
  ),
  phoneAndPurpose: counted('ofPhoneAndPurpose', (p) =>
    and(eq(codeSend.phoneNumber, p.phoneNumber), eq(codeSend.purpose, p.purpose as never)),
  ),
  user: counted('ofUser', (p) => eq(codeSend.userId, p.userId)),
  address: counted('ofAddress', (p) => eq(codeSend.address, p.address)),
  prefix: counted('ofPrefix', (p) => eq(codeSend.prefix, p.prefix)),
  all: counted('all', () => undefined),
}
/** How many codes of a kind were sent since a time, and when the first of them was. */
export const countSends = (db: Db, kind: CapKind, s: Omit<Send, 'id' | 'sentAt'> & { since: number }) =>
  COUNTS[kind](db).get(s) as { n: number; first: number | null }

const oldChallenges = query('challenge.purge', ['before'], (db, p) =>
  db.delete(challenge).where(lt(challenge.expiresAt, p.before)).prepare(),
)
const oldSends = query('codeSend.purge', ['before'], (db, p) =>
  db.delete(codeSend).where(lt(codeSend.sentAt, p.before)).prepare(),
)
const oldTickets = query('ticket.purge', ['before'], (db, p) =>
  db.delete(registrationTicket).where(lt(registrationTicket.expiresAt, p.before)).prepare(),
)
/** Forgets what no cap and no answer needs any more. */
export function purgeOld(tx: Tx, before: number): void {
  for (const purge of [oldChallenges, oldSends, oldTickets]) purge(tx).run({ before })
}
