import { api, data, type Schemas, versioned } from '../../../shared/api.ts'

/** A lease with all that hangs on it. */
export async function readLease(id: string) {
  const params = { path: { id }, query: { limit: 100 } }
  const query = { bookingId: id, limit: 100 }
  const [{ value: lease }, signatures, deposit, invoices, payments, documents] = await Promise.all([
    versioned<Schemas['Booking']>(api.GET('/api/v1/bookings/{id}', { params: { path: { id } } })),
    data(api.GET('/api/v1/bookings/{id}/signatures', { params })),
    data(api.GET('/api/v1/bookings/{id}/deposit', { params })),
    data(api.GET('/api/v1/invoices', { params: { query } })),
    data(api.GET('/api/v1/payments', { params: { query } })),
    data(api.GET('/api/v1/documents', { params: { query } })),
  ])
  const byDay = <T extends { readonly createdAt: string }>(rows: readonly T[]): T[] =>
    rows.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  return {
    lease,
    signatures: signatures.filter(({ status }) => status === 'VALID'),
    deposit: byDay(deposit),
    invoices: invoices.toSorted((a, b) => b.periodStart.localeCompare(a.periodStart)),
    payments: byDay(payments),
    documents: byDay(documents.filter(({ voidedAt }) => voidedAt === undefined)),
  }
}
export type Story = Awaited<ReturnType<typeof readLease>>
