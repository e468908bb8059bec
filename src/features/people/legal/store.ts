import { and, desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { inserting, query } from '../../../../db/query.ts'
import { consent } from '../../../../db/schema/challenges.ts'

export const insertConsent = inserting('consent.insert', consent)

const latest = query('consent.latest', ['orgId', 'userId'], (db, p) =>
  db
    .select({ document: consent.document, version: consent.documentVersion })
    .from(consent)
    .where(and(eq(consent.orgId, p.orgId), eq(consent.userId, p.userId)))
    .orderBy(desc(consent.id))
    .limit(2),
)
/** The versions of terms and privacy that somebody accepted last: both, which are accepted together, or none. */
export const latestConsents = (db: Db, orgId: string, userId: string) => latest(db).all({ orgId, userId })
