import { systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { purgeMedia } from './service.ts'
import { findMedia, staleMedia } from './store.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'blobs' | 'log' | 'stopping'>
const BATCH = 100

/** Deletes the files of objects that are deleted. */
export const mediaHandlers = ({ db, blobs }: Pick<Deps, 'db' | 'blobs'>): Handlers => ({
  'media.completed': async ({ orgId, source }) => {
    const row = findMedia(db, orgId ?? '', source)
    const current = `${source}.${row?.sha256}`
    if (row?.status === 'AVAILABLE') await blobs.remove(source, (name) => !name.startsWith(current))
  },
  'media.deleted': ({ source }) => blobs.remove(source),
})

/** Forgets uploads that nobody completed within a day, and what was left half written. @returns how many */
export async function purgeStaleMedia(deps: Work): Promise<number> {
  let done = await deps.blobs.tidy()
  for (;;) {
    const rows = staleMedia(deps.db).all({ now: deps.clock.wall(), limit: BATCH })
    for (const { orgId, id } of rows)
      await deps.write(orgId, (tx) => purgeMedia(systemCtx(deps, tx, orgId, `media-${id}`), id))
    done += rows.length
    if (rows.length < BATCH || deps.stopping.aborted) return done
  }
}
