import { createHash, hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '../../../../db/open.ts'
import { readSetting, writeSetting } from '../../../../db/settings.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import { checkPerson, RowProblem } from '../../../../db/transfer/checks.ts'
import { readMove, writeMove } from '../../../../db/transfer/moves.ts'
import {
  type Incoming,
  organizationThere,
  restoreRows,
  SHAPE,
  transferTables,
} from '../../../../db/transfer/transfer.ts'
import type { ArchiveEntry, Readable } from '../../../adapters/archive/port.ts'
import { record } from '../../../changes/record.ts'
import { type Caller, scopeOf, systemCtx } from '../../../context.ts'
import { isUuid } from '../../../core/id.ts'
import { isRole } from '../../../core/roles.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { operatorOrganization } from '../../people/organizations/store.ts'
import { findUser, propertiesOf } from '../../people/users/store.ts'
import {
  CHECKSUMS,
  FILES,
  FORMAT,
  fileName,
  KEPT_MS,
  LIMITS,
  MAX_ATTEMPTS,
  MAX_BYTES,
  type Manifest,
  SEALED,
  widest,
} from './rules.ts'
import { changeExport, type Packer, packed, refuse, type Tally } from './service.ts'
import { type ExportRow, findExport, nextExport, oldExports, writeArrival } from './store.ts'

type Runner = Pick<
  Deps,
  'db' | 'write' | 'clock' | 'newId' | 'log' | 'blobs' | 'documents' | 'zip' | 'tables' | 'longReads' | 'stopping'
>

/** Makes the waiting exports one after another, and deletes old ones. @returns how many were made */
export async function runExports(deps: Runner): Promise<number> {
  for (const { id, orgId } of oldExports(deps.db).all({ now: deps.clock.wall() })) {
    const row = findExport(deps.db, orgId, id)
    await deps.blobs.remove(id)
    if (row)
      await deps.write(orgId, (tx) =>
        changeExport(systemCtx(deps, tx, orgId, `export-${id}`), row, {
          status: 'EXPIRED',
          sha256: null,
          purgeAt: null,
        }),
      )
  }
  for (let done = 0; ; done++) {
    const next = deps.stopping.aborted ? undefined : nextExport(deps.db).get({})
    if (!next) return done
    const change = (row: ExportRow, changes: Partial<ExportRow>, held?: Parameters<typeof changeExport>[3]) =>
      deps.write(next.orgId, (tx) =>
        changeExport(systemCtx(deps, tx, next.orgId, `export-${next.id}`), row, changes, held),
      )
    const queued = findExport(deps.db, next.orgId, next.id)
    if (!queued) return done
    const row = await change(queued, { status: 'RUNNING', attempts: queued.attempts + 1 })
    const finishedAt = new Date(deps.clock.now()).toISOString()
    try {
      if (row.attempts > MAX_ATTEMPTS) throw new AppError('internal')
      const { sha256, sizeBytes, madeAs, tally } = await make(deps, row)
      const done = { status: 'SUCCEEDED', sha256, sizeBytes, madeAs, finishedAt } as const
      await change(row, { ...done, purgeAt: deps.clock.wall() + KEPT_MS }, { madeAs, ...tally })
    } catch (e) {
      if (deps.stopping.aborted) {
        await change(row, { status: 'QUEUED', attempts: queued.attempts })
        return done
      }
      deps.log.error('export.failed', e, { exportId: row.id })
      await change(row, { status: 'FAILED', finishedAt })
    }
  }
}

async function make(deps: Runner, { id, orgId, createdBy }: ExportRow) {
  const user = findUser(deps.db, orgId, createdBy)
  const roles = (user?.roles ?? []).filter(isRole)
  const madeAs = widest(roles)
  if (user?.status !== 'ACTIVE' || !madeAs) throw new AppError('forbidden')
  const caller = { userId: createdBy, orgId, roles, scope: scopeOf(createdBy, roles, propertiesOf(deps.db, user)) }
  const task: ExportTask = { id, caller, nowMs: deps.clock.now() }
  const file = await deps.longReads.run(
    { kind: 'export', task },
    (db, rest) => makeExport(deps, db, task, rest),
    deps.stopping,
  )
  return { ...file, madeAs }
}

export type ExportTask = { readonly id: string; readonly caller: Caller; readonly nowMs: number }
type ExportFile = { readonly sha256: string; readonly sizeBytes: number; readonly tally: Tally }

/** Writes the file of an export. `rest` throws when it is given up. @throws storage_unavailable */
export async function makeExport(
  deps: Omit<Packer, 'clock'>,
  db: Db,
  { id, caller, nowMs }: ExportTask,
  rest: Rest,
): Promise<ExportFile> {
  const tally = { files: 0, papersOfOthers: 0 }
  const archive = packed({ ...deps, clock: { now: () => nowMs } }, db, {
    holder: { org: caller.orgId, caller },
    tally,
    rest,
  })
  async function* pieces() {
    for await (const piece of archive) {
      await rest()
      yield piece
    }
  }
  const { sha256, sizeBytes, keep } = await deps.blobs.receive(pieces(), Number.POSITIVE_INFINITY)
  await keep(fileName(id, sha256))
  return { sha256, sizeBytes, tally }
}

type Work = Pick<Deps, 'db' | 'write' | 'blobs' | 'documents' | 'clock' | 'unzip' | 'newId'>
type Brought = {
  readonly organizationId: string
  readonly rows: number
  readonly files: number
  readonly sha256: string
  /** Whether it waits for the other service to let go. */
  readonly closed: boolean
}

const damaged = (cause?: unknown) =>
  new AppError(
    'invalid_state',
    {
      en: 'This export is damaged or was changed. Nothing was imported. Download it again.',
      fr: 'Cet export est abîmé ou a été modifié : rien n’a été importé. Téléchargez-le de nouveau.',
    },
    {},
    cause,
  )
/** Turns a problem in a row into a refusal that names the row; any other error stays as it is. */
const asRefusal = (e: unknown): unknown => {
  if (e instanceof RowProblem) {
    const row = e.id ? `${e.table} ${e.id}` : e.table
    return refuse(
      `Nothing came in: in the export, ${row} ${e.en}.`,
      `Rien n’a été importé : dans l’export, ${row} ${e.fr}.`,
    )
  }
  return e
}

/** The bytes of an entry, up to `limit`, verified against the checksum. */
function bytesOf(entry: ArchiveEntry, limit: number, sum?: string): Uint8Array {
  if (entry.sizeBytes > limit) throw damaged()
  try {
    const bytes = Buffer.concat([...entry.pieces()])
    if (sum !== undefined && hash('sha256', bytes, 'hex') !== sum) throw damaged()
    return bytes
  } catch (e) {
    throw e instanceof AppError ? e : damaged(e)
  }
}

function parseJson(bytes: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString())
  } catch (e) {
    throw damaged(e)
  }
}

/** Verifies an entry's checksum before it is used. */
function checkSum(entry: ArchiveEntry, sum: string | undefined): void {
  const hash = createHash('sha256')
  try {
    for (const piece of entry.pieces()) hash.update(piece)
  } catch (e) {
    throw damaged(e)
  }
  if (hash.digest('hex') !== sum) throw damaged()
}

/** The rows of a table, written by an export one per line between brackets; only one is in memory at a time. */
function* rowsOf(entry: ArchiveEntry): Generator<unknown> {
  const decoder = new TextDecoder()
  let rest = ''
  const one = (line: string): unknown[] =>
    line === '[' || line === ']' || line === '' ? [] : [parseJson(line.endsWith(',') ? line.slice(0, -1) : line)]
  for (const piece of entry.pieces()) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_BYTES.row) throw damaged()
    for (const line of lines) yield* one(line)
  }
  yield* one(rest + decoder.decode())
}

const TABLE_PATH = /^data\/(\w+)\.json$/
const SHEET_PATH = /^csv\/\w+\.csv$/
const FILE_PATH =
  /^files\/(document|media_object|letter)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{64})(\.(?:320|800))?$/

type Opened = {
  readonly manifest: Manifest
  readonly sums: Readonly<Record<string, string>>
  readonly entries: ReadonlyMap<string, ArchiveEntry>
  readonly sha256: string
}
/** The entries of an archive by name, checked: none missing, none unexpected. */
async function opened({ db, unzip }: Work, archive: Readable): Promise<Opened> {
  const hash = createHash('sha256')
  for (let at = 0; at < archive.size; at += 1024 * 1024) hash.update(archive.read(at, at + 1024 * 1024))
  const list = await unzip(archive, LIMITS).catch((e: unknown) => {
    throw damaged(e)
  })
  const entries = new Map(list.map((entry) => [entry.name, entry]))
  const [first, last] = [entries.get('manifest.json'), entries.get(CHECKSUMS)]
  if (!first) throw refuse('This is no export of Loyer.', 'Ce n’est pas un export de Loyer.')
  const manifest = check(db, parseJson(bytesOf(first, MAX_BYTES.row)))
  const sums = last ? parseJson(bytesOf(last, MAX_BYTES.sums)) : undefined
  entries.delete(CHECKSUMS)
  if (!isSums(sums) || !isDeepStrictEqual([...entries.keys()].toSorted(), Object.keys(sums).toSorted())) throw damaged()
  for (const name of entries.keys()) {
    const table = TABLE_PATH.exec(name)?.[1]
    const known = table === undefined ? SHEET_PATH.test(name) || FILE_PATH.test(name) : isTable(table)
    const isSealed = name === SEALED && manifest.opens !== undefined
    if (!known && !isSealed && name !== 'manifest.json')
      throw refuse(
        `Nothing came in: an export has no file called ${JSON.stringify(name.slice(0, 120))}.`,
        `Rien n’a été importé : un export n’a pas de fichier ${JSON.stringify(name.slice(0, 120))}.`,
      )
  }
  for (const table of transferTables) if (!entries.has(`data/${table}.json`)) throw damaged()
  // Stored files are checked as they are read.
  for (const entry of entries.values()) if (!FILE_PATH.test(entry.name)) checkSum(entry, sums[entry.name])
  return { manifest, sums, entries, sha256: hash.digest('hex') }
}
const isTable = (name: string): boolean => transferTables.some((table) => table === name)
const isSums = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((sum) => typeof sum === 'string')

function check(db: Db, content: unknown): Manifest {
  const manifest = content as Partial<Manifest> | null
  if (manifest?.format !== FORMAT) throw refuse('This is no export of Loyer.', 'Ce n’est pas un export de Loyer.')
  if (manifest.scope !== 'organization')
    throw refuse(
      "This export holds one person's part of an organization: it is for reading. An ADMIN's can be brought in.",
      'Cet export ne contient que la part d’une personne : il se lit. Celui d’un ADMIN peut être importé.',
    )
  if (manifest.shape !== SHAPE) {
    // Whoever made the file wrote it, and a terminal would obey its control characters.
    const shape = JSON.stringify(String(manifest.shape).slice(0, 60))
    throw refuse(
      `This export is of another version of Loyer (${shape}; here ${SHAPE}). Use the same version.`,
      `Cet export vient d’une autre version de Loyer (${shape} ; ici ${SHAPE}). Utilisez la même version.`,
    )
  }
  const { organizationId = '', exportedAt = '', opens } = manifest
  if (!isUuid(organizationId) || Number.isNaN(Date.parse(exportedAt))) throw damaged()
  if (opens !== undefined && !/^[0-9a-f]{64}$/.test(opens)) throw damaged()
  const move = readMove(db, organizationId)
  if (move?.state === 'ARRIVED' && move.opens !== opens)
    throw refuse(
      'This organization has come here already, by another export, and is closed. Undo that import first: loyer import --undo ID.',
      'Cette organisation est déjà arrivée ici par un autre export et reste fermée. Annulez d’abord cet import : loyer import --undo ID.',
    )
  if (move?.state === 'MOVED')
    throw refuse(
      'This organization has moved away from here, and its old copy is still here. Remove that first: loyer export --organization ID --forget.',
      'Cette organisation a quitté ce serveur et son ancienne copie s’y trouve encore. Supprimez-la d’abord : loyer export --organization ID --forget.',
    )
  if (move?.state !== 'ARRIVED' && organizationThere(db, organizationId))
    throw refuse('This organization is there already.', 'Cette organisation existe déjà ici.')
  return { format: FORMAT, shape: SHAPE, scope: 'organization', organizationId, exportedAt, ...(opens && { opens }) }
}

type Part = { readonly table: string; readonly id: string; readonly sha256: string; readonly name: string }
const partsOf = (entries: Opened['entries']): Part[] =>
  [...entries.keys()].flatMap((path) => {
    const [, table = '', id = '', sha256 = '', size = ''] = FILE_PATH.exec(path) ?? []
    return table === '' ? [] : [{ table, id, sha256, name: `${id}.${sha256}${size}` }]
  })

/** Names of files being imported, and of which archive; once the import is done, rows refer to them. */
const UNDER_WAY = 'import.files'
type UnderWay = { readonly sha256: string; readonly parts: readonly Part[] }
const underWay = (db: Db): UnderWay | undefined => {
  const setting = readSetting(db, UNDER_WAY)
  return setting === undefined || setting === '' ? undefined : (JSON.parse(setting) as UnderWay)
}
/**
 * Removes the files of an import whose process was killed before its rows were committed. Call it only when no import
 * can be running. @returns how many
 */
export async function forgetHalfImport(deps: Pick<Deps, 'db' | 'write' | 'blobs' | 'documents'>): Promise<number> {
  const { parts } = underWay(deps.db) ?? { parts: [] }
  if (parts.length === 0) return 0
  for (const { table, id, name } of parts) await deps[FILES[table]?.store ?? 'blobs'].remove(id, (n) => n === name)
  await deps.write(null, (tx) => writeSetting(tx, UNDER_WAY, ''))
  return parts.length
}

/**
 * Imports an export of a whole organization into a database that lacks it: every row under its own id, and the files,
 * all or nothing. Killed, it goes on with the files that it has when the same archive is given again. One that moves for
 * good stays closed until it is opened (moves.ts); given again, it is answered as it was. The trails of that organization
 * and of the operator's record it; `by` is the person at the server. The first organization of a server becomes the
 * operator's, which `operator` must confirm.
 * @throws invalid_state with a sentence
 */
export async function restoreExport(
  deps: Work,
  archive: Readable,
  { by, operator = false }: { readonly by: string; readonly operator?: boolean },
): Promise<Brought> {
  const { manifest, sums, entries, sha256 } = await opened(deps, archive)
  const { opens } = manifest
  if (underWay(deps.db)?.sha256 !== sha256) await forgetHalfImport(deps)
  const org = manifest.organizationId
  const parts = partsOf(entries)
  const files = parts.length
  // Come already, by this very file or another of the same move.
  if (readMove(deps.db, org)) return { organizationId: org, rows: 0, files, sha256, closed: true }
  const there = operatorOrganization(deps.db)
  if (!there && !operator)
    throw refuse(
      "This server has no organization yet, and the first one is the operator's: its ADMIN reads /metrics, and whoever registers uninvited joins it. Say --operator if this one shall be that, or make yours first with loyer user create.",
      'Ce serveur n’a pas encore d’organisation, et la première est celle de l’exploitant. Ajoutez --operator si celle-ci doit l’être, ou créez d’abord la vôtre avec loyer user create.',
    )
  if (there && operator)
    throw refuse(
      "This server has the operator's organization already: leave --operator out.",
      'Ce serveur a déjà l’organisation de l’exploitant : retirez --operator.',
    )
  checkPeople(deps, org, entries)
  const registered = new Set(underWay(deps.db)?.parts.map(({ name }) => name))
  for (const part of parts) if (!registered.has(part.name)) await checkNew(deps, part)
  const sealed = opens === undefined ? undefined : sealedIn(entries, sums)
  try {
    await deps.write(null, (tx) => writeSetting(tx, UNDER_WAY, JSON.stringify({ sha256, parts } satisfies UnderWay)))
    for (const { table, name, sha256: whole } of parts) {
      const entry = entries.get(`files/${table}/${name}`)
      if (!entry) throw damaged()
      if (registered.has(name) && (await isWhole(deps, table, name, sums[entry.name]))) continue
      const bytes = bytesOf(entry, MAX_BYTES.file, sums[entry.name])
      const received = await deps[FILES[table]?.store ?? 'blobs'].receive(bytes, MAX_BYTES.file)
      // A thumbnail is named after its photo.
      if (name.endsWith(whole) && received.sha256 !== whole) {
        await received.drop()
        throw damaged()
      }
      await received.keep(name)
    }
    const rows = await deps.write(null, (tx) => {
      const incoming = transferTables.map((table): Incoming => {
        const entry = entries.get(`data/${table}.json`)
        return { table, rows: entry ? rowsOf(entry) : [] }
      })
      const now = new Date(deps.clock.wall()).toISOString()
      const count = restoreRows(tx, org, incoming, { now, moving: sealed !== undefined })
      for (const part of parts) checkOwned(tx, org, part)
      const exportedAt = manifest.exportedAt
      for (const orgId of new Set([org, there?.id ?? org]))
        record(systemCtx(deps, tx, orgId, `operator-${deps.newId()}`), 'organization.import', {
          type: 'organization',
          after: { id: org },
          details: { by, sha256, rows: count, files, exportedAt },
        })
      // The service knows its lists by this.
      if (there) tx.$client.prepare('update organization set version = version + 1 where id = ?').run(there.id)
      if (sealed !== undefined && opens !== undefined) {
        writeArrival(tx, org, sealed)
        writeMove(tx, org, { state: 'ARRIVED', since: now, sha256, opens })
      }
      writeSetting(tx, UNDER_WAY, '')
      return count
    })
    return { organizationId: org, rows, files, sha256, closed: sealed !== undefined }
  } catch (e) {
    await forgetHalfImport(deps)
    throw asRefusal(e)
  }
}

/** The sealed part of an organization that moves, which nobody can read before it is opened. */
function sealedIn(entries: Opened['entries'], sums: Opened['sums']): string {
  const entry = entries.get(SEALED)
  if (!entry) throw damaged()
  return Buffer.from(bytesOf(entry, MAX_BYTES.sealed, sums[SEALED])).toString()
}

/** Refuses people whose number somebody else has here, before anything comes in. */
function checkPeople({ db }: Work, org: string, entries: Opened['entries']): void {
  try {
    for (const table of ['app_user', 'tenant'] as const) {
      const entry = entries.get(`data/${table}.json`)
      for (const row of entry ? rowsOf(entry) : []) checkPerson(db, org, table, row)
    }
  } catch (e) {
    throw asRefusal(e)
  }
}

/** Whether a file that an import cut off has left is that of the archive. */
async function isWhole(deps: Work, table: string, name: string, sum: string | undefined): Promise<boolean> {
  const file = await deps[FILES[table]?.store ?? 'blobs'].open(name)
  return file !== undefined && hash('sha256', await file.bytes(), 'hex') === sum
}

/** Refuses a file that would overwrite an existing one of the same name. */
async function checkNew(deps: Work, { table, id, name }: Part): Promise<void> {
  const file = await deps[FILES[table]?.store ?? 'blobs'].open(name)
  await file?.close()
  const row = deps.db.$client.prepare(`select 1 from ${table} where id = ?`).get(id)
  if (file || row)
    throw asRefusal(new RowProblem(table, id, 'is here already, with its file', 'existe déjà ici, avec son fichier'))
}

function checkOwned(tx: Tx, org: string, { table, id, sha256 }: Part): void {
  const row = tx.$client
    .prepare(`select 1 from ${table} where id = ? and org_id = ? and sha256 = ?`)
    .get(id, org, sha256)
  if (row === undefined)
    throw new RowProblem(
      table,
      id,
      'has a file, but no row that names it',
      'a un fichier, mais aucune ligne ne le cite',
    )
}
