import { scopeOf, systemCtx } from '../../../context.ts'
import { isRole } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { propertiesOf } from '../../people/caretakers/store.ts'
import { findUser } from '../../people/users/store.ts'
import { fileName, KEPT_MS, MAX_ATTEMPTS, widest } from './rules.ts'
import { changeExport, packed } from './service.ts'
import { type ExportRow, findExport, nextExport, oldExports } from './store.ts'

type Runner = Pick<
  Deps,
  'store' | 'db' | 'write' | 'clock' | 'newId' | 'log' | 'blobs' | 'documents' | 'zip' | 'tables' | 'stopping'
>

/** Makes the waiting exports one after another, and deletes old ones. @returns how many were made */
export async function runExports(deps: Runner): Promise<number> {
  for (const { id, orgId } of oldExports(deps.db, deps.clock.wall())) {
    const row = findExport(deps.db, orgId, id)
    await deps.blobs.remove(id)
    if (row)
      await deps.write(orgId, (tx) =>
        changeExport(systemCtx(deps, tx, orgId, `export-${id}`), row, {
          status: 'EXPIRED',
          sha256: null,
          purgeAt: null,
        }),
      )
  }
  for (let done = 0; ; done++) {
    const next = deps.stopping.aborted ? undefined : nextExport(deps.db)
    if (!next) return done
    const change = (row: ExportRow, changes: Partial<ExportRow>, held?: Parameters<typeof changeExport>[3]) =>
      deps.write(next.orgId, (tx) =>
        changeExport(systemCtx(deps, tx, next.orgId, `export-${next.id}`), row, changes, held),
      )
    const found = findExport(deps.db, next.orgId, next.id)
    if (!found) return done
    const row = await change(found, { status: 'RUNNING', attempts: found.attempts + 1 })
    const finishedAt = new Date(deps.clock.now()).toISOString()
    try {
      if (row.attempts > MAX_ATTEMPTS) throw new AppError('internal')
      const { sha256, sizeBytes, madeAs, tally } = await make(deps, row)
      const done = { status: 'SUCCEEDED', sha256, sizeBytes, madeAs, finishedAt } as const
      await change(row, { ...done, purgeAt: deps.clock.wall() + KEPT_MS }, { madeAs, ...tally })
    } catch (e) {
      if (deps.stopping.aborted) {
        await change(row, { status: 'QUEUED', attempts: found.attempts })
        return done
      }
      deps.log.error('export.failed', e, { exportId: row.id })
      await change(row, { status: 'FAILED', finishedAt })
    }
  }
}

async function make(deps: Runner, { id, orgId, createdBy }: ExportRow) {
  const user = findUser(deps.db, orgId, createdBy)
  const roles = (user?.roles ?? []).filter(isRole)
  const madeAs = widest(roles)
  if (user?.status !== 'ACTIVE' || !madeAs) throw new AppError('forbidden')
  const caller = { userId: createdBy, orgId, roles, scope: scopeOf(createdBy, roles, propertiesOf(deps.db, user)) }
  return deps.store.snapshot(async (db, rest) => {
    const tally = { files: 0, papersOfOthers: 0 }
    const received = await deps.blobs.receive(
      untilStopped(packed(deps, db, { org: orgId, caller }, tally, rest), deps.stopping),
      Number.POSITIVE_INFINITY,
    )
    await received.keep(fileName(id, received.sha256))
    return { ...received, madeAs, tally }
  })
}

async function* untilStopped<T>(pieces: AsyncIterable<T>, stopping: AbortSignal): AsyncGenerator<T> {
  for await (const piece of pieces) {
    stopping.throwIfAborted()
    yield piece
  }
}
