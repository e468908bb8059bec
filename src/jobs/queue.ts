import { eq } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { query } from '../../db/query.ts'
import { job } from '../../db/schema/operations.ts'
import type { Ctx } from '../context.ts'

type Payload = Readonly<Record<string, string | number | boolean>>
const add = query('job.add', ['id', 'orgId', 'kind', 'source', 'payload', 'runAt'], (db, p) =>
  db
    .insert(job)
    .values({
      id: p.id,
      orgId: p.orgId,
      kind: p.kind,
      source: p.source,
      payload: p.payload,
      status: 'READY',
      runAt: p.runAt,
    })
    .onConflictDoNothing()
    .prepare(),
)

/**
 * Enqueues a job in this transaction: at most one per (kind, source), ever. The worker runs it at its next round, not
 * before `runAt` (epoch ms of real time). What an OWNER causes bears their id: it spends their share of the messages.
 */
export function enqueue(ctx: Ctx, kind: string, source: string, given: Payload = {}, runAt = 0): void {
  const { userId, scope } = ctx.caller
  const payload = scope.kind === 'owner' ? { ...given, owner: userId } : given
  add(ctx.tx).run({ id: ctx.newId(), orgId: ctx.caller.orgId, kind, source, payload, runAt })
}

const byId = query('job.payload', ['id'], (db, p) =>
  db.select({ payload: job.payload }).from(job).where(eq(job.id, p.id)).prepare(),
)
/** The OWNER whose action caused a job; undefined for anybody else's, and for the service's own. */
export function ownerBehind(db: Db, jobId: string): string | undefined {
  const owner = byId(db).get({ id: jobId })?.payload?.owner
  return typeof owner === 'string' ? owner : undefined
}
