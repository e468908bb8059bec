import { and, eq, isNull, lte, sql } from 'drizzle-orm'
import type { Tx } from '../../../../../db/open.ts'
import { query } from '../../../../../db/query.ts'
import { oidcPayload } from '../../../../../db/schema/identity.ts'
import { SESSIONS } from '../../../../core/budgets.ts'

export type PayloadRow = typeof oidcPayload.$inferSelect

const t = oidcPayload
export const one = query('oidc.one', ['model', 'id'], (db, p) =>
  db
    .select()
    .from(t)
    .where(and(eq(t.model, p.model), eq(t.id, p.id))),
)
export const byUid = query('oidc.byUid', ['model', 'uid'], (db, p) =>
  db
    .select()
    .from(t)
    .where(and(eq(t.uid, p.uid), eq(t.model, p.model))),
)
export const ofAccount = query('oidc.ofAccount', ['accountId'], (db, p) =>
  db.select().from(t).where(eq(t.accountId, p.accountId)),
)
/** Sessions deleted at once: a few are enough, because each sign-in adds one. */
const BATCH = 20
/** Sessions of an account beyond those it may have, used longest ago. */
export const sessionsBeyond = query('oidc.sessionsBeyond', ['accountId'], (db, p) =>
  db
    .select()
    .from(t)
    .where(and(eq(t.accountId, p.accountId), eq(sql`+${t.model}`, 'Session')))
    .orderBy(sql`${t.expiresAt} desc, rowid desc`)
    .limit(BATCH)
    .offset(SESSIONS.stored),
)
/** Deletes the refresh tokens of a grant beyond those that are remembered, oldest first. */
export const forgetRotated = query('oidc.forgetRotated', ['grantId'], (db, p) =>
  db.delete(t).where(
    sql`rowid in (select rowid from ${t} where ${t.grantId} = ${p.grantId} and +${t.model} = 'RefreshToken'
        order by ${t.expiresAt} desc, rowid desc limit ${BATCH} offset ${SESSIONS.rotations})`,
  ),
)
export const ofGrant = query('oidc.ofGrant', ['grantId'], (db, p) =>
  db.select().from(t).where(eq(t.grantId, p.grantId)),
)
export const put = query('oidc.put', ['model', 'id', 'payload', 'grantId', 'uid', 'accountId', 'expiresAt'], (db, p) =>
  db
    .insert(t)
    .values({
      model: p.model,
      id: p.id,
      payload: p.payload,
      grantId: p.grantId,
      uid: p.uid,
      userCode: null,
      accountId: p.accountId,
      expiresAt: p.expiresAt,
      consumedAt: null,
    })
    .onConflictDoUpdate({
      target: [t.model, t.id],
      set: {
        payload: sql`excluded.payload`,
        grantId: sql`excluded.grant_id`,
        uid: sql`excluded.uid`,
        accountId: sql`excluded.account_id`,
        expiresAt: sql`excluded.expires_at`,
      },
    }),
)
export const remove = query('oidc.remove', ['model', 'id'], (db, p) =>
  db.delete(t).where(and(eq(t.model, p.model), eq(t.id, p.id))),
)
export const removeGrant = query('oidc.removeGrant', ['grantId'], (db, p) =>
  db.delete(t).where(eq(t.grantId, p.grantId)),
)
export const take = query('oidc.take', ['model', 'id', 'at'], (db, p) =>
  db
    .update(t)
    .set({ consumedAt: sql`${sql.param(p.at, t.consumedAt)}` })
    .where(and(eq(t.model, p.model), eq(t.id, p.id), isNull(t.consumedAt))),
)
export const prolong = query('oidc.prolong', ['uid', 'until'], (db, p) =>
  db
    .update(t)
    .set({ expiresAt: sql`max(${t.expiresAt}, ${p.until})` })
    .where(and(eq(t.uid, p.uid), eq(t.model, 'Session'))),
)
export const purge = query('oidc.purge', ['now'], (db, p) =>
  db.delete(t).where(sql`rowid in (select rowid from ${t} where ${t.expiresAt} < ${p.now} limit 500)`),
)

/** Records what of a session ended at the second `at`: the access tokens issued until then, or the whole session. */
export function putEnded(tx: Tx, model: typeof ENDED | typeof GONE, sid: string, at: number, expiresAt: number): void {
  put(tx).run({ model, id: sid, payload: { at }, grantId: null, uid: null, accountId: null, expiresAt })
}
export const ENDED = 'EndedTokens'
export const GONE = 'EndedSession'

/** Rows of a model that expire by then, including expired ones. */
export const trim = query('oidc.trim', ['model', 'until'], (db, p) =>
  db.delete(t).where(and(lte(t.expiresAt, p.until), eq(sql`+${t.model}`, p.model))),
)

/** Writes about as much as counting a failed sign-in does, so that an unknown user takes the same time. */
export function putDecoy(tx: Tx, at: number): void {
  const row = { model: 'Decoy', id: 'decoy', grantId: null, uid: null, accountId: null }
  put(tx).run({ ...row, payload: { at }, expiresAt: Math.floor(at / 1000) + 60 })
}
