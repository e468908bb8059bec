// Exports of a test app as bytes, and archives forged from them.
import { unzipSync, zipSync } from 'fflate'
import { restoreExport, runExports } from '../../src/features/data/exports/jobs.ts'
import { exportAll } from '../../src/features/data/exports/service.ts'
import type { TestApp } from './app.ts'
import { sha256 } from './files.ts'

export type Row = Record<string, unknown>
/** An export that a user requests and downloads by the API. */
export async function pack(t: TestApp, who: string): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = await t.call<{ id: string }>(who, 'POST /api/v1/exports', {})
  await runExports(t.deps)
  const link = await t.call<{ url: string }>(who, `GET /api/v1/exports/${body.id}/download-url`)
  if (link.status !== 200) throw new Error(`no link: ${link.status} ${link.text}`)
  const file = await t.app.handle(new Request(link.body.url))
  if (file.headers.get('content-type') !== 'application/zip') throw new Error(`no file: ${file.status}`)
  return new Uint8Array(await file.arrayBuffer())
}

/** An export that the operator makes at the server. */
export async function packAll(t: TestApp, org: string): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array()
  const save = async (archive: ReadableStream<Uint8Array>) => {
    bytes = await new Response(archive).bytes()
  }
  await exportAll(t.deps, { org, by: 'root', save })
  return bytes
}

const piecesOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  read: (start: number, end: number) => bytes.subarray(start, end),
})
export const restore = (t: TestApp, bytes: Uint8Array, operator = true) =>
  restoreExport(t.deps, piecesOf(bytes), { by: 'root', operator })

export const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
export const rowsIn = (archive: Uint8Array, table: string): Row[] =>
  JSON.parse(textOf(unzipSync(archive)[`data/${table}.json`]) || '[]') as Row[]

/** As an export writes them. */
const written = (rows: readonly Row[]): Uint8Array<ArrayBuffer> =>
  bytesOf(`[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`)

type Change = {
  readonly rows?: Readonly<Record<string, (rows: Row[]) => Row[]>>
  readonly files?: (files: Record<string, Uint8Array<ArrayBuffer>>) => Record<string, Uint8Array<ArrayBuffer>>
}
/** A changed archive whose checksums match again; checksums need no key. */
export function forged(archive: Uint8Array, { rows = {}, files: change = (f) => f }: Change): Uint8Array<ArrayBuffer> {
  const { 'checksums.json': _, ...files } = unzipSync(archive) as Record<string, Uint8Array<ArrayBuffer>>
  for (const [table, map] of Object.entries(rows)) files[`data/${table}.json`] = written(map(rowsIn(archive, table)))
  const all = change(files)
  const sums = Object.fromEntries(Object.entries(all).map(([name, file]) => [name, sha256(file)]))
  return zipSync({ ...all, 'checksums.json': bytesOf(JSON.stringify(sums)) }, { level: 1 })
}

/** A list of all pages in one. */
export async function allPages(t: TestApp, who: string, path: string) {
  const first = await t.call<Record<string, unknown>[]>(who, path)
  for (let { headers } = first; headers.get('link'); ) {
    const next = /^<http:\/\/[^/]+(\/[^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    const more = await t.call<Record<string, unknown>[]>(who, `GET ${next}`)
    first.body.push(...more.body)
    headers = more.headers
  }
  return first
}
