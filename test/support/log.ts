// The scenario suite as a node of several: `LOYER_TEST_LOG=memory bun test …` gives each app a log of changes, plays it
// into a copy, and at the end of each file compares the two, table by table.
import { afterAll, expect } from 'bun:test'
import Database from 'better-sqlite3'
import { createPlayer } from '../../db/cluster/changes.ts'
import { createNode } from '../../db/cluster/node.ts'
import type { Entry, Primary } from '../../db/cluster/primary.ts'
import { afterWrites } from '../../db/fast.ts'
import { attach, type Store } from '../../db/open.ts'

const absent = (): never => {
  throw new Error('a log in memory has no such thing')
}
/** A primary of one node, in memory. `appended`: called with each entry that got its place. */
function memoryPrimary(appended: (entry: Entry) => void = () => {}): Primary {
  const entries: Entry[] = [{ n: 0, id: 'begin', node: '', body: new Uint8Array(0) }]
  const held = new Map<string, string>()
  return {
    place: 'memory',
    prepare: async () => {},
    head: absent,
    async append(entry, after) {
      const [last, there] = [entries[entry.n - 1], entries[entry.n]]
      if (there || last?.id !== after) return there?.id === entry.id
      entries.push(entry)
      appended(entry)
      return true
    },
    since: async (n) => ({ epoch: 'epoch', entries: entries.slice(n, n + 64) }),
    putPiece: absent,
    piece: absent,
    begin: absent,
    addCopy: absent,
    lastCopy: absent,
    renew: absent,
    async hold(name, node) {
      const holder = held.get(name) ?? node
      held.set(name, holder)
      return holder === node
    },
    release: async () => {},
    others: async () => 0,
  }
}

/** All rows by table, but for what each node has for itself. */
export function contents(client: Database.Database): Record<string, unknown[]> {
  const tables = client
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name")
    .pluck()
    .all() as string[]
  const keyed = new Set(client.prepare('select name from pragma_table_list where wr = 1').pluck().all())
  return Object.fromEntries(
    tables.map((table) => [
      table,
      table === 'setting'
        ? client.prepare("select * from setting where key not in ('epoch', 'cluster') order by key").all()
        : client
            .prepare(`select ${keyed.has(table) ? '' : 'rowid as "the rowid", '}* from "${table}"`)
            .safeIntegers()
            .all(),
    ]),
  )
}

const AT = { cluster: 'memory', epoch: 'epoch', n: 0, id: 'begin' }
const pairs: { readonly own: Database.Database; readonly copy: Database.Database }[] = []
/** A store whose writes go through a log, with a copy that plays it. */
export function loggedStore(file: Uint8Array): Store {
  const copy = new Database(Buffer.from(file))
  copy.pragma('foreign_keys = ON')
  copy.pragma('trusted_schema = OFF')
  const play = createPlayer(copy, AT)
  const own = new Database(Buffer.from(file))
  const primary = memoryPrimary((entry) => void play(entry))
  const store = attach(own, undefined, undefined, true, undefined, (client) =>
    createNode(client, { primary, position: AT, node: 'test' }),
  )
  writeToBoth(own, copy)
  pairs.push({ own, copy })
  return store
}
/** What a test writes past the writer, it writes to both. */
export function writeToBoth(own: Database.Database, copy: Database.Database): void {
  const exec = own.exec.bind(own)
  let together = false
  afterWrites(
    own,
    () => together || !own.inTransaction,
    ({ sql, values }) => {
      const statement = copy.prepare(sql)
      if (statement.reader) statement.all(...values)
      else statement.run(...values)
    },
  )
  own.exec = (text) => {
    const inside = own.inTransaction
    const done = exec(text)
    // What a test tries and takes back is its own.
    if (!inside && !own.inTransaction) copy.exec(text)
    return done
  }
  const transaction = own.transaction.bind(own)
  own.transaction = ((work: () => unknown) => {
    const all = transaction(work)
    return () => {
      together = true
      try {
        return all()
      } finally {
        together = false
      }
    }
  }) as typeof own.transaction
}
export const isLogged = process.env.LOYER_TEST_LOG === 'memory'
if (isLogged)
  afterAll(() => {
    for (const { own, copy } of pairs.splice(0)) if (own.open) expect(contents(copy)).toEqual(contents(own))
  })
