import type Database from 'better-sqlite3'
import { soon } from '../src/core/turn.ts'
import { HandedOn } from '../src/errors.ts'
import { beforeReads } from './fast.ts'
import { createHealth } from './health.ts'
import { createWatch } from './moves.ts'
import type { Store } from './open.ts'
import { createSnapshots, readOnly, resting } from './snapshot.ts'

/** Organizations whose version is remembered. */
const MOST = 10_000

/** How long a moment may last, ms: while somebody reads from it, the write-ahead log cannot begin anew. */
const MOMENT_MS = 10

/**
 * Makes each turn of the event loop see the database at one moment, as in the process that writes: what a handler reads
 * before it waits belongs together, and an answer belongs to the version that was read with it. A moment lasts while
 * nothing is committed, because to begin and end one costs a quarter of a short read.
 */
function byMoments(client: Database.Database, { commits, brief }: Commits) {
  let lastCommit = 0
  let late: ReturnType<typeof setTimeout> | undefined
  const begin = client.prepare('BEGIN')
  const end = client.prepare('COMMIT')
  let begun = false
  const leave = (): void => {
    if (!begun) return
    begun = false
    if (client.inTransaction) end.run()
  }
  const enter = (): void => {
    if (begun) return
    lastCommit = commits()
    begin.run()
    begun = true
    if (brief()) soon(leave)
    else
      late ??= setTimeout(() => {
        late = undefined
        leave()
      }, MOMENT_MS)
  }
  beforeReads(client, enter)
  return {
    /** The count of commits that this moment sees at least. */
    seen(): number {
      enter()
      return lastCommit
    },
    arrive(): void {
      if (begun && commits() !== lastCommit) leave()
    },
    finish(): void {
      clearTimeout(late)
      leave()
    },
  }
}

/** What the writer tells its readers. */
type Commits = {
  /** How often it has committed. */
  readonly commits: () => number
  /** Whether moments are to end with their turns, so that a long write-ahead log can begin anew. */
  readonly brief: () => boolean
  /** Whether new long reads are to wait, so that it can after those under way. */
  readonly hold: () => boolean
}
type Arrival = {
  /** Call it when a request arrives: what was committed before is then seen. A turn may take up several requests. */
  readonly arrive: () => void
}

/**
 * The store of a process that only reads, beside the one that writes. A write is refused with HandedOn, so that the whole
 * request goes to the writer. `epoch`: the writer's.
 */
export function openReader(file: string, epoch: string, told: Commits): Store & Arrival {
  const db = readOnly(file)
  const client = db.$client
  const { commits } = told
  const { seen, arrive, finish: leave } = byMoments(client, told)
  const version = client.prepare('select version from organization where id = ?').pluck()
  const { snapshot, counted, finish } = createSnapshots(file, told)
  const refuse = () => Promise.reject(new HandedOn())
  const { checkRead } = createWatch(
    client,
    () => performance.now(),
    () => {},
  )
  const versions = new Map<string, { readonly at: number; readonly version: number }>()
  let closed = false
  return {
    client,
    db,
    write: refuse,
    lend: refuse,
    snapshot,
    counted,
    resting,
    file,
    health: createHealth(file),
    epoch,
    orgVersion(orgId) {
      const known = versions.get(orgId)
      if (known?.at === commits()) return known.version
      const at = seen()
      const stored = (version.get(orgId) as number | undefined) ?? 0
      if (versions.size >= MOST) versions.clear()
      versions.set(orgId, { at, version: stored })
      return stored
    },
    checkRead,
    watch() {},
    whenRead() {},
    arrive,
    async close() {
      if (closed) return
      closed = true
      finish()
      leave()
      client.close()
    },
  }
}
