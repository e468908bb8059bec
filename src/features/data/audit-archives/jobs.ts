import type { Deps } from '../../../deps.ts'
import { fileName, TURN } from './rules.ts'
import { closeArchive, openArchives, removeEntries } from './store.ts'

/**
 * Deletes some archived entries from the audit trail, provided that the archive's file exists and is intact. Call it
 * again until it returns 0. @returns how many
 */
export async function pruneTrail(deps: Pick<Deps, 'db' | 'write' | 'blobs' | 'clock' | 'log'>): Promise<number> {
  let done = 0
  for (const row of openArchives(deps.db)) {
    const file = await deps.blobs.open(fileName(row.id, row.sha256))
    await file?.close()
    if (file?.sizeBytes !== row.sizeBytes) {
      deps.log.error('audit.archive', new Error('the file is gone or incomplete'), { archiveId: row.id })
      continue
    }
    done += await deps.write(row.orgId, (tx) => {
      const removed = removeEntries(tx, row, TURN)
      if (removed < TURN) closeArchive(tx, row.id, new Date(deps.clock.now()).toISOString())
      return removed
    })
  }
  return done
}
