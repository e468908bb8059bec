import { api, data, type Schemas } from '../../../shared/api.ts'
import { everyLease } from '../bookings/leases.ts'

/** A tenant with leases, open invoices and papers, newest first. */
export async function readTenant(id: string) {
  const tenant = await data(api.GET('/api/v1/tenants/{id}', { params: { path: { id } } }))
  const all = await everyLease(tenant.userId === undefined ? {} : { tenantUserId: tenant.userId })
  const leases = all.filter(({ tenantId }) => tenantId === id)
  const of = await Promise.all(
    leases.map(async ({ id: bookingId }) => {
      const query = { bookingId, limit: 50 }
      return Promise.all([
        data(api.GET('/api/v1/invoices', { params: { query } })),
        data(api.GET('/api/v1/documents', { params: { query } })),
      ])
    }),
  )
  const invoices: Schemas['Invoice'][] = of.flatMap(([rows]) => rows)
  const documents: Schemas['Document'][] = of.flatMap(([, rows]) => rows)
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
