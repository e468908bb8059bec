import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { Tables } from '../../../adapters/tables/port.ts'
import { type Gathered, gatheredSheet, type SheetFile } from '../../../http/compression.ts'
import type { TrialBalanceRow } from './model.ts'
import { type Days, journalSheet, trialBalanceOf } from './service.ts'

type Of = { readonly orgId: string; readonly days: Days }
export type BalanceTask = Of & { readonly format: 'balance' }
export type JournalTask = Of & SheetFile

/** The trial balance of some days, or their journal as a file. */
export function readBooks(
  { tables }: { readonly tables: Tables },
  db: Db,
  task: BalanceTask | JournalTask,
  rest: Rest,
): Promise<TrialBalanceRow[] | Gathered> {
  const { orgId, days } = task
  if (task.format === 'balance') return trialBalanceOf(db, orgId, days, rest)
  return gatheredSheet(tables, journalSheet(db, orgId, days, task.language, rest), task, rest)
}
