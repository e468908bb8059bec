import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import { migrations } from './migrations.ts'
import { StoreError } from './store-error.ts'
import triggers from './triggers.sql' with { type: 'text' }

/** Marks a SQLite file as Loyer's ("LOYR"). */
export const APPLICATION_ID = 0x4c4f5952
export const SCHEMA_VERSION = migrations.length

const tables = (client: Database.Database): string[] =>
  client
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[]

const count = (client: Database.Database, table: string): number =>
  client.prepare(`select count(*) from "${table}"`).pluck().get() as number

/**
 * Brings the database to this program's schema: a copy first, then all pending files in one transaction,
 * foreign keys off outside of it (a pragma inside a transaction does nothing, and a table rebuild would delete
 * its children), no row lost, no dangling reference, or nothing at all.
 */
export function migrate(client: Database.Database, file: string, stamp: string, list = migrations): void {
  const from = client.pragma('user_version', { simple: true }) as number
  if (from > list.length)
    throw new StoreError(
      65,
      `The database was written by a newer Loyer (schema ${from}, this one knows ${list.length}). Start the newer version again.`,
    )
  if (from === list.length) return
  if (from > 0 && file !== ':memory:' && existsSync(file)) {
    const folder = join(dirname(file), 'backups')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    client.prepare('vacuum into ?').run(join(folder, `before-schema-${list.length}-${stamp.replaceAll(':', '')}.db`))
  }
  client.pragma('foreign_keys = OFF')
  try {
    client.exec('BEGIN EXCLUSIVE')
    const pending = list.slice(from)
    const kept = new Map(tables(client).map((t) => [t, count(client, t)]))
    for (const m of pending) client.exec(m.sql)
    client.exec(triggers)
    const now = new Set(tables(client))
    for (const [table, rows] of kept) {
      const declared = pending.some((m) => m.sql.includes(`-- changes: ${table}`))
      if (!declared && (!now.has(table) || count(client, table) !== rows))
        throw new Error(`the migration would lose rows of ${table}`)
    }
    const dangling = client.pragma('foreign_key_check') as unknown[]
    if (dangling.length > 0) throw new Error('the migration would leave references to rows that are gone')
    client.pragma(`application_id = ${APPLICATION_ID}`)
    client.pragma(`user_version = ${list.length}`)
    client.exec('COMMIT')
  } catch (e) {
    if (client.inTransaction) client.exec('ROLLBACK')
    throw new StoreError(
      70,
      `The database could not be brought up to date and is unchanged: ${e instanceof Error ? e.message : String(e)}`,
    )
  } finally {
    client.pragma('foreign_keys = ON')
  }
}
