import { hash } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import manifest from '../package.json' with { type: 'json' }
import { createPrivate, makeFolder, syncFolder } from './files.ts'
import { openBooks } from './ledger/convert.ts'
import { migrations } from './migrations.ts'
import { indexAll } from './search-index.ts'
import { isDamage, isStorageFailure, reason, StoreError } from './store-error.ts'
import { triggers } from './triggers.ts'

/** Marks a SQLite file as Loyer's ("LOYR"). */
export const APPLICATION_ID = 0x4c4f5952

/** The schema to migrate to: the position of a migration in the list, from 1, is the user_version after it. */
export type Target = {
  readonly migrations: readonly { readonly name?: string; readonly sql: string }[]
  readonly triggers: string
  /** What is made of the rows once the triggers are there. */
  readonly fill?: (client: Database.Database) => void
}
const current: Target = {
  migrations,
  triggers,
  fill(client) {
    openBooks(client)
    indexAll(client)
  },
}

/** Refuses a database with a newer schema, and says which Loyer it needs, if it says so itself. */
export function refuseNewer(client: Database.Database, known = current.migrations.length): void {
  const version = client.pragma('user_version', { simple: true }) as number
  if (version <= known) return
  const by = hasSettings(client) ? client.prepare('select value from setting where key = ?').pluck().get(BY) : undefined
  const own = `schema ${version}; this is Loyer ${manifest.version}, which knows ${known}`
  throw new StoreError(
    65,
    // Two builds of one version may differ in their schema.
    typeof by === 'string' && by !== manifest.version
      ? `The database needs Loyer ${by} or a newer one (${own}) and is unchanged. Start that one again, or restore a backup made by this one.`
      : `The database was written by a newer Loyer (${own}) and is unchanged. Start the newer version again, or restore a backup made by this one.`,
  )
}

const column = (client: Database.Database, sql: string) => client.prepare(sql).pluck().all() as string[]
const tables = (client: Database.Database): string[] =>
  column(
    client,
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'search%'",
  )
const MADE = /^CREATE (?:TRIGGER|VIEW)/gm
const count = (client: Database.Database, table: string): number =>
  client.prepare(`select count(*) from "${table}"`).pluck().get() as number

/**
 * Whether the triggers, and the views that fill the search index, are up to date. SQLite stores their text unchanged, so
 * comparing it replaces a version number.
 */
function hasTriggers(client: Database.Database, wanted: string): boolean {
  const triggers = column(client, 'select sql from sqlite_master where sql is not null').filter((sql) =>
    sql.match(MADE),
  )
  return triggers.length === wanted.match(MADE)?.length && triggers.every((sql) => wanted.includes(sql))
}

/** Copies from before the last updates that are kept. */
const KEPT = 3
function forgetOld(folder: string): void {
  const schemaOf = (name: string): number => Number(/^before-schema-(\d+)\.db$/.exec(name)?.[1])
  const copies = readdirSync(folder).filter((name) => schemaOf(name) > 0)
  for (const name of copies.sort((a, b) => schemaOf(b) - schemaOf(a)).slice(KEPT)) rmSync(join(folder, name))
}

/**
 * Makes a backup before the migration: one file for each schema version, overwritten at each try, so that a start
 * that fails repeatedly does not fill the disk.
 */
function copyBefore(client: Database.Database, file: string, version: number): void {
  const folder = join(dirname(file), 'backups')
  const copy = join(folder, `before-schema-${version}.db`)
  const temporary = `${copy}.new`
  try {
    makeFolder(folder)
    rmSync(temporary, { force: true })
    createPrivate(temporary)
    client.prepare('vacuum into ?').run(temporary)
    renameSync(temporary, copy)
    syncFolder(folder)
    forgetOld(folder)
  } catch (e) {
    if (existsSync(temporary)) rmSync(temporary)
    throw new StoreError(
      70,
      `The database could not be copied to ${folder} before its update and is unchanged: ${reason(e)}. Make room there, then start again.`,
      e,
    )
  }
}

/** Runs inside the transaction. @throws when a row or a reference would be lost */
function apply(client: Database.Database, pending: Target['migrations'], target: Target): void {
  // Drop the triggers first: a table that is rebuilt must neither fire them nor fail because one names it.
  for (const name of column(client, "select name from sqlite_master where type = 'trigger'"))
    client.exec(`drop trigger "${name}"`)
  for (const name of column(client, "select name from sqlite_master where type = 'view'"))
    client.exec(`drop view "${name}"`)
  const rowsBefore = new Map(tables(client).map((t) => [t, count(client, t)]))
  for (const m of pending) client.exec(m.sql)
  client.exec(target.triggers)
  target.fill?.(client)
  const now = new Set(tables(client))
  for (const [table, rows] of rowsBefore) {
    // A migration that means to remove rows says so in a comment.
    if (pending.some((m) => m.sql.includes(`-- changes: ${table}\n`))) continue
    if (!now.has(table) || count(client, table) !== rows) throw new Error(`rows of ${table} would be lost`)
  }
  const dangling = client.pragma('foreign_key_check') as { table: string }[]
  if (dangling[0]) throw new Error(`rows of ${dangling[0].table} would refer to rows that are gone`)
}

const DIGESTS = 'migrations'
/** The setting with the version of the Loyer that brought the schema to where it is. */
const BY = 'migrated_by'
/** The SHA-256 of each migration's text, in hex, in order. */
const digestsOf = (migrations: Target['migrations']): string[] =>
  migrations.map(({ sql }) => hash('sha256', sql, 'hex'))
const hasSettings = (client: Database.Database): boolean => tables(client).includes('setting')

/** The digests of the migrations that this database went through; none if they were never recorded. */
function notedDigests(client: Database.Database): readonly string[] {
  if (!hasSettings(client)) return []
  const stored = client.prepare('select value from setting where key = ?').pluck().get(DIGESTS)
  return typeof stored === 'string' ? stored.split(' ') : []
}

function noteDigests(client: Database.Database, migrations: Target['migrations']): void {
  if (!hasSettings(client)) return
  const value = digestsOf(migrations).join(' ')
  const put = client.prepare('insert or replace into setting(key, value) values(?, ?)')
  put.run(DIGESTS, value)
  put.run(BY, manifest.version)
}

/** Refuses a migration that was edited after it was applied: the schema is not the one that this program expects. */
function refuseChanged(noted: readonly string[], migrations: Target['migrations']): void {
  const own = digestsOf(migrations)
  const n = noted.findIndex((digest, i) => own[i] !== undefined && own[i] !== digest)
  if (n >= 0)
    throw new StoreError(
      65,
      `The database went through another step ${migrations[n]?.name ?? n + 1} than the one that this Loyer knows, and is unchanged. Start the Loyer that last ran on it, or restore a backup made by this one.`,
    )
}

/**
 * Migrates the database to this program's schema: a backup first, then all pending files in one transaction. Foreign
 * keys are switched off outside of it, because the pragma has no effect inside and a table rebuild would delete child
 * rows. It fails as a whole if a row is lost or a reference dangles.
 */
export function migrate(client: Database.Database, file: string, target: Target = current): void {
  const from = client.pragma('user_version', { simple: true }) as number
  const to = target.migrations.length
  refuseNewer(client, to)
  const noted = notedDigests(client)
  refuseChanged(noted.slice(0, from), target.migrations)
  const pending = target.migrations.slice(from)
  if (pending.length === 0 && hasTriggers(client, target.triggers)) {
    try {
      if (noted.length < to) noteDigests(client, target.migrations)
    } catch (e) {
      // The disk is full: the next start tries again.
      if (!isStorageFailure(e)) throw e
    }
    return
  }
  if (pending.length > 0 && from > 0 && file !== ':memory:') copyBefore(client, file, to)
  client.pragma('foreign_keys = OFF')
  // Tables that a full-text index keeps itself in cannot be dropped otherwise.
  client.unsafeMode(true)
  try {
    client.exec('BEGIN EXCLUSIVE')
    apply(client, pending, target)
    noteDigests(client, target.migrations)
    client.pragma(`application_id = ${APPLICATION_ID}`)
    client.pragma(`user_version = ${to}`)
    client.exec('COMMIT')
  } catch (e) {
    if (client.inTransaction) client.exec('ROLLBACK')
    // openStore says what to do about damage.
    if (isDamage(e)) throw e
    throw new StoreError(70, `The database could not be brought up to date and is unchanged: ${reason(e)}.`, e)
  } finally {
    client.unsafeMode(false)
    client.pragma('foreign_keys = ON')
  }
}
