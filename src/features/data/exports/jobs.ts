import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import { type Caller, scopeOf, systemCtx } from '../../../context.ts'
import { isRole } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { propertiesOf } from '../../people/caretakers/store.ts'
import { findUser } from '../../people/users/store.ts'
import { fileName, KEPT_MS, MAX_ATTEMPTS, widest } from './rules.ts'
import { changeExport, type Packer, packed, type Tally } from './service.ts'
import { type ExportRow, findExport, nextExport, oldExports } from './store.ts'

type Runner = Pick<
  Deps,
  'db' | 'write' | 'clock' | 'newId' | 'log' | 'blobs' | 'documents' | 'zip' | 'tables' | 'longReads' | 'stopping'
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
  const task: ExportTask = { id, caller, nowMs: deps.clock.now() }
  const made = await deps.longReads.run(
    { kind: 'export', given: task },
    (db, rest) => makeExport(deps, db, task, rest),
    deps.stopping,
  )
  return { ...made, madeAs }
}

export type ExportTask = { readonly id: string; readonly caller: Caller; readonly nowMs: number }
type Made = { readonly sha256: string; readonly sizeBytes: number; readonly tally: Tally }

/** Writes the file of an export. `rest` throws when it is given up. @throws storage_unavailable */
export async function makeExport(
  deps: Omit<Packer, 'clock'>,
  db: Db,
  { id, caller, nowMs }: ExportTask,
  rest: Rest,
): Promise<Made> {
  const tally = { files: 0, papersOfOthers: 0 }
  const archive = packed({ ...deps, clock: { now: () => nowMs } }, db, { org: caller.orgId, caller }, tally, rest)
  async function* pieces() {
    for await (const piece of archive) {
      await rest()
      yield piece
    }
  }
  const { sha256, sizeBytes, keep } = await deps.blobs.receive(pieces(), Number.POSITIVE_INFINITY)
  await keep(fileName(id, sha256))
  return { sha256, sizeBytes, tally }
}
