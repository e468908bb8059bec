import { migrations } from '../migrations.ts'
import { readOnly } from '../snapshot.ts'
import { checkLedger } from './invariants.ts'

/** What was compared, and what is wrong. */
export type BooksChecked = {
  readonly wrong: readonly string[]
  readonly invoices: number
  readonly payments: number
  readonly leases: number
}

/**
 * Checks the journal of a database's money against its tables, at one moment of a service that may go on meanwhile.
 * @returns undefined for a database that this program would migrate first
 */
export function checkBooks(file: string): BooksChecked | undefined {
  const tables = readOnly(file).$client
  try {
    if (tables.pragma('user_version', { simple: true }) !== migrations.length) return undefined
    tables.exec('BEGIN')
    const count = (of: string): number => tables.prepare(`SELECT count(*) FROM ${of}`).pluck().get() as number
    const [invoices, payments, leases] = [count('invoice'), count('payment'), count('booking')]
    return { wrong: checkLedger(tables), invoices, payments, leases }
  } finally {
    tables.close()
  }
}
