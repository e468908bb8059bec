import { isDeepStrictEqual } from 'node:util'
import type Database from 'better-sqlite3'
import { type Db, openStore, type Tx } from './open.ts'
import type { Rest } from './snapshot.ts'

/** What the use cases of an import read, in an order in which each refers to those before it. */
const COPIED = [
  'organization',
  'app_user',
  'property',
  'unit',
  'tenant',
  'booking',
  'invoice_counter',
  'webhook_endpoint',
  'document_counter',
  'lease_template',
]
/**
 * What an import builds on, with what tells whether a row that others changed meanwhile matters to it: by one of these ids,
 * or by one of these names, where it is in one of these places.
 */
const WATCHED = {
  property: { ids: ['id'], names: ['name'], within: undefined },
  unit: { ids: ['id'], names: ['label'], within: 'property_id' },
  tenant: { ids: ['id'], names: ['full_name', 'phone_number'], within: undefined },
  booking: { ids: ['id', 'unit_id', 'tenant_id'], names: ['tenant_name'], within: undefined },
} as const
/** What new rows refer to. */
const REFERENCES = { unit: ['property_id'], booking: ['unit_id', 'property_id', 'tenant_id'] } as const
/** Whose next number must be free still. */
const COUNTERS = { invoice_counter: 'year', document_counter: 'series' } as const
/** What they may leave behind, in the same kind of order. */
const WRITTEN = [
  'property',
  'unit',
  'tenant',
  'booking',
  'invoice_counter',
  'invoice',
  'document_counter',
  'document',
  'audit_entry',
  'job',
]
/** Triggers keep it, here and in the original. */
const COUNTS = 'row_count'
/** Indexes by which use cases find those rows again; the others would only be kept up to date. A test explains them all. */
const SEARCHED = [
  'booking_status',
  'booking_unit_status',
  'booking_tenant_id',
  'document_booking_id',
  'tenant_org_number',
  'tenant_org_account',
]
const SLICE = 1000
const marks = (list: readonly string[]): string => list.map(() => '?').join(', ')

type Cells = readonly unknown[]
/**
 * A small database in memory with a copy of what one organization has: use cases run on it exactly as they would on the
 * original, which nobody has to wait for. `phones`: numbers whose accounts, of any organization, may be asked for.
 */
export async function createShadow(from: Db, orgId: string, phones: readonly string[], rest: Rest) {
  const store = openStore(':memory:')
  const { client } = store
  client.pragma('foreign_keys = OFF')
  for (const table of COPIED) {
    const key = table === 'organization' ? 'id' : 'org_id'
    await copy(from, client, table, `${key} = ?`, [[orgId]], rest)
  }
  const others = phones.map((phone) => [phone, orgId])
  await copy(from, client, 'app_user', 'phone_number = ? and org_id <> ?', others, rest)
  client.pragma('foreign_keys = ON')
  const indexes = client.prepare(
    `select name from sqlite_master where type = 'index' and sql like 'CREATE INDEX%' and tbl_name in (${marks(WRITTEN)}) and name not in (${marks(SEARCHED)})`,
  )
  for (const name of indexes.pluck().all(...WRITTEN, ...SEARCHED)) client.exec(`drop index "${String(name)}"`)
  // New rows are told by their place, those that change by a trigger.
  const last = new Map(
    WRITTEN.map((t) => [t, Number(client.prepare(`select coalesce(max(rowid), 0) from ${t}`).pluck().get())]),
  )
  client.exec('create temp table touched (name text, row integer, was integer, primary key (name, row))')
  for (const [table, row] of last) {
    const was = table in COUNTERS ? 'old.last' : table in WATCHED ? 'old.version' : 'null'
    client.exec(
      `create temp trigger ${table}_changes after update on main.${table} when new.rowid <= ${row} begin insert into touched select '${table}', new.rowid, ${was} where not exists (select 1 from touched where name = '${table}' and row = new.rowid); end`,
    )
  }
  const sizeOf = (table: string) => client.prepare(`select count(*) from main.${table}`).pluck().get()
  const tables = client.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite%'")
  const elsewhere = (tables.pluck().all() as string[])
    .filter((table) => !WRITTEN.includes(table) && table !== COUNTS)
    .map((table) => [table, sizeOf(table)] as const)
  const seen = fingerprint(from, orgId)
  const latest = new Map(
    Object.keys(WATCHED).map((t) => [t, client.prepare(`select max(updated_at) from main.${t}`).pluck().get() ?? '']),
  )
  const statement = (sql: string) => client.prepare(sql)
  const [savepoint, release, undo] = [statement('savepoint r'), statement('release r'), statement('rollback to r')]
  client.exec('begin')

  return {
    db: store.db,
    /** One use case; what it throws undoes its own effects only. */
    run<T>(fn: (tx: Tx) => T): T {
      savepoint.run()
      try {
        return fn(store.db as Tx)
      } catch (e) {
        undo.run()
        throw e
      } finally {
        release.run()
      }
    },
    /** How many rows of each table are new. @throws when a use case wrote what is not carried over */
    fresh(): Readonly<Record<string, number>> {
      for (const [table, rows] of elsewhere)
        if (sizeOf(table) !== rows) throw new Error(`an import wrote to ${table}, which is not carried over`)
      const counted = (table: string) => client.prepare(`select count(*) from main.${table} where rowid > ?`).pluck()
      return Object.fromEntries(WRITTEN.map((t) => [t, Number(counted(t).get(last.get(t) ?? 0))]))
    },
    /**
     * Puts new and changed rows into the original; false, and nothing was done, when others have changed in between what
     * they build on, or what goes by a name that is `mentioned`.
     */
    apply(tx: Tx, mentioned: (name: string) => boolean): boolean {
      const now = fingerprint(tx, orgId)
      if (!isDeepStrictEqual(now, seen) && !isApart({ tx, client, orgId, last, latest, seen, now, mentioned }))
        return false
      for (const table of WRITTEN) {
        const columns = columnsOf(client, table)
        const names = columns.map(({ name }) => name)
        const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name)
        const insert = `insert into ${table} (${names.join(', ')}) values (${names.map(written).join(', ')})`
        const set = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`)
        const put = (sql: string, where: string) => carry(client, tx.$client.prepare(sql), table, where)
        // As one statement for both, SQLite would keep what every row of it may have to undo.
        put(
          `${insert} on conflict (${key.join(', ')}) do update set ${set.join(', ')}`,
          `rowid in (select row from temp.touched where name = '${table}')`,
        )
        put(insert, `rowid > ${last.get(table) ?? 0}`)
      }
      return true
    },
    close: (): Promise<void> => {
      client.exec('rollback')
      return store.close()
    },
  }
}

type Column = { readonly name: string; readonly pk: number }
const columnsOf = (client: Database.Database, table: string) => client.pragma(`table_info(${table})`) as Column[]

/** Long texts go over as bytes: to make strings of them only to take these apart again costs as much as all else. */
const LONG = ['data']
const read = (name: string): string => (LONG.includes(name) ? `cast(${name} as blob)` : name)
const written = (name: string): string => (LONG.includes(name) ? 'cast(? as text)' : '?')

/** Runs a statement for each row, slice by slice: the papers of many leases are more than memory should hold twice. */
function carry(from: Database.Database, put: Database.Statement, table: string, where: string): void {
  const names = columnsOf(from, table).map(({ name }) => read(name))
  const rowids = from.prepare(`select rowid from main.${table} where ${where} order by rowid`).pluck().all() as number[]
  const slice = from
    .prepare(`select ${names.join(', ')} from main.${table} where rowid between ? and ? and ${where} order by rowid`)
    .raw()
  for (let at = 0; at < rowids.length; at += SLICE)
    for (const row of slice.all(rowids[at], rowids[Math.min(at + SLICE, rowids.length) - 1]) as Cells[]) put.run(...row)
}

async function copy(
  from: Db,
  to: Database.Database,
  table: string,
  where: string,
  asked: readonly (readonly string[])[],
  rest: Rest,
): Promise<void> {
  const read = from.$client.prepare(`select * from ${table} where ${where}`)
  const columns = read.columns().map(({ name }) => name)
  const put = to.prepare(`insert into ${table} (${columns.join(', ')}) values (${marks(columns)})`)
  const slice = to.transaction((some: readonly Cells[]) => {
    for (const row of some) put.run(...row)
  })
  read.raw()
  for (const values of asked) {
    const rows = read.all(...values) as Cells[]
    for (let at = 0; at < rows.length; at += SLICE) {
      slice(rows.slice(at, at + SLICE))
      await rest()
    }
    await rest()
  }
}

type Seen = { readonly settings: unknown; readonly tables: Readonly<Record<string, Sums>> }
type Sums = { readonly n: number; readonly versions: number }

/** Counts and versions of what an import builds on: every change of it shows. */
function fingerprint(db: Db, orgId: string): Seen {
  const of = (sql: string) => db.$client.prepare(sql)
  return {
    settings: of('select updated_at from organization where id = ?').pluck().get(orgId),
    tables: Object.fromEntries([
      ...Object.keys(WATCHED).map((t) => [
        t,
        of(`select count(*) as n, coalesce(sum(version), 0) as versions from ${t} where org_id = ?`).get(orgId) as Sums,
      ]),
      ...Object.keys(COUNTERS).map((t) => [
        t,
        of(`select count(*) as n, coalesce(sum(last), 0) as versions from ${t} where org_id = ?`).get(orgId) as Sums,
      ]),
    ]),
  }
}

type Changed = Readonly<Record<string, string | number | null>>
type Applying = {
  readonly tx: Tx
  readonly client: Database.Database
  readonly orgId: string
  readonly last: ReadonlyMap<string, number>
  readonly latest: ReadonlyMap<string, unknown>
  readonly seen: Seen
  readonly now: Seen
  readonly mentioned: (name: string) => boolean
}

/** Whether what others changed since the copy has nothing to do with what came of it. */
function isApart(given: Applying): boolean {
  const { client, last, seen, now, mentioned } = given
  if (now.settings !== seen.settings || !numbersFree(given)) return false
  const involved = new Set<unknown>()
  const involve = (sql: string): void => {
    for (const id of client.prepare(sql).pluck().iterate()) involved.add(id)
  }
  for (const table of Object.keys(WATCHED))
    involve(`select id from main.${table} where rowid in (select row from temp.touched where name = '${table}')`)
  for (const [table, columns] of Object.entries(REFERENCES))
    for (const column of columns) involve(`select ${column} from main.${table} where rowid > ${last.get(table) ?? 0}`)
  return Object.entries(WATCHED).every(([table, { ids, names, within }]) => {
    const changed = changedRows(given, table)
    return changed?.every(
      (row) =>
        !ids.some((id) => involved.has(row[id])) &&
        ((within !== undefined && !involved.has(row[within])) || !names.some((n) => mentioned(String(row[n] ?? '')))),
    )
  })
}

/** Rows of the original that are new or have another version than in the copy; undefined where that does not explain its sums. */
function changedRows({ tx, client, orgId, latest, seen, now }: Applying, table: string): Changed[] | undefined {
  const [before, after] = [seen.tables[table], now.tables[table]]
  if (!before || !after) return undefined
  if (isDeepStrictEqual(before, after)) return []
  const was = client.prepare(
    `select coalesce((select was from temp.touched where name = '${table}' and row = t.rowid), version) from main.${table} t where id = ?`,
  )
  was.pluck()
  const found: Changed[] = []
  let { n, versions } = before
  const since = tx.$client.prepare(`select * from ${table} where org_id = ? and updated_at >= ?`)
  for (const row of since.iterate(orgId, latest.get(table)) as IterableIterator<Changed>) {
    const old = was.get(row.id) as number | undefined
    if (old === row.version) continue
    found.push(row)
    if (old === undefined) n += 1
    versions += Number(row.version) - (old ?? 0)
  }
  return n === after.n && versions === after.versions ? found : undefined
}

/** Whether the numbers given on the copy are still the next ones. */
function numbersFree({ tx, client, orgId, last }: Applying): boolean {
  return Object.entries(COUNTERS).every(([table, series]) => {
    const used = client
      .prepare(
        `select c.${series} as series, t.was from main.${table} c left join temp.touched t on t.name = '${table}' and t.row = c.rowid
         where t.row is not null or c.rowid > ${last.get(table) ?? 0}`,
      )
      .all() as { series: string; was: number | null }[]
    const current = tx.$client.prepare(`select last from ${table} where org_id = ? and ${series} = ?`).pluck()
    return used.every(({ series, was }) => (current.get(orgId, series) ?? null) === was)
  })
}
