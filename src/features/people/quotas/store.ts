import { and, eq } from 'drizzle-orm'
import { query } from '../../../../db/query.ts'
import { rowCount } from '../../../../db/schema/operations.ts'

/** How many rows of a kind an organization has, as triggers have counted them. */
export const rowsCounted = query('rowCount.of', ['orgId', 'kind'], (db, p) =>
  db
    .select({ n: rowCount.n })
    .from(rowCount)
    .where(and(eq(rowCount.orgId, p.orgId), eq(rowCount.kind, p.kind)))
    .prepare(),
)
