import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { idempotency } from '../../../../db/schema/operations.ts'
import { purging, SLICE } from '../../../../db/slices.ts'

/** The answers between two places of the index: after `after`, before `to`. */
export type Span = { readonly after: string; readonly key: string; readonly to: string }
/** A key's scope begins with organization and person, each followed by a space; "!" is the next character. */
const scopes = (start: string) => ({ from: `${start} `, to: `${start}!` })
export const answersOf = (orgId: string): Span => {
  const { from: after, to } = scopes(orgId)
  return { after, key: '', to }
}

const own = purging('answer.own', ['from', 'to'], idempotency, (p) =>
  and(gte(idempotency.scope, p.from), lt(idempotency.scope, p.to)),
)
/** Deletes a slice of the answers kept for a person. @returns whether none is left */
export const dropOwn = (tx: Tx, orgId: string, userId: string): boolean => own(tx, scopes(`${orgId} ${userId}`)) < SLICE

const slice = query('answer.slice', ['after', 'key', 'to'], (db, p) =>
  db
    .select({ scope: idempotency.scope, key: idempotency.key })
    .from(idempotency)
    .where(and(sql`(${idempotency.scope}, ${idempotency.key}) > (${p.after}, ${p.key})`, lt(idempotency.scope, p.to)))
    .orderBy(asc(idempotency.scope), asc(idempotency.key))
    .limit(1)
    .offset(SLICE - 1),
)
/** Where the next slice of a span ends; undefined in the last one. */
export const endOfSlice = (tx: Tx, span: Span) => slice(tx).get(span)

const naming = query('answer.naming', ['after', 'key', 'scope', 'until', 'a', 'b'], (db, p) =>
  db
    .select({ scope: idempotency.scope, key: idempotency.key, body: idempotency.body })
    .from(idempotency)
    .where(
      and(
        sql`(${idempotency.scope}, ${idempotency.key}) > (${p.after}, ${p.key})`,
        sql`(${idempotency.scope}, ${idempotency.key}) <= (${p.scope}, ${p.until})`,
        sql`(instr(${idempotency.body}, ${p.a}) or instr(${idempotency.body}, ${p.b}))`,
      ),
    ),
)
/** The answers of a slice that contain one of two texts. */
export const answersNaming = (
  tx: Tx,
  q: { after: string; key: string; scope: string; until: string; a: string; b: string },
) => naming(tx).all(q)

const rewrite = query('answer.rewrite', ['scope', 'key', 'body'], (db, p) =>
  db
    .update(idempotency)
    .set({ body: sql`${p.body}` })
    .where(and(eq(idempotency.scope, p.scope), eq(idempotency.key, p.key))),
)
export const rewriteAnswer = (tx: Tx, scope: string, key: string, body: string): void =>
  void rewrite(tx).run({ scope, key, body })
