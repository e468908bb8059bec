// What one transfer may be for: deposits that are missing, open invoices, coming rent.
import { api, data, type Schemas } from '../../../shared/api.ts'
import { integer } from '../../../shared/form.svelte.ts'

/** Leases of one tenant that are read: a company has some. */
const MOST = 20

/** `owed`: francs that it takes at most; without it, any amount. */
export type Target = {
  readonly key: string
  readonly kind: Schemas['TransferPartKind']
  readonly lease: Schemas['Booking']
  readonly invoice?: Schemas['Invoice']
  readonly owed?: number
}

/** What a tenant's leases ask for: the missing deposit first, then what is due first, then rent ahead. */
export async function readTargets(tenantId: string): Promise<Target[]> {
  const leases = await data(api.GET('/api/v1/bookings', { params: { query: { tenantId, limit: MOST } } }))
  const running = leases.filter(({ status }) => status === 'ACTIVE' || status === 'TERMINATED')
  const all = await Promise.all(running.map(targetsOf))
  const rank = { DEPOSIT: 0, INVOICE: 1, ADVANCE: 2 }
  const placeOf = ({ lease }: Target): string => `${lease.propertyName} ${lease.unitLabel}`
  return all
    .flat()
    .toSorted(
      (a, b) =>
        rank[a.kind] - rank[b.kind] ||
        (a.invoice?.dueDate ?? '').localeCompare(b.invoice?.dueDate ?? '') ||
        placeOf(a).localeCompare(placeOf(b), undefined, { numeric: true }),
    )
}

async function targetsOf(lease: Schemas['Booking']): Promise<Target[]> {
  const query = { bookingId: lease.id, limit: 100 }
  const path = { id: lease.id }
  const [entries, invoices] = await Promise.all([
    data(api.GET('/api/v1/bookings/{id}/deposit', { params: { path, query: { limit: 100 } } })),
    data(api.GET('/api/v1/invoices', { params: { query } })),
  ])
  const [last] = entries.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
  const missing = lease.status === 'ACTIVE' ? (lease.depositAmount ?? 0) - (last?.heldAmount ?? 0) : 0
  return [
    ...(missing > 0 ? [{ key: `deposit ${lease.id}`, kind: 'DEPOSIT' as const, lease, owed: missing }] : []),
    ...invoices.flatMap((invoice) =>
      invoice.status !== 'CANCELLED' && invoice.balanceAmount > 0
        ? [{ key: invoice.id, kind: 'INVOICE' as const, lease, invoice, owed: invoice.balanceAmount }]
        : [],
    ),
    ...(lease.status === 'ACTIVE' ? [{ key: `advance ${lease.id}`, kind: 'ADVANCE' as const, lease }] : []),
  ]
}

/** Francs of each target: those typed by hand (JSON by key), or else the amount spread over the targets in their order. */
export function partsOf(targets: readonly Target[], typed: { amount: string; parts: string }): Record<string, number> {
  if (typed.parts !== '') return JSON.parse(typed.parts) as Record<string, number>
  const amount = integer(typed.amount)
  const parts: Record<string, number> = {}
  let left = Number.isSafeInteger(amount) ? amount : 0
  for (const { key, owed = left } of targets) {
    const part = Math.min(left, owed)
    if (part > 0) parts[key] = part
    left -= part
  }
  return parts
}
