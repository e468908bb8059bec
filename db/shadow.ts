import { isDeepStrictEqual } from 'node:util'
import type Database from 'better-sqlite3'
import { type Db, openStore, type Tx } from './open.ts'
import type { Rest } from './snapshot.ts'

/** Tables that an import reads, each after those that it refers to. */
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
 * Tables that an import builds on. A row that others changed meanwhile is a conflict if the import uses one of its
 * ids, or one of its names within the same parent.
 */
const WATCHED = {
  property: { ids: ['id'], names: ['name'], within: undefined },
  unit: { ids: ['id'], names: ['label'], within: 'property_id' },
  tenant: { ids: ['id'], names: ['full_name', 'phone_number'], within: undefined },
  booking: { ids: ['id', 'unit_id', 'tenant_id'], names: ['tenant_name'], within: undefined },
} as const
/** Columns of new rows that refer to other tables. */
const REFERENCES = { unit: ['property_id'], booking: ['unit_id', 'property_id', 'tenant_id'] } as const
/** Counters whose next number must still be free. */
const COUNTERS = { invoice_counter: 'year', document_counter: 'series' } as const
/** Tables that an import may write to, each after those that it refers to. */
const WRITTEN = [
  'property',
  'unit',
  'tenant',
  'booking',
  'lease_party',
  'invoice_counter',
  'invoice',
  'document_counter',
  'document',
  'audit_entry',
  'job',
]
/** Tables that triggers maintain in both databases, and the day's spending: an import is bounded by the length of its file. */
const BEHIND = ['row_count', 'budget_day']
/**
 * Indexes that an import needs to find those rows again; the others are dropped, as they would only cost updates. A
 * test explains them all.
 */
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
 * An in-memory database with a copy of one organization's data. Use cases run on it as they would on the original,
 * without blocking it. `phones`: numbers whose accounts, of any organization, may be looked up.
 */
export async function createShadow(from: Db, orgId: string, phones: readonly string[], rest: Rest) {
  const store = openStore(':memory:')
  const { client } = store
  client.pragma('foreign_keys = OFF')
  // Nobody searches here: what is carried over is indexed in the original.
  const searches = client.prepare("select name from sqlite_master where type = 'trigger' and name like '%search%'")
  for (const name of searches.pluck().all()) client.exec(`drop trigger ${name}`)
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
  // New rows are recognized by their rowid, changed rows by a trigger.
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
    .filter((table) => ![...WRITTEN, ...BEHIND].includes(table))
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
    /** Runs one use case; an exception undoes its own effects only. */
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
    /** How many new rows each table has. @throws when a use case wrote to a table that is not copied back */
    fresh(): Readonly<Record<string, number>> {
      for (const [table, rows] of elsewhere)
        if (sizeOf(table) !== rows) throw new Error(`an import wrote to ${table}, which is not carried over`)
      const counted = (table: string) => client.prepare(`select count(*) from main.${table} where rowid > ?`).pluck()
      return Object.fromEntries(WRITTEN.map((t) => [t, Number(counted(t).get(last.get(t) ?? 0))]))
    },
    /**
     * Copies new and changed rows into the original. Returns false, without any change, if others have meanwhile
     * changed the data that they build on, or a row whose name is `mentioned`.
     */
    apply(tx: Tx, mentioned: (name: string) => boolean): boolean {
      const now = fingerprint(tx, orgId)
      if (!isDeepStrictEqual(now, seen) && !isApart({ tx, client, orgId, last, latest, seen, now, mentioned }))
        return false
      for (const table of WRITTEN) {
        const columns = columnsOf(client, table)
        const names = columns.map(({ name }) => name)
        // Invoices have no primary key.
        const key = table === 'invoice' ? ['org_id', 'id'] : names.filter((_, i) => columns[i]?.pk)
        const insert = `insert into ${table} (${names.join(', ')}) values (${names.map(written).join(', ')})`
        const set = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`)
        const put = (sql: string, where: string) => carry(client, tx.$client.prepare(sql), table, where)
        // Two statements: a single one would make SQLite record undo data for every row.
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

/** Columns with long texts, copied as bytes: decoding them to strings and back would double the time. */
const LONG = ['data']
const read = (name: string): string => (LONG.includes(name) ? `cast(${name} as blob)` : name)
const written = (name: string): string => (LONG.includes(name) ? 'cast(? as text)' : '?')

/** Runs a statement for each row, slice by slice, so that the papers of many leases are not in memory twice. */
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

/** Row counts and versions of the tables that an import builds on: a change by anybody else shows in them. */
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

/** Whether the changes that others made since the copy are independent of this import. */
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

/**
 * Rows of the original that are new or changed since the copy; undefined if they do not account for the changed sums.
 */
function changedRows({ tx, client, orgId, latest, seen, now }: Applying, table: string): Changed[] | undefined {
  const [before, after] = [seen.tables[table], now.tables[table]]
  if (!before || !after) return undefined
  if (isDeepStrictEqual(before, after)) return []
  const was = client.prepare(
    `select coalesce((select was from temp.touched where name = '${table}' and row = t.rowid), version) from main.${table} t where id = ?`,
  )
  was.pluck()
  const changed: Changed[] = []
  let { n, versions } = before
  const since = tx.$client.prepare(`select * from ${table} where org_id = ? and updated_at >= ?`)
  for (const row of since.iterate(orgId, latest.get(table)) as IterableIterator<Changed>) {
    const old = was.get(row.id) as number | undefined
    if (old === row.version) continue
    changed.push(row)
    if (old === undefined) n += 1
    versions += Number(row.version) - (old ?? 0)
  }
  return n === after.n && versions === after.versions ? changed : undefined
}

/** Whether the numbers assigned in the copy are still the next ones in the original. */
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
