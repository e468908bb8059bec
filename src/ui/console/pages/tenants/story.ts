import { api, data } from '../../../shared/api.ts'

/** A tenant with leases, open invoices and papers, newest first. */
export async function readTenant(id: string) {
  const query = { tenantId: id, limit: 100 }
  const [tenant, leases, invoices, documents] = await Promise.all([
    data(api.GET('/api/v1/tenants/{id}', { params: { path: { id } } })),
    data(api.GET('/api/v1/bookings', { params: { query } })),
    data(api.GET('/api/v1/invoices', { params: { query } })),
    data(api.GET('/api/v1/documents', { params: { query } })),
  ])
  return {
    tenant,
    leases,
    open: invoices
      .filter(({ status, balanceAmount }) => status !== 'CANCELLED' && balanceAmount > 0)
      .toSorted((a, b) => a.dueDate.localeCompare(b.dueDate)),
    hasInvoices: invoices.length > 0,
    documents: documents
      .filter(({ status, voidedAt }) => status !== 'FAILED' && voidedAt === undefined)
      .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, 6),
  }
}
