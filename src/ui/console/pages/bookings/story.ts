import { api, data, page, type Schemas, versioned } from '../../../shared/api.ts'

/** Pages of a timeline that are read: a lease of ten years has two. */
const MOST = 5

async function readTimeline(id: string): Promise<Schemas['TimelineEntry'][]> {
  const all: Schemas['TimelineEntry'][] = []
  let cursor: string | undefined
  for (let n = 0; n < MOST; n++) {
    const query = { limit: 200, ...(cursor && { cursor }) }
    const { rows, next } = await page(api.GET('/api/v1/bookings/{id}/timeline', { params: { path: { id }, query } }))
    all.push(...rows)
    if (next === undefined) break
    cursor = next
  }
  return all
}

/** A lease with its invoices, payments, papers and other entries. */
export async function readLease(id: string) {
  const params = { path: { id } }
  const [{ value: lease }, deposit, timeline] = await Promise.all([
    versioned<Schemas['Booking']>(api.GET('/api/v1/bookings/{id}', { params })),
    data(api.GET('/api/v1/bookings/{id}/deposit', { params: { ...params, query: { limit: 100 } } })),
    readTimeline(id),
  ])
  return {
    lease,
    signatures: timeline.flatMap(({ signature }) => (signature?.status === 'VALID' ? [signature] : [])),
    deposit: deposit.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
    invoices: timeline
      .flatMap(({ invoice }) => invoice ?? [])
      .toSorted((a, b) => b.periodStart.localeCompare(a.periodStart)),
    payments: timeline.flatMap(({ payment }) => payment ?? []),
    documents: timeline.flatMap(({ document }) => (document && document.voidedAt === undefined ? [document] : [])),
  }
}
export type Story = Awaited<ReturnType<typeof readLease>>
