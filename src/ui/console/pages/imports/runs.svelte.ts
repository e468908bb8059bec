// The source of an import: its rows are checked first, then imported from the same source.
import { SvelteMap } from 'svelte/reactivity'
import { api, data, type Schemas } from '../../../shared/api.ts'
import { session } from '../../../shared/session.ts'
import { saveFile, sendFile, XLSX } from '../../kit/files.ts'

export type Run = Schemas['ImportRun']
export const KINDS = ['properties', 'units', 'tenants', 'leases'] as const
export type Kind = (typeof KINDS)[number]
export type Source = { readonly csv: string } | { readonly mediaObjectId: string }
/** Where the rows of a run came from, as long as the tab is open: one may go to another page and come back. */
export const sources = new SvelteMap<string, Source>()

const MOST = 20 * 1024 * 1024
/**
 * A file as it is now: it may be saved anew before it is sent. Its type is that of its name, because browsers call a CSV
 * what the programs of the device say.
 */
export async function readSheet(file: File): Promise<File> {
  const type = /\.xlsx$/i.test(file.name) ? XLSX : 'text/csv'
  // one that is too large is refused before it is sent
  return new File([file.size > MOST ? file : await file.arrayBuffer()], file.name, { type })
}
/** Sends a file of rows. @throws Trouble */
export const sendSheet = async (file: File, key: string): Promise<Source> => ({
  mediaObjectId: await sendFile(
    file,
    { ownerType: 'USER', ownerId: session.claims()?.sub ?? '', kind: 'DOCUMENT' },
    key,
  ),
})
/** Begins a run; the source of a check is remembered for the import after it. @throws Trouble */
export async function start(kind: Kind, dryRun: boolean, source: Source, key: string): Promise<Run> {
  const params = { header: { 'Idempotency-Key': key } }
  const run = await data(api.POST('/api/v1/imports', { params, body: { kind, dryRun, ...source } }))
  if (dryRun) sources.set(run.id, source)
  return run
}
/** Saves a file to fill in; one of leases names the vacant units of a property. @throws Trouble */
export async function saveTemplate(kind: Kind, format: 'csv' | 'xlsx', propertyId?: string): Promise<void> {
  const query = { format, ...(propertyId && { propertyId }) }
  const call = { params: { path: { kind }, query }, parseAs: 'blob' } as const
  saveFile((await api.GET('/api/v1/imports/templates/{kind}', call)).data as unknown as Blob, `${kind}.${format}`)
}
