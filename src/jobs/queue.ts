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
 * before `runAt` (epoch ms of real time).
 */
export function enqueue(ctx: Ctx, kind: string, source: string, payload: Payload = {}, runAt = 0): void {
  add(ctx.tx).run({ id: ctx.newId(), orgId: ctx.caller.orgId, kind, source, payload, runAt })
}
