import { eq } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { query } from '../../db/query.ts'
import { job } from '../../db/schema/operations.ts'
import type { Ctx } from '../context.ts'
import { isPart } from '../core/scope.ts'

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
    .onConflictDoNothing(),
)

/** A person with a share of an organization's messages: an OWNER or manager of some properties, or a manager of everything. */
export type Sharer = { readonly owner: string } | { readonly manager: string }
export const sharerOf = ({ userId, roles, scope }: Ctx['caller']): Sharer | undefined =>
  isPart(scope)
    ? { owner: userId }
    : roles.includes('MANAGER') && !roles.includes('ADMIN')
      ? { manager: userId }
      : undefined

/**
 * Enqueues a job in this transaction: at most one per (kind, source), ever. The worker runs it at its next round, not
 * before `runAt` (epoch ms of real time). It records the person who caused it, whose share of the messages it uses.
 */
export function enqueue(ctx: Ctx, kind: string, source: string, details: Payload = {}, runAt = 0): void {
  const payload = { ...details, ...sharerOf(ctx.caller) }
  add(ctx.tx).run({ id: ctx.newId(), orgId: ctx.caller.orgId, kind, source, payload, runAt })
}

const byId = query('job.payload', ['id'], (db, p) =>
  db.select({ payload: job.payload }).from(job).where(eq(job.id, p.id)),
)
/** The person whose action caused a job and whose share of the messages it uses; undefined for the service's own jobs. */
export function sharerBehind(db: Db, jobId: string): Sharer | undefined {
  const { owner, manager } = byId(db).get({ id: jobId })?.payload ?? {}
  return typeof owner === 'string' ? { owner } : typeof manager === 'string' ? { manager } : undefined
}
