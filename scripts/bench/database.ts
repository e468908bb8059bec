// The database under test: 1,000,000 invoices of some 20,000 organizations, one with 100,000 and one with 100; and one with 10,000.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { migrations } from '../../db/migrations.ts'
import { openStore } from '../../db/open.ts'
import { indexAll } from '../../db/search-index.ts'
import { triggers } from '../../db/triggers.ts'
import { fill, fillFew } from './fill.ts'

async function generate(file: string, fill: (client: Database.Database) => void): Promise<void> {
  const store = openStore(file)
  const { client } = store
  client.pragma('journal_mode = OFF')
  client.pragma('synchronous = OFF')
  client.pragma('cache_size = -1000000')
  client.pragma('threads = 2')
  // Indexes made at the end take a third of the time.
  const indexes = client.prepare("select name, sql from sqlite_master where type = 'index' and sql is not null").all()
  const ofInvoices = (indexes as { name: string; sql: string }[]).filter(({ sql }) => sql.includes('`invoice`'))
  for (const { name } of ofInvoices) client.exec(`drop index ${name}`)
  client.pragma('foreign_keys = OFF')
  fill(client)
  indexAll(client)
  for (const { sql } of ofInvoices) client.exec(sql)
  await store.close()
}

/** The folders of the generated databases, `many` and `few`, made once for each schema and generator. */
export async function benchData(say: (text: string) => void): Promise<{ many: string; few: string }> {
  const own = ['database.ts', 'fill.ts', 'ids.ts'].map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  const parts = [...migrations.map((m) => m.sql), triggers, ...own]
  const fingerprint = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)
  const root = join(tmpdir(), 'loyer-bench')
  const folder = join(root, fingerprint)
  const folders = { many: join(folder, 'many'), few: join(folder, 'few') }
  if (existsSync(folder)) return folders
  mkdirSync(root, { recursive: true })
  for (const old of readdirSync(root)) rmSync(join(root, old), { recursive: true, force: true })
  const began = performance.now()
  say('Generating 1,000,000 invoices …')
  await generate(join(`${folder}.new`, 'many/loyer.db'), fill)
  await generate(join(`${folder}.new`, 'few/loyer.db'), fillFew)
  renameSync(`${folder}.new`, folder)
  say(`Generated in ${((performance.now() - began) / 1000).toFixed(0)} s: ${folder}`)
  return folders
}
