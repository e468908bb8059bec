import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { rowCount } from '../../../../db/schema/operations.ts'

const count = query('rowCount.of', ['orgId', 'kind'], (db, p) =>
  db
    .select({ n: rowCount.n })
    .from(rowCount)
    .where(and(eq(rowCount.orgId, p.orgId), eq(rowCount.kind, p.kind)))
    .prepare(),
)
/** How many rows of a kind an organization has, as triggers have counted them. */
export const rowsOf = (db: Db, orgId: string, kind: string): number => count(db).get({ orgId, kind })?.n ?? 0
