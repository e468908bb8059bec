import { api, data, type Schemas, versioned } from '../../../shared/api.ts'

/** An invoice with all that happened to it. */
export async function readInvoice(id: string) {
  const path = { id }
  const [{ value: invoice, etag }, payments, documents] = await Promise.all([
    versioned<Schemas['Invoice']>(api.GET('/api/v1/invoices/{id}', { params: { path } })),
    data(api.GET('/api/v1/invoices/{id}/payments', { params: { path, query: { limit: 100 } } })),
    data(api.GET('/api/v1/documents', { params: { query: { invoiceId: id, limit: 100 } } })),
  ])
  const [all, credits] = await Promise.all([
    data(
      api.GET('/api/v1/bookings/{id}/messages', { params: { path: { id: invoice.bookingId }, query: { limit: 100 } } }),
    ),
    invoice.creditedAmount || invoice.status === 'CANCELLED'
      ? data(api.GET('/api/v1/invoices/{id}/credit-notes', { params: { path } }))
      : [],
  ])
  return { invoice, etag, payments, documents, credits, rentMessages: all.filter(({ invoiceId }) => invoiceId === id) }
}
