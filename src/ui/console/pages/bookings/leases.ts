import { api, data, page, type Schemas } from '../../../shared/api.ts'

type Booking = Schemas['Booking']
type Query = { readonly status?: Schemas['BookingStatus']; readonly tenantUserId?: string }
const MOST_PAGES = 20

/** All leases of a filter, page by page: the API has no filter by tenant yet. At most 2,000. */
export async function everyLease(query: Query = {}): Promise<readonly Booking[]> {
  const rows: Booking[] = []
  let cursor: string | undefined
  for (let i = 0; i < MOST_PAGES; i += 1) {
    const next = await page(
      api.GET('/api/v1/bookings', { params: { query: { limit: 100, ...query, ...(cursor && { cursor }) } } }),
    )
    rows.push(...next.rows)
    if (next.next === undefined) break
    cursor = next.next
  }
  return rows
}

/** What a lease owes that is late, by the lease's id. */
export async function readArrears(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await data(api.GET('/api/v1/reports/arrears'))
  const late = new Map<string, number>()
  for (const { bookingId, balanceAmount } of rows) late.set(bookingId, (late.get(bookingId) ?? 0) + balanceAmount)
  return late
}

/** Asks what the end of a lease settles on a day, or of one that has ended, what it settled. */
export const settlementAsked = (id: string, endDate?: string) => ({
  queryKey: ['booking', id, 'settlement', endDate ?? ''],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    data(
      api.GET('/api/v1/bookings/{id}/settlement', {
        params: { path: { id }, query: endDate === undefined ? {} : { endDate } },
        signal,
      }),
    ),
})
