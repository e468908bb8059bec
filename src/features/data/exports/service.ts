import { createHash } from 'node:crypto'
import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { ArchiveFile } from '../../../adapters/archive/port.ts'
import { record, update } from '../../../changes/record.ts'
import { type Caller, type Ctx, systemCtx } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound, refused } from '../../../errors.ts'
import type { Clock } from '../../../time.ts'
import { isTraced } from '../../papers/media/rules.ts'
import { findMedia } from '../../papers/media/store.ts'
import { findOrganization, operatorOrganization } from '../../people/organizations/store.ts'
import { findUser, isLimitedSince } from '../../people/users/store.ts'
import { type Holder, heldRows, holdsTable } from './contents.ts'
import { CHECKSUMS, FILES, FORMAT, type Manifest, SEALED, widest } from './rules.ts'
import {
  type ExportRow,
  findExport,
  forgetExports,
  hasOpenExport,
  insertExport,
  SHAPE,
  saveExport,
  type TransferTable,
  transferTables,
} from './store.ts'

/** A refusal that people at the server read, in both languages. */
export const refuse = (en: string, fr: string): AppError => new AppError('invalid_state', { en, fr })

/** The caller's own export; callers who see the whole organization see all of its exports. */
export function getExport(db: Db, { orgId, userId, scope }: Caller, id: string): ExportRow | undefined {
  const row = findExport(db, orgId, id)
  return row && (scope.kind === 'all' || row.createdBy === userId) ? row : undefined
}

/** Queues an export: one at a time a person, so that nobody holds up the others. @throws already_running */
export function createExport(ctx: Ctx): ExportRow {
  const { orgId, userId } = ctx.caller
  if (hasOpenExport(ctx.tx, { orgId, userId })) throw new AppError('already_running')
  const row: ExportRow = {
    id: ctx.newId(),
    orgId,
    createdBy: userId,
    status: 'QUEUED',
    sha256: null,
    sizeBytes: null,
    attempts: 0,
    createdAt: ctx.now,
    finishedAt: null,
    purgeAt: null,
    madeAs: null,
    updatedAt: ctx.now,
    version: 1,
  }
  insertExport(ctx.tx, row)
  forgetExports(ctx.tx, orgId)
  record(ctx, 'export.create', { type: 'export', after: row })
  return row
}

/** `held`: the contents of a finished export, for the audit entry. */
export function changeExport(
  ctx: Ctx,
  before: ExportRow,
  changes: Partial<ExportRow>,
  held?: Readonly<Record<string, string | number>>,
): ExportRow {
  const after = update(ctx, saveExport, before, changes)
  if (after.finishedAt !== null && before.finishedAt === null)
    record(ctx, 'export.finish', { type: 'export', before, after, ...(held && { details: held }) })
  return after
}

/**
 * The export to make a download link for, only for its maker while they still have the role it was made for; every
 * link is audited. @throws not_found, forbidden, invalid_state
 */
export function exportToDownload(ctx: Ctx, id: string): ExportRow {
  const row = getExport(ctx.tx, ctx.caller, id)
  if (!row) throw notFound()
  const { userId, roles } = ctx.caller
  if (row.createdBy !== userId) throw new AppError('forbidden')
  if (row.status !== 'SUCCEEDED') throw refused(row.status, [])
  if (row.madeAs !== widest(roles) || isLimitedSince(ctx.tx, findUser(ctx.tx, row.orgId, userId), row.createdAt))
    throw new AppError('forbidden', {
      en: 'Your role has changed since this export was made. Make a new one.',
      fr: 'Votre rôle a changé depuis cet export : faites-en un nouveau.',
    })
  record(ctx, 'export.download', { type: 'export', after: row })
  return row
}

export type Packer = Pick<Deps, 'blobs' | 'documents' | 'zip' | 'tables'> & { readonly clock: Pick<Clock, 'now'> }
/** Tables that people open as spreadsheets. */
const SHEETS: readonly TransferTable[] = ['property', 'unit', 'tenant', 'booking', 'invoice', 'payment']

async function* jsonOf(db: Db, table: TransferTable, holder: Holder, rest: Rest): AsyncGenerator<string> {
  yield '['
  let first = true
  for await (const rows of heldRows(db, table, holder, rest)) {
    yield `${first ? '\n' : ',\n'}${rows.map((row) => JSON.stringify(row)).join(',\n')}`
    first = false
  }
  yield '\n]\n'
}

async function* csvOf(deps: Packer, db: Db, table: TransferTable, holder: Holder, rest: Rest): AsyncGenerator<string> {
  let columns: { heading: string; kind: 'text' }[] | undefined
  for await (const rows of heldRows(db, table, holder, rest)) {
    const head = columns === undefined
    columns ??= Object.keys(rows[0] ?? {}).map((heading) => ({ heading, kind: 'text' }))
    const cells = rows.map((row) => Object.values(row).map((v) => v ?? undefined))
    const lines = deps.tables.csv({ name: table, columns, rows: cells }, 'en', rest)
    if (!head) await lines.next()
    yield* lines
  }
}

/** Counts what the API gives only file by file, with an audit entry each. */
export type Tally = { files: number; papersOfOthers: number }

/** What the archive of an organization that moves has besides: see `SEALED`. */
export type Moving = { readonly opens: string; readonly sealed: string }
type Packing = {
  readonly holder: Holder
  readonly tally: Tally
  readonly rest: Rest
  readonly moving?: Moving | undefined
}

async function* filesOf(deps: Packer, db: Db, { holder, tally, rest, moving }: Packing): AsyncGenerator<ArchiveFile> {
  const tables = transferTables.filter((table) => holdsTable(holder, table))
  const manifest: Manifest = {
    format: FORMAT,
    shape: SHAPE,
    organizationId: holder.org,
    scope: tables.length === transferTables.length ? 'organization' : 'part',
    exportedAt: new Date(deps.clock.now()).toISOString(),
    ...(moving && { opens: moving.opens }),
  }
  yield { name: 'manifest.json', content: JSON.stringify(manifest, null, 2) }
  if (moving) yield { name: SEALED, content: moving.sealed }
  for (const table of tables) {
    yield { name: `data/${table}.json`, content: jsonOf(db, table, holder, rest) }
    if (SHEETS.includes(table)) yield { name: `csv/${table}.csv`, content: csvOf(deps, db, table, holder, rest) }
  }
  for (const table of tables) {
    const stored = FILES[table]
    if (!stored) continue
    for await (const rows of heldRows(db, table, holder, rest))
      for (const row of rows.filter(({ sha256 }) => sha256 !== null)) {
        if (table === 'media_object' && isOthers(db, holder, String(row.id))) tally.papersOfOthers += 1
        for (const name of stored.of(row)) {
          const file = await deps[stored.store].open(name)
          if (!file) continue
          tally.files += 1
          yield { name: `files/${table}/${name}`, content: [await file.bytes()], stored: true }
        }
      }
  }
}

function isOthers(db: Db, { org, caller }: Holder, id: string): boolean {
  const row = findMedia(db, org, id)
  return row !== undefined && row.ownerUserId !== caller?.userId && (!caller || isTraced(row, caller.userId))
}

/** Adds the checksums of all files at the end, so that a truncated or altered archive is detected. */
async function* withChecksums(files: AsyncIterable<ArchiveFile>): AsyncGenerator<ArchiveFile> {
  const sums: Record<string, string> = {}
  for await (const { name, content, stored } of files) {
    const hash = createHash('sha256')
    async function* heard() {
      for await (const piece of typeof content === 'string' || content instanceof Uint8Array ? [content] : content) {
        hash.update(piece)
        yield piece
      }
      sums[name] = hash.digest('hex')
    }
    yield { name, content: heard(), ...(stored && { stored }) }
  }
  yield { name: CHECKSUMS, content: JSON.stringify(sums, null, 1) }
}

/** Streams an export as an archive; `tally` counts what it contains. */
export const packed = (deps: Packer, db: Db, packing: Packing) =>
  deps.zip(withChecksums(filesOf(deps, db, packing)), new Date(deps.clock.now()))

/**
 * Exports the whole organization for the operator on the server (`loyer export`), people's papers included, to move it
 * to another server. `save` stores the archive; `by` is the person at the server, for the audit entry. @throws
 * invalid_state
 */
export async function exportAll(
  deps: Packer & Pick<Deps, 'db' | 'store' | 'write' | 'newId'>,
  {
    org,
    by,
    save,
  }: { org: string | undefined; by: string; save: (archive: ReadableStream<Uint8Array>) => Promise<void> },
): Promise<Tally & { organizationId: string }> {
  const organizationId = (org === undefined ? operatorOrganization(deps.db) : findOrganization(deps.db, org))?.id
  if (organizationId === undefined)
    throw new AppError('invalid_state', {
      en: 'This organization does not exist on this server.',
      fr: 'Cette organisation ne se trouve pas ici.',
    })
  const tally = { files: 0, papersOfOthers: 0 }
  await deps.store.snapshot((db, rest) => save(packed(deps, db, { holder: { org: organizationId }, tally, rest })))
  await deps.write(organizationId, (tx) =>
    record(systemCtx(deps, tx, organizationId, `operator-${deps.newId()}`), 'organization.export', {
      type: 'organization',
      after: { id: organizationId },
      details: { by, ...tally },
    }),
  )
  return { organizationId, ...tally }
}
