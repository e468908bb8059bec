import { and, eq, sql } from 'drizzle-orm'
import { query, readingBy } from '../../../../db/query.ts'
import { rowCount } from '../../../../db/schema/operations.ts'

/** How many rows of a kind an organization has, as triggers have counted them; `kind person`: those a person entered. */
export const rowsCounted = readingBy('rowCount.of', rowCount, rowCount.orgId, rowCount.kind)

export const dropCount = query('rowCount.drop', ['orgId', 'kind'], (db, p) =>
  db.delete(rowCount).where(and(eq(rowCount.orgId, p.orgId), eq(rowCount.kind, p.kind))),
)

export const addRows = query('rowCount.add', ['orgId', 'kind', 'n'], (db, p) =>
  db
    .insert(rowCount)
    .values({ orgId: p.orgId, kind: p.kind, n: p.n })
    .onConflictDoUpdate({ target: [rowCount.orgId, rowCount.kind], set: { n: sql`n + excluded.n` } }),
)
