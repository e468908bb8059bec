import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore } from '../../db/open.ts'
import { StoreError } from '../../db/store-error.ts'
import { temporaryFolder } from './folder.ts'

/** One statement that adds 300 rows to `setting`: keys `key <from>` and so on. */
export const fill = (from: number): string =>
  `insert into setting with recursive n(i) as (values(${from}) union all select i + 1 from n where i < ${from + 299})
    select 'key ' || i, hex(zeroblob(40)) from n`

let bytes: Buffer | undefined
/** A database of this program as a file, closed in order, with the first 300 rows. */
export async function goodDatabase(): Promise<Buffer> {
  if (bytes) return bytes
  const store = openStore(join(temporaryFolder(), 'loyer.db'))
  store.client.exec(fill(0))
  await store.close()
  bytes = readFileSync(store.file)
  return bytes
}

/** What a killed process leaves in `file`: the database and its log as they are while it is open. */
export function killed(file: string, from: Buffer, sql: string): void {
  const live = join(temporaryFolder(), 'live.db')
  writeFileSync(live, from)
  const client = new Database(live)
  client.pragma('journal_mode = WAL')
  client.pragma('wal_autocheckpoint = 0')
  client.exec(sql)
  for (const end of ['', '-wal']) copyFileSync(live + end, file + end)
  client.close()
}

/** The StoreError that `work` ends with. */
export function refusal(work: () => unknown): StoreError {
  try {
    work()
  } catch (e) {
    if (e instanceof StoreError) return e
    throw e
  }
  throw new Error('it was not refused')
}
