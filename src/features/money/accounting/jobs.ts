import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { Tables } from '../../../adapters/tables/port.ts'
import type { Accepted } from '../../../core/encodings.ts'
import { type Gathered, gathered } from '../../../http/compression.ts'
import type { TrialBalanceRow } from './model.ts'
import { type Days, journalSheet, trialBalanceOf } from './service.ts'

type Of = { readonly orgId: string; readonly days: Days }
export type BalanceTask = Of & { readonly format: 'balance' }
export type JournalTask = Of & {
  readonly format: 'csv' | 'xlsx'
  readonly locale: 'fr' | 'en'
  readonly coding: Accepted
  /** Epoch ms, for the parts of a spreadsheet. */
  readonly nowMs: number
}
const PACKED_ALREADY = { br: false, gzip: false, plain: true }

/** The trial balance of some days, or their journal as a file. */
export function readBooks(
  { tables }: { readonly tables: Tables },
  db: Db,
  task: BalanceTask | JournalTask,
  rest: Rest,
): Promise<TrialBalanceRow[] | Gathered> {
  const { orgId, days } = task
  if (task.format === 'balance') return trialBalanceOf(db, orgId, days, rest)
  const sheet = journalSheet(db, orgId, days, task.locale, rest)
  return task.format === 'csv'
    ? gathered(tables.csv(sheet, task.locale, rest), task.coding)
    : gathered(tables.xlsx(sheet, new Date(task.nowMs), rest), PACKED_ALREADY)
}
