import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../db/open.ts'
import type { Rest } from '../../../db/snapshot.ts'
import {
  organizationThere,
  restoreRows,
  SHAPE,
  type TransferRow,
  type TransferTable,
  transferRows,
  transferTables,
} from '../../../db/transfer.ts'
import type { ArchiveFile, Readable } from '../../adapters/archive/port.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { scopeOf } from '../../http/caller.ts'
import { systemCtx } from '../../jobs/worker.ts'
import { findUser } from '../users/store.ts'
import { CHECKSUMS, FILES, FORMAT, fileName, KEPT_MS, MAX_ATTEMPTS, MAX_TABLE_BYTES, type Manifest } from './rules.ts'
import { changeExport } from './service.ts'
import { type ExportRow, findExport, nextExport, oldExports } from './store.ts'

type Runner = Pick<
  Deps,
  'store' | 'db' | 'write' | 'clock' | 'newId' | 'log' | 'blobs' | 'documents' | 'zip' | 'tables'
>
/** Tables that people open themselves. */
const SHEETS: readonly TransferTable[] = ['property', 'unit', 'tenant', 'booking', 'invoice', 'payment']

type Who = { readonly org: string; readonly user: string; readonly own: boolean }
async function* jsonOf(db: Db, table: TransferTable, who: Who, rest: Rest): AsyncGenerator<string> {
  yield '['
  let first = true
  for await (const rows of transferRows(db, table, who, rest)) {
    yield `${first ? '\n' : ',\n'}${rows.map((row) => JSON.stringify(row)).join(',\n')}`
    first = false
  }
  yield '\n]\n'
}

async function* csvOf(deps: Runner, db: Db, table: TransferTable, who: Who, rest: Rest): AsyncGenerator<Uint8Array> {
  let columns: { heading: string; kind: 'text' }[] | undefined
  for await (const rows of transferRows(db, table, who, rest)) {
    const head = columns === undefined
    columns ??= Object.keys(rows[0] ?? {}).map((heading) => ({ heading, kind: 'text' }))
    const cells = rows.map((row) => Object.values(row).map((v) => v ?? undefined))
    const bytes = await deps.tables.csv({ name: table, columns, rows: cells }, 'en', rest)
    yield head ? bytes : bytes.subarray(bytes.indexOf(10) + 1)
  }
}

async function* filesOf(deps: Runner, db: Db, who: Who, rest: Rest): AsyncGenerator<ArchiveFile> {
  const manifest: Manifest = {
    format: FORMAT,
    shape: SHAPE,
    organizationId: who.org,
    scope: who.own ? 'owner' : 'organization',
    exportedAt: new Date(deps.clock.now()).toISOString(),
  }
  yield { name: 'manifest.json', content: JSON.stringify(manifest, null, 2) }
  for (const table of transferTables(who.own)) {
    yield { name: `data/${table}.json`, content: jsonOf(db, table, who, rest) }
    if (SHEETS.includes(table)) yield { name: `csv/${table}.csv`, content: csvOf(deps, db, table, who, rest) }
  }
  for (const [table, { kept, of }] of Object.entries(FILES))
    if (transferTables(who.own).some((t) => t === table))
      for await (const rows of transferRows(db, table as TransferTable, who, rest))
        for (const name of rows.filter((row) => row.sha256 !== null).flatMap(of)) {
          const file = await deps[kept].open(name)
          if (file) yield { name: `files/${table}/${name}`, content: [await file.bytes()], stored: true }
        }
}

/** The same files, and at the end what each of them hashes to: an archive that was cut or changed is known by it. */
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

/** Makes the exports that wait, one after another, and throws old ones away. @returns how many were made */
export async function runExports(deps: Runner): Promise<number> {
  for (const { id, orgId } of oldExports(deps.db, deps.clock.wall())) {
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
    const next = nextExport(deps.db)
    if (!next) return done
    const change = (row: ExportRow, changes: Partial<ExportRow>) =>
      deps.write(next.orgId, (tx) => changeExport(systemCtx(deps, tx, next.orgId, `export-${next.id}`), row, changes))
    const found = findExport(deps.db, next.orgId, next.id)
    if (!found) return done
    const row = await change(found, { status: 'RUNNING', attempts: found.attempts + 1 })
    const finishedAt = new Date(deps.clock.now()).toISOString()
    try {
      if (row.attempts > MAX_ATTEMPTS) throw new AppError('internal')
      const { sha256, sizeBytes } = await make(deps, row)
      await change(row, { status: 'SUCCEEDED', sha256, sizeBytes, finishedAt, purgeAt: deps.clock.wall() + KEPT_MS })
    } catch (e) {
      deps.log.error('export.failed', e, { exportId: row.id })
      await change(row, { status: 'FAILED', finishedAt })
    }
  }
}

async function make(deps: Runner, { id, orgId, createdBy }: ExportRow) {
  const user = findUser(deps.db, orgId, createdBy)
  const scope = scopeOf(createdBy, (user?.roles ?? []) as never)
  if (user?.status !== 'ACTIVE' || scope.kind === 'tenant') throw new AppError('forbidden')
  return deps.store.snapshot(async (db, rest) => {
    const who = { org: orgId, user: createdBy, own: scope.kind === 'owner' }
    const archive = deps.zip(withChecksums(filesOf(deps, db, who, rest)), new Date(deps.clock.now()))
    const received = await deps.blobs.receive(archive, Number.POSITIVE_INFINITY)
    await received.keep(fileName(id, received.sha256))
    return received
  })
}

const refuse = (en: string, fr: string) => new AppError('invalid_state', { en, fr })

/**
 * Brings an export of a whole organization into a database that does not have it: every row under its own id, and the
 * files. Nothing comes in unless all of it does. @throws invalid_state with a sentence
 */
export async function restoreExport(
  deps: Pick<Deps, 'db' | 'write' | 'blobs' | 'documents' | 'clock' | 'unzip'>,
  archive: Readable,
): Promise<{ readonly organizationId: string; readonly rows: number; readonly files: number }> {
  const parts = new Map<string, Uint8Array>()
  const kept: (() => Promise<void>)[] = []
  const whole = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (e) {
      throw damaged(e)
    }
  }
  try {
    const entries = await whole(Array.fromAsync(deps.unzip(archive)))
    const entry = (name: string) => entries.find((e) => e.name === name)
    const first = entry('manifest.json')
    if (!first) throw refuse('This is no export of Loyer.', "Ce n'est pas un export de Loyer.")
    const manifest = check(deps.db, parseJson(await whole(first.bytes())) as Manifest)
    const last = entry(CHECKSUMS)
    const sums = last ? (parseJson(await whole(last.bytes())) as Record<string, string>) : {}
    // Nothing is missing or added …
    const names = entries.flatMap(({ name }) => (name === CHECKSUMS ? [] : [name]))
    if (!isDeepStrictEqual(names.toSorted(), Object.keys(sums).toSorted())) throw damaged()
    const tables = entries.filter(({ name }) => TABLE_PATH.test(name))
    if (tables.reduce((n, { sizeBytes }) => n + sizeBytes, 0) > MAX_TABLE_BYTES)
      throw refuse('The export is too large.', 'Export trop volumineux.')
    for (const { name: path, bytes: read } of entries) {
      if (path === CHECKSUMS) continue
      const bytes = await whole(read())
      // … or changed.
      if (createHash('sha256').update(bytes).digest('hex') !== sums[path]) throw damaged()
      if (TABLE_PATH.test(path)) parts.set(path.slice(5, -5), bytes)
      if (!FILE_PATH.test(path)) continue
      const [, table = '', name = ''] = path.split('/')
      const blobs = deps[FILES[table]?.kept ?? 'blobs']
      await (await blobs.receive(bytes, Number.POSITIVE_INFINITY)).keep(name)
      kept.push(() => blobs.remove(name.slice(0, 36), (n) => n === name))
    }
    const rows = new Map([...parts].map(([table, bytes]) => [table, parseJson(bytes) as TransferRow[]]))
    await deps.write(null, (tx) => {
      restoreRows(tx, rows, new Date(deps.clock.wall()).toISOString())
      return true
    })
    const count = [...rows.values()].reduce((n, list) => n + list.length, 0)
    return { organizationId: manifest.organizationId, rows: count, files: kept.length }
  } catch (e) {
    for (const forget of kept) await forget()
    throw e
  }
}

const TABLE_PATH = /^data\/\w+\.json$/
const FILE_PATH = /^files\/(?:document|media_object|notice_letter)\/[0-9a-f-]{36}\.[0-9a-f]{64}(?:\.\d{3})?$/
const damaged = (cause?: unknown) =>
  new AppError(
    'invalid_state',
    {
      en: 'This export is damaged or was changed: nothing came in. Fetch it again.',
      fr: "Cet export est abîmé ou a été modifié : rien n'a été importé. Téléchargez-le de nouveau.",
    },
    {},
    cause,
  )
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  } catch (e) {
    throw damaged(e)
  }
}

function check(db: Db, manifest: Manifest): Manifest {
  if (manifest.format !== FORMAT) throw refuse('This is no export of Loyer.', "Ce n'est pas un export de Loyer.")
  if (manifest.scope !== 'organization')
    throw refuse(
      "This export has one owner's part only: it is for reading, not for bringing in.",
      "Cet export ne contient que la part d'un propriétaire : il se lit, mais ne s'importe pas.",
    )
  if (manifest.shape !== SHAPE)
    throw refuse(
      `This export is of another version of Loyer (${manifest.shape}; here ${SHAPE}). Use the same version.`,
      `Cet export vient d'une autre version de Loyer (${manifest.shape} ; ici ${SHAPE}). Utilisez la même version.`,
    )
  if (organizationThere(db, manifest.organizationId))
    throw refuse('This organization is there already.', 'Cette organisation existe déjà ici.')
  return manifest
}
