import { api, data } from '../../../shared/api.ts'
import { router } from '../../router.ts'

/** Asks what the end of a lease settles on a day, or of one that has ended, what it settled. */
export const settlementQuery = (id: string, endDate?: string) => ({
  queryKey: ['booking', id, 'settlement', endDate ?? ''],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    data(
      api.GET('/api/v1/bookings/{id}/settlement', {
        params: { path: { id }, query: endDate === undefined ? {} : { endDate } },
        signal,
      }),
    ),
})

/** Asks for the inspections of a lease, without their rooms. */
export const inspectionsQuery = (bookingId: string) => ({
  queryKey: ['inspections', 'of', bookingId],
  queryFn: () => data(api.GET('/api/v1/inspections', { params: { query: { bookingId } } })),
})

/** Begins an inspection and goes there. */
export async function startInspection(bookingId: string, kind: 'ENTRY' | 'EXIT', key: string): Promise<void> {
  const params = { header: { 'Idempotency-Key': key } }
  const { id } = await data(api.POST('/api/v1/inspections', { params, body: { bookingId, kind } }))
  await router.go(router.href('/inspections/:id', { id }))
}
