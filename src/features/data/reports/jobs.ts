import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { OwnerStatementData, ReportData } from '../../../adapters/pdf/port.ts'
import type { Tables } from '../../../adapters/tables/port.ts'
import type { Accepted } from '../../../core/encodings.ts'
import { type Gathered, gathered, gatheredSheet } from '../../../http/compression.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import type { Parts, ReportRequest } from './figures.ts'
import type { PaperWords } from './owner-account.ts'
import { isProvisional, type ReportName } from './rules.ts'
import { ending, jsonOf, ownerPaper, readReport, reportPaper, sheetOf } from './service.ts'

export type ReportTask = {
  readonly name: ReportName
  readonly request: ReportRequest
  readonly format: 'json' | 'csv' | 'xlsx'
  readonly language: 'fr' | 'en'
  readonly coding: Accepted
  /** Epoch ms, for the parts of a spreadsheet. */
  readonly nowMs: number
}

type Writers = { readonly tables: Tables }

/** Reads a report as its caller may see it, and writes it in the requested format. @throws not_found, overloaded */
export function makeReport(deps: Writers, db: Db, task: ReportTask, pause: Rest): Promise<Gathered> {
  const rest = ending(pause)
  return written(deps, task, readReport(task.name)(db, task.request, rest), rest)
}
/** For a short read on the serving connection: it ends in the turn in which it began, and no write comes in between. */
export const atOnce: Rest = async () => {}
/** The same for a short report, without a thread. @throws not_found */
export async function makeShortReport(deps: Writers, db: Db, task: ReportTask, rest: Rest): Promise<Gathered> {
  return written(deps, task, await Array.fromAsync(readReport(task.name)(db, task.request, atOnce)), rest)
}
function written(
  { tables }: Writers,
  { name, request, format, language, coding, nowMs }: ReportTask,
  parts: Parts,
  rest: Rest,
): Promise<Gathered> {
  if (format === 'json') {
    const { from, to, propertyId, today } = request
    const provisional = isProvisional(name, to, today) || undefined
    return gathered(jsonOf(name, { report: name, from, to, propertyId, provisional, currency: 'XAF' }, parts), coding)
  }
  const sheet = sheetOf(name, parts, language)
  return gatheredSheet(tables, sheet, { format, language, coding, nowMs }, rest)
}

export type PaperTask = Pick<ReportTask, 'name' | 'request'> & {
  readonly org: OrganizationRow
  readonly words: PaperWords
}
/** The data of a report's paper. @throws not_found, validation_failed, overloaded */
export async function paperOf(
  db: Db,
  { name, request, org, words }: PaperTask,
  pause: Rest,
): Promise<OwnerStatementData | ReportData> {
  const rest = ending(pause)
  if (name === 'owner-statement') return ownerPaper(db, request, org, words, rest)
  return reportPaper(name, readReport(name)(db, request, rest), request, org, words)
}
