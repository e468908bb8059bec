import { api, data } from '../../../shared/api.ts'

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
