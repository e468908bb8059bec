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
/** What must not have changed when the rows found on a copy are put into the original. */
const WATCHED = ['property', 'unit', 'tenant', 'booking']
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
const SLICE = 1000

type Cells = readonly unknown[]
/** Rows to put into the original: those that are new, and those that changed. */
export type Changes = readonly {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly Cells[]
  /** How many of the rows are new. */
  readonly fresh: number
}[]

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
  // What is only written here needs no index but those that keep it unique.
  const indexes = client.prepare(
    `select name from sqlite_master where type = 'index' and sql like 'CREATE INDEX%' and (tbl_name in ('invoice', 'document', 'audit_entry', 'job')
     or name like '%updated_at%' or (tbl_name = 'booking' and name not like 'booking_unit%' and name not like 'booking_tenant_id%'))`,
  )
  for (const name of indexes.pluck().all()) client.exec(`drop index "${String(name)}"`)
  // New rows are told by their place, those that change by a trigger.
  const last = new Map(
    WRITTEN.map((t) => [t, Number(client.prepare(`select coalesce(max(rowid), 0) from ${t}`).pluck().get())]),
  )
  client.exec('create temp table touched (name text, row integer, primary key (name, row))')
  for (const [table, row] of last)
    client.exec(
      `create temp trigger ${table}_changes after update on main.${table} when new.rowid <= ${row} begin insert into touched select '${table}', new.rowid where not exists (select 1 from touched where name = '${table}' and row = new.rowid); end`,
    )
  const sizeOf = (table: string) => client.prepare(`select count(*) from main.${table}`).pluck().get()
  const tables = client.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite%'")
  const elsewhere = (tables.pluck().all() as string[])
    .filter((table) => !WRITTEN.includes(table))
    .map((table) => [table, sizeOf(table)] as const)
  const seen = fingerprint(from, orgId)
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
    changes(): Changes {
      for (const [table, rows] of elsewhere)
        if (sizeOf(table) !== rows) throw new Error(`an import wrote to ${table}, which is not carried over`)
      return WRITTEN.map((table) => {
        const place = last.get(table) ?? 0
        const touched = `rowid in (select row from temp.touched where name = '${table}')`
        const read = (where: string) => client.prepare(`select * from main.${table} where ${where} order by rowid`)
        const fresh = read(`rowid > ${place}`)
        const rows = fresh.raw().all() as Cells[]
        return {
          table,
          columns: fresh.columns().map(({ name }) => name),
          rows: [...(read(touched).raw().all() as Cells[]), ...rows],
          fresh: rows.length,
        }
      })
    },
    /** Puts the changes into the original; false when it has changed in between, and nothing was done. */
    apply(tx: Tx, changes: Changes): boolean {
      if (fingerprint(tx, orgId) !== seen) return false
      for (const { table, columns, rows } of changes) {
        if (rows.length === 0) continue
        const key = (tx.$client.pragma(`table_info(${table})`) as { name: string; pk: number }[])
          .filter(({ pk }) => pk > 0)
          .map(({ name }) => name)
        const set = columns.filter((c) => !key.includes(c)).map((c) => `${c} = excluded.${c}`)
        const put = tx.$client.prepare(
          `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) ${
            table === 'audit_entry' || table === 'job'
              ? ''
              : `on conflict (${key.join(', ')}) do update set ${set.join(', ')}`
          }`,
        )
        for (const row of rows) put.run(...row)
      }
      return true
    },
    close: (): Promise<void> => {
      client.exec('rollback')
      return store.close()
    },
  }
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
  const put = to.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
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

/** Counts and versions of what an import builds on: every change of it shows. */
function fingerprint(db: Db, orgId: string): string {
  const of = (sql: string) => JSON.stringify(db.$client.prepare(sql).raw().get(orgId) ?? [])
  return [
    ...WATCHED.map((table) => of(`select count(*), sum(version) from ${table} where org_id = ?`)),
    of('select sum(last) from invoice_counter where org_id = ?'),
    of('select sum(last) from document_counter where org_id = ?'),
    of('select updated_at from organization where id = ?'),
  ].join()
}
