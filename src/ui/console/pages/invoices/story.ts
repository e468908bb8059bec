import { api, data, type Schemas, versioned } from '../../../shared/api.ts'

/** An invoice with all that happened to it. */
export async function readInvoice(id: string) {
  const path = { id }
  const [{ value: invoice, etag }, payments, documents] = await Promise.all([
    versioned<Schemas['Invoice']>(api.GET('/api/v1/invoices/{id}', { params: { path } })),
    data(api.GET('/api/v1/invoices/{id}/payments', { params: { path, query: { limit: 100 } } })),
    data(api.GET('/api/v1/documents', { params: { query: { invoiceId: id, limit: 100 } } })),
  ])
  const all = await data(
    api.GET('/api/v1/bookings/{id}/notices', { params: { path: { id: invoice.bookingId }, query: { limit: 100 } } }),
  )
  return { invoice, etag, payments, documents, notices: all.filter(({ invoiceId }) => invoiceId === id) }
}

/** Opens a paper or a picture in a new tab; its address is made for this one look. */
export async function open(url: () => Promise<string>): Promise<void> {
  // a tab opened after the answer would be taken for an advertisement
  const tab = window.open('', '_blank')
  try {
    const to = await url()
    if (tab) tab.location.href = to
    else location.href = to
  } catch (error) {
    tab?.close()
    throw error
  }
}
export const paperUrl = async (id: string): Promise<string> =>
  (await data(api.GET('/api/v1/documents/{id}/download-url', { params: { path: { id }, query: { inline: true } } })))
    .url
export const mediaUrl = async (id: string): Promise<string> =>
  (await data(api.GET('/api/v1/media/{id}/download-url', { params: { path: { id } } }))).url
