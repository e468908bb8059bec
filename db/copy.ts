import { rmSync } from 'node:fs'
import Database from 'better-sqlite3'
import { createPrivate } from './files.ts'
import { inspect, quickCheck } from './integrity.ts'
import { checkBooks } from './ledger/check.ts'
import { StoreError } from './store-error.ts'

/** What a database holds: its schema, and how many rows the tables have that people count by. */
export type Facts = { readonly schema: number; readonly rows: Readonly<Record<string, number>> }

const COUNTED = {
  organizations: 'organization',
  people: 'app_user',
  properties: 'property',
  leases: 'booking',
  invoices: 'invoice',
  payments: 'payment',
  papers: 'document',
} as const

/**
 * Writes a copy of a database at one moment, while others write to it or while nobody has it open. @throws if `to`
 * exists, the disk is full, or the file is damaged
 */
export function copyDatabase(file: string, to: string): void {
  createPrivate(to)
  const client = new Database(file, { readonly: true, fileMustExist: true })
  try {
    client.pragma('busy_timeout = 5000')
    client.pragma('trusted_schema = OFF')
    client.prepare('vacuum into ?').run(to)
  } catch (e) {
    rmSync(to, { force: true })
    throw e
  } finally {
    client.close()
  }
}

/** Reads what a database holds, without changing it; a table that an old schema lacks is left out. */
export function factsOf(file: string): Facts {
  const client = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const has = client.prepare("select 1 from sqlite_master where type = 'table' and name = ?")
    const rows = Object.entries(COUNTED).flatMap(([word, table]) =>
      has.get(table) ? [[word, client.prepare(`select count(*) from "${table}"`).pluck().get() as number]] : [],
    )
    return { schema: client.pragma('user_version', { simple: true }) as number, rows: Object.fromEntries(rows) }
  } finally {
    client.close()
  }
}

/** The same, and how many disagreements its books have; undefined for a database of another version. */
export type Checked = Facts & { readonly wrong: number | undefined }

/** Opens a database of a backup, checks each page and the books, and reads what it holds. @throws StoreError */
export function checkCopy(file: string): Checked {
  inspect(file)
  const [problem] = quickCheck(file)
  if (problem !== undefined) throw new StoreError(65, `${file} is damaged: ${problem}.`)
  return { ...factsOf(file), wrong: wrongIn(file) }
}

/** A journal that cannot be made counts as one that is wrong: no backup is refused for it, and `loyer check` says why. */
function wrongIn(file: string): number | undefined {
  try {
    return checkBooks(file)?.wrong.length
  } catch {
    return 1
  }
}
