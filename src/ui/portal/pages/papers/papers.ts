import { api, type Page, page, type Schemas } from '../../../shared/api.ts'
import { session } from '../../../shared/session.ts'
import { readLeases } from '../../leases.ts'

export type Paper = Schemas['Document']
export const KINDS = ['RECEIPT', 'LEASE_CONTRACT', 'INVOICE', 'STATEMENT', 'LEASE_NOTICE', 'INSPECTION'] as const
export type Kind = (typeof KINDS)[number]

const LIMIT = 30
type Query = { readonly limit: number; readonly kind?: Kind; readonly cursor?: string; readonly bookingId?: string }
const ask = (query: Query): Promise<Page<Paper>> => page(api.GET('/api/v1/documents', { params: { query } }))

/** The papers of a tenant, the newest first; a landlord who also rents is asked for lease by lease. */
export async function readPapers(kind: Kind | undefined, cursor?: string): Promise<Page<Paper>> {
  const query = { limit: LIMIT, ...(kind && { kind }), ...(cursor !== undefined && { cursor }) }
  await session.token()
  if (session.roles().every((role) => role === 'TENANT')) return ask(query)
  const leases = await readLeases()
  const all = await Promise.all(leases.slice(0, 20).map(({ id }) => ask({ ...query, limit: 100, bookingId: id })))
  const rows = all.flatMap(({ rows }) => rows).sort((a, b) => (a.id < b.id ? 1 : -1))
  return { rows, next: undefined, total: undefined }
}
