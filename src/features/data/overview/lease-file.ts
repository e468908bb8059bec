import type { ListQuery } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { ArchiveFile } from '../../../adapters/archive/port.ts'
import type { Cell, CellKind } from '../../../adapters/tables/port.ts'
import { record } from '../../../changes/record.ts'
import type { Caller, Ctx } from '../../../context.ts'
import { HOME_COUNTRY } from '../../../core/countries/countries.ts'
import { localDate, localTime } from '../../../core/dates.ts'
import { turn } from '../../../core/event-loop.ts'
import { safeName } from '../../../core/file-names.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { signedCopyOf } from '../../lease/contracts/store.ts'
import { bookingOf } from '../../lease/leases/service.ts'
import { listRepairs } from '../../lease/repairs/store.ts'
import { listDeposits } from '../../money/deposits/store.ts'
import { listInvoices } from '../../money/invoices/store.ts'
import { listPayments } from '../../money/payments/store.ts'
import { letterFile } from '../../news/reminders/rules.ts'
import { lettersOf, listRentMessages } from '../../news/reminders/store.ts'
import { fileName, filenameOf } from '../../papers/documents/rules.ts'
import { listDocuments } from '../../papers/documents/store.ts'
import { fileName as mediaName } from '../../papers/media/rules.ts'
import { seeMedia, streamFile } from '../../papers/media/service.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { maskedName } from '../../people/tenants/store.ts'
import { TEXTS } from './texts.ts'

type Work = Pick<Deps, 'db' | 'blobs' | 'documents' | 'tables'>
type Words = (typeof TEXTS)['fr']
type Line = readonly Cell[]
const PAGE = 200

type Read<R> = (db: Db, q: ListQuery<'bookingId'>) => { rows: R[]; next?: readonly string[] | undefined }
/** All rows of a list for a lease, read page by page. */
function* all<R>(db: Db, { orgId, id }: BookingRow, read: Read<R>): Generator<R> {
  let after: readonly string[] | undefined
  do {
    const scope = { kind: 'all', userId: '' } as const
    const page = read(db, { orgId, scope, order: 'asc', limit: PAGE, after, values: { bookingId: id } })
    yield* page.rows
    after = page.next
  } while (after)
}

/** Audits that somebody downloaded the file of a lease. @throws not_found */
export function recordFile(ctx: Ctx, id: string): BookingRow {
  const row = bookingOf(ctx, id)
  if (maskedName(ctx.tx, ctx.caller.scope, row) !== undefined) throw notFound()
  record(ctx, 'booking.file', { type: 'lease-file', after: { id } })
  return row
}

/**
 * The files of the archive for a bailiff: contracts, receipts and letters, the account with its running balance, what
 * the tenant was told, and proofs of payment. Each file is opened only when it is streamed.
 */
export async function* leaseFiles(deps: Work, caller: Caller, lease: BookingRow): AsyncGenerator<ArchiveFile> {
  const t = TEXTS[lease.locale]
  const papers: Line[] = []
  yield { name: t.read, content: t.about }
  yield sheet(deps, lease, t.ledger, t.ledgerColumns, LEDGER, ledger(deps.db, lease, t))
  yield sheet(deps, lease, t.messages, t.messageColumns, MESSAGES, rentMessages(deps.db, lease, t))
  const repairs = repairLines(deps.db, lease, t)
  if (repairs.length > 0) yield sheet(deps, lease, t.repairs, t.repairColumns, REPAIRS, repairs)
  for (const row of all(deps.db, lease, listDocuments)) {
    const path = `${t.folders[row.kind]}/${filenameOf(row)}`
    const state = t.states[row.voidReason ?? row.status]
    // Papers with the same number are in order of time; the last one is valid.
    const name = papers.some((p) => p[4] === path) ? path.replace(/\.pdf$/, `-${row.id.slice(-4)}.pdf`) : path
    papers.push([t.kinds[row.kind], row.number, row.issuedOn, state, row.sha256 ? name : undefined, row.sha256])
    if (row.sha256) yield { name, content: streamFile(deps.documents, fileName(row.id, row.sha256)), stored: true }
  }
  const scan = mediaOf(deps.db, caller, signedCopyOf(deps.db, lease.orgId, lease.id)?.mediaObjectId)
  if (scan) {
    const path = `${t.folders.LEASE_CONTRACT}/${t.signedCopy} ${safeName(scan.filename)}`
    papers.push([t.kinds.SIGNED_COPY, undefined, scan.on, t.states.READY, path, scan.sha256])
    yield { name: path, content: streamFile(deps.blobs, scan.name), stored: true }
  }
  for (const row of lettersOf(deps.db, lease.orgId, lease.id)) {
    const { name, filename } = letterFile(row)
    const path = `${t.folders.LETTER}/${filename}`
    const sha256 = row.sha256 ?? undefined
    const [state, file] = sha256 ? [t.states.READY, path] : [t.states.PENDING, undefined]
    papers.push([t.kinds.LETTER, row.number, String(row.data.issuedOn), state, file, sha256])
    if (sha256) yield { name: path, content: streamFile(deps.documents, name), stored: true }
  }
  for (const { proofMediaId, paidOn, reference, status } of all(deps.db, lease, listPayments)) {
    const proof = mediaOf(deps.db, caller, proofMediaId)
    if (!proof) continue
    const path = `${t.folders.PROOF}/${paidOn} ${proof.id.slice(-4)} ${safeName(proof.filename)}`
    // One file may prove several payments.
    const known = papers.some((p) => p[4] === path)
    papers.push([t.kinds.PROOF, reference, paidOn, t.payments[status], path, proof.sha256])
    if (!known) yield { name: path, content: streamFile(deps.blobs, proof.name), stored: true }
  }
  yield sheet(deps, lease, t.papers, t.paperColumns, PAPERS, papers)
}

/** An uploaded file, if it is there and the caller may see it. */
function mediaOf(db: Db, caller: Caller, id: string | undefined) {
  const row = id === undefined ? undefined : seeMedia(db, caller, id)
  if (row?.status !== 'AVAILABLE' || row.sha256 === null) return undefined
  const { filename, sha256 } = row
  return { id: row.id, filename, sha256, name: mediaName(row.id, sha256), on: row.createdAt.slice(0, 10) }
}

const LEDGER: readonly CellKind[] = ['date', 'text', 'text', 'text', 'amount', 'amount', 'amount', 'amount']
const MESSAGES: readonly CellKind[] = ['text', 'text', 'text', 'amount', 'text', 'text']
const REPAIRS: readonly CellKind[] = ['date', 'text', 'text', 'text', 'date', 'date', 'text', 'amount']
const PAPERS: readonly CellKind[] = ['text', 'text', 'date', 'text', 'text', 'text']

function sheet(
  { tables }: Work,
  { locale }: BookingRow,
  name: string,
  headings: readonly string[],
  kinds: readonly CellKind[],
  rows: readonly Line[],
): ArchiveFile {
  const columns = headings.map((heading, i) => ({ heading, kind: kinds[i] ?? 'text' }))
  return { name: `${name}.csv`, content: tables.csv({ name, columns, rows }, locale, turn) }
}

const zoneOf = (db: Db, { orgId }: BookingRow): string => findOrganization(db, orgId)?.timeZone ?? HOME_COUNTRY.timeZone

type Entry = {
  readonly on: string
  readonly what: keyof Words['entries']
  readonly reference?: string | undefined
  readonly label?: string | undefined
  readonly debit?: number
  readonly credit?: number
  readonly held?: number
}

/**
 * Valid invoices, confirmed payments and refunds, with the balance after each; deposits are separate, as they are no
 * payment.
 */
function ledger(db: Db, lease: BookingRow, t: Words): Line[] {
  const zone = zoneOf(db, lease)
  const entries: Entry[] = []
  for (const i of all(db, lease, listInvoices)) {
    if (i.status === 'CANCELLED') continue
    const on = localDate(Date.parse(i.createdAt), zone)
    const label = i.lines.map((line) => line.label).join(', ')
    entries.push({ on, what: 'INVOICE', reference: i.number, label, debit: i.grossAmount })
    if (i.creditedAmount > 0) entries.push({ on, what: 'CREDITED', reference: i.number, credit: i.creditedAmount })
  }
  for (const p of all(db, lease, listPayments)) {
    if (p.status !== 'CONFIRMED') continue
    const money = p.type === 'REFUND' ? { debit: p.amount } : { credit: p.amount }
    entries.push({ on: p.paidOn, what: p.type, reference: p.reference, label: p.method, ...money })
  }
  for (const d of all(db, lease, listDeposits))
    entries.push({ on: d.paidOn, what: d.type, label: d.reason, held: d.heldAmount })
  let due = 0
  return entries
    .sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0))
    .map(({ on, what, reference, label, debit, credit, held }) => {
      due += (debit ?? 0) - (credit ?? 0)
      return [on, t.entries[what], reference, label, debit, credit, due, held]
    })
}

function rentMessages(db: Db, lease: BookingRow, t: Words): Line[] {
  const zone = zoneOf(db, lease)
  const numbers = new Map<string, string>()
  for (const { id, number } of all(db, lease, listInvoices)) numbers.set(id, number)
  return [...all(db, lease, listRentMessages)].map((n) => [
    `${localDate(Date.parse(n.createdAt), zone)} ${localTime(Date.parse(n.createdAt), zone)}`,
    t.steps[n.step],
    numbers.get(n.invoiceId),
    n.amount,
    n.maskedDestination,
    n.sentBy === undefined ? t.byItself : t.byHand,
  ])
}

function repairLines(db: Db, lease: BookingRow, t: Words): Line[] {
  const zone = zoneOf(db, lease)
  return [...all(db, lease, listRepairs)].map((r) => [
    localDate(Date.parse(r.createdAt), zone),
    r.title,
    t.urgencies[r.urgency],
    t.repairStates[r.status],
    r.plannedOn,
    r.doneOn,
    r.refusalReason,
    r.costAmount,
  ])
}

/** `dossier-A1-2026-03-10.zip`, in characters that every header and system accepts. */
export function archiveName(lease: BookingRow, today: string): string {
  const unit = lease.unitLabel
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return [TEXTS[lease.locale].file, unit, today]
    .filter((part) => part !== '')
    .join('-')
    .concat('.zip')
}
