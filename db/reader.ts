import type Database from 'better-sqlite3'
import { soon } from '../src/core/turn.ts'
import { HandedOn } from '../src/errors.ts'
import { beforeReads } from './fast.ts'
import { createHealth } from './health.ts'
import type { Store } from './open.ts'
import { createSnapshots, readOnly, resting } from './snapshot.ts'

/** Organizations whose version is remembered. */
const MOST = 10_000

/**
 * Makes each turn of the event loop see the database at one moment, as in the process that writes: what a handler reads
 * before it waits belongs together, and an answer belongs to the version that was read with it.
 */
function byTurns(client: Database.Database, commits: () => number) {
  let seen = 0
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
    seen = commits()
    begin.run()
    begun = true
    soon(leave)
  }
  beforeReads(client, enter)
  return {
    /** The count of commits that this turn sees at least. */
    seen(): number {
      enter()
      return seen
    },
    leave,
  }
}

type Arrival = {
  /** Call it when a request arrives: what was committed before is then seen. A turn may take up several requests. */
  readonly arrive: () => void
}

/**
 * The store of a process that only reads, beside the one that writes. A write is refused with HandedOn, so that the whole
 * request goes to the writer. `epoch`: the writer's; `commits`: how often it has committed.
 */
export function openReader(file: string, epoch: string, commits: () => number): Store & Arrival {
  const db = readOnly(file)
  const client = db.$client
  const { seen, leave } = byTurns(client, commits)
  const version = client.prepare('select version from organization where id = ?').pluck()
  const { snapshot, finish } = createSnapshots(db, file)
  const refuse = () => Promise.reject(new HandedOn())
  const versions = new Map<string, { readonly at: number; readonly version: number }>()
  let closed = false
  return {
    client,
    db,
    write: refuse,
    lend: refuse,
    snapshot,
    resting,
    file,
    health: createHealth(file),
    epoch,
    orgVersion(orgId) {
      const known = versions.get(orgId)
      if (known?.at === commits()) return known.version
      const at = seen()
      const found = (version.get(orgId) as number | undefined) ?? 0
      if (versions.size >= MOST) versions.clear()
      versions.set(orgId, { at, version: found })
      return found
    },
    watch() {},
    arrive: leave,
    async close() {
      if (closed) return
      closed = true
      finish()
      leave()
      client.close()
    },
  }
}
