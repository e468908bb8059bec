import { takeLock } from '../../db/files.ts'
import { refuseNewer } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations.ts'
import { createSnapshots } from '../../db/snapshot.ts'
import { StoreError } from '../../db/store-error.ts'
import { openAside } from '../../db/write/aside.ts'
import { unzip } from '../adapters/archive/unzip.ts'
import { zip } from '../adapters/archive/zip.ts'
import { openBlobs } from '../adapters/blobs/blobs.ts'
import { createTables } from '../adapters/tables/tables.ts'
import { listenToChanges } from '../changes/record.ts'
import { listeners } from '../changes/registry.ts'
import type { Config } from '../config.ts'
import { createIdSource } from '../context.ts'
import { masterKey } from '../keys.ts'
import { timeBeside } from '../time.ts'
import { expectDatabase } from './folders.ts'

/** How long a command waits for its turn among the service's writes, ms. */
const TURN_MS = 60_000

/**
 * What a command works with that writes into a data folder while the service runs, or while it is stopped: then it
 * holds the folder, so that nobody replaces the database meanwhile. One such command at a time. @throws StoreError
 */
export function openFolder(config: Config) {
  expectDatabase(config)
  const file = config.databaseFile
  const only = ownLock(`${file}.move`, true)
  const whole = ownLock(file, false)
  const stopping = new AbortController()
  try {
    const store = openAside(file, async () => () => {})
    const { db, write } = store
    const { snapshot, finish } = createSnapshots(file)
    db.$client.pragma(`busy_timeout = ${TURN_MS}`)
    refuseNewer(db.$client)
    if (db.$client.pragma('user_version', { simple: true }) !== migrations.length)
      throw new StoreError(65, 'The database is of an older Loyer. Start the service with this one first.')
    const now = (): number => timeBeside(db)
    listenToChanges(listeners)
    return {
      deps: {
        store: { snapshot },
        db,
        write,
        clock: { now, wall: now },
        newId: createIdSource(now),
        masterKey: masterKey(config.dataDir),
        blobs: openBlobs(config, 'media'),
        documents: openBlobs(config, 'documents'),
        zip,
        unzip,
        tables: createTables(zip),
        stopping: stopping.signal,
      },
      close(): void {
        finish()
        store.close()
        whole?.close()
        only?.close()
      },
    }
  } catch (e) {
    whole?.close()
    only?.close()
    throw e
  }
}

/** The lock on a file, or nothing where somebody has it; with `needed` that is refused. @throws StoreError */
function ownLock(file: string, needed: boolean): ReturnType<typeof takeLock> | undefined {
  try {
    return takeLock(file)
  } catch (e) {
    if (!(e instanceof StoreError) || e.exitCode !== 75) throw e
    if (needed)
      throw new StoreError(
        75,
        'Another export or import of an organization is under way here. Wait until it has ended.',
      )
    return undefined
  }
}
