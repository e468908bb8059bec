import type { ListQuery } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { Caller } from '../../../context.ts'
import { isPart } from '../../../core/scope.ts'
import { latestTemplate } from '../../lease/contracts/store.ts'
import { listInspections } from '../../lease/inspections/store.ts'
import { findBooking, listBookings } from '../../lease/leases/store.ts'
import { listMeters, listReadings } from '../../lease/meters/store.ts'
import { listRepairs } from '../../lease/repairs/store.ts'
import { listRegularisations } from '../../money/charges/store.ts'
import { listExpenses } from '../../money/expenses/store.ts'
import { listInvoices } from '../../money/invoices/store.ts'
import { listTransfers as listOwnerTransfers } from '../../money/owner-transfers/store.ts'
import { listMessages, listPayments } from '../../money/payments/store.ts'
import { listTransfers } from '../../money/transfers/store.ts'
import { listDocuments } from '../../papers/documents/store.ts'
import { seeMedia } from '../../papers/media/service.ts'
import { listMedia } from '../../papers/media/store.ts'
import { listCases } from '../../papers/verification/store.ts'
import { findTenant, listTenants, maskedName, tenantHidden, tenantSeen } from '../../people/tenants/store.ts'
import { listProperties } from '../../property/properties/store.ts'
import { listEndpoints } from '../events/store.ts'
import { rowsWith, type TransferRow, type TransferTable, transferRows } from './store.ts'

/**
 * Who an export is for: a caller, who gets what the API shows them, or the operator on the server, who gets
 * everything.
 */
export type Holder = { readonly org: string; readonly caller?: Caller }

type Page = Pick<ListQuery<never>, 'orgId' | 'scope' | 'order' | 'limit' | 'after'>
type Slice = { readonly rows: readonly { readonly id: string }[]; readonly next?: readonly string[] | undefined }
type Find = (db: Db, page: Page, caller: Caller) => Slice
type Holds = { readonly find: readonly Find[]; readonly by?: string }

const SLICE = 100
/** Properties whose units are read at once: one may have hundreds. */
const PROPERTIES = 10
const find =
  (list: (db: Db, q: Page & { readonly values: Record<never, never> }) => Slice): Find =>
  (db, page) =>
    list(db, { ...page, values: {} })
const properties = [find(listProperties)]
const bookings = [find(listBookings)]
const repairs = [find(listRepairs)]
const inspections = [find(listInspections)]
/** Their own identity checks only, and the proofs of the properties that they see: two lists. */
const cases: readonly Find[] = [
  (db, page, { userId }) =>
    listCases(db, {
      ...page,
      scope: { ...page.scope, kind: 'all' },
      values: { kind: 'OWNER_KYC', subjectUserId: userId },
    }),
  (db, page) => listCases(db, { ...page, values: { kind: 'PROPERTY_PROOF' } }),
]
/** Rows of the whole organization: everybody who may list them sees the same. */
const ofManagers =
  (list: Find): Find =>
  (db, page, caller) =>
    caller.scope.kind === 'all' ? list(db, page, caller) : { rows: [] }

/**
 * What an OWNER or a MANAGER gets of each table: the rows of its list in the API, or rows that refer to such a row by
 * the column `by`. Tables not listed are for an ADMIN only.
 */
const HOLDS: Partial<Record<TransferTable, Holds>> = {
  app_user: { find: [(_db, _page, { userId }) => ({ rows: [{ id: userId }] })] },
  property: { find: properties },
  unit: { find: properties, by: 'property_id' },
  tenant: { find: [find(listTenants)] },
  booking: { find: bookings },
  invoice: { find: [find(listInvoices)] },
  credit_note: { find: bookings, by: 'booking_id' },
  media_object: {
    find: [
      (db, page) => listMedia(db, { ...page, scope: { ...page.scope, kind: 'all' }, values: { status: 'AVAILABLE' } }),
    ],
  },
  payment: { find: [find(listPayments)] },
  allocation: { find: [find(listPayments)], by: 'payment_id' },
  deposit_entry: { find: bookings, by: 'booking_id' },
  meter: { find: [find(listMeters)] },
  meter_reading: { find: [find(listReadings)] },
  regularisation: { find: [find(listRegularisations)] },
  regularisation_share: { find: [find(listRegularisations)], by: 'regularisation_id' },
  expense: { find: [find(listExpenses)] },
  owner_transfer: { find: [find(listOwnerTransfers)] },
  transfer: { find: [find(listTransfers)] },
  money_message: { find: [(db, page) => listMessages(db, { ...page, values: { status: 'UNMATCHED' } })] },
  verification_case: { find: cases },
  verification_document: { find: cases, by: 'case_id' },
  document: { find: [find(listDocuments)] },
  signature: { find: bookings, by: 'booking_id' },
  lease_party: { find: bookings, by: 'booking_id' },
  lease_payer: { find: bookings, by: 'booking_id' },
  signed_copy: { find: bookings, by: 'booking_id' },
  rent_change: { find: bookings, by: 'booking_id' },
  inspection: { find: inspections },
  inspection_photo: { find: inspections, by: 'inspection_id' },
  inspection_signature: { find: inspections, by: 'inspection_id' },
  repair: { find: repairs },
  repair_entry: { find: repairs, by: 'repair_id' },
  rent_message: { find: bookings, by: 'booking_id' },
  letter: { find: bookings, by: 'booking_id' },
  webhook_endpoint: { find: [ofManagers(find(listEndpoints))] },
}

const hasAll = ({ caller }: Holder): boolean => !caller || caller.roles.includes('ADMIN')
export const holdsTable = (holder: Holder, table: TransferTable): boolean =>
  hasAll(holder) || HOLDS[table] !== undefined || table === 'lease_template'

async function* listed(
  db: Db,
  table: TransferTable,
  caller: Caller,
  rest: Rest,
): AsyncGenerator<readonly TransferRow[]> {
  if (table === 'lease_template') {
    const latest = (['HOME', 'BUSINESS'] as const).map((kind) => latestTemplate(db).get({ orgId: caller.orgId, kind }))
    const isLatest = (row: TransferRow) => latest.some((l) => l?.kind === row.kind && l?.version === row.version)
    return yield rowsWith(db, caller.orgId, { table, column: 'kind', values: ['HOME', 'BUSINESS'] }).filter(isLatest)
  }
  const { find: finders = [], by = 'id' } = HOLDS[table] ?? {}
  const { orgId, scope } = caller
  for (const finder of finders)
    for (let after: readonly string[] | undefined, first = true; first || after; first = false) {
      const slice = finder(db, { orgId, scope, order: 'asc', limit: SLICE, after }, caller)
      const ids = slice.rows.map(({ id }) => id)
      after = slice.next
      await rest()
      const atOnce = by === 'property_id' ? PROPERTIES : SLICE
      for (let at = 0; at < ids.length; at += atOnce) {
        yield rowsWith(db, orgId, { table, column: by, values: ids.slice(at, at + atOnce) })
        await rest()
      }
    }
}

/** A row as the caller may see it: without the name of a tenant unknown to them. Undefined if the API hides it. */
function asRead(db: Db, { orgId, scope }: Caller, table: TransferTable, row: TransferRow): TransferRow | undefined {
  // The API does not show who was taken off a lease.
  if (table === 'lease_party' && row.removed_at !== null) return undefined
  if (!isPart(scope)) return row
  if (table === 'tenant') {
    const tenant = findTenant(db, orgId, String(row.id))
    return tenant ? { ...row, user_id: tenantSeen(db, scope, tenant).userId } : row
  }
  const id = table === 'booking' ? row.id : row.booking_id
  if (typeof id !== 'string') return row
  const lease = findBooking(db, orgId, id)
  if (table === 'booking') {
    const masked = lease && tenantHidden(db, scope, lease)
    return masked ? { ...row, tenant_name: masked.tenantName, tenant_user_id: null } : row
  }
  if (!lease || maskedName(db, scope, lease) === undefined) return row
  const hidden =
    row.kind === 'LEASE_CONTRACT' || row.party === 'TENANT' || table === 'signed_copy' || table === 'rent_change'
  return hidden ? undefined : row
}

/**
 * The rows of a table for an export. A file that its holder may not see is left out with its row, and so are the
 * documents of a verification that name it.
 */
export async function* heldRows(
  db: Db,
  table: TransferTable,
  holder: Holder,
  rest: Rest,
): AsyncGenerator<readonly TransferRow[]> {
  const { org, caller } = holder
  const file = { media_object: 'id', verification_document: 'media_object_id' }[String(table)]
  if (!caller) return yield* transferRows(db, table, org, rest)
  for await (const rows of hasAll(holder) ? transferRows(db, table, org, rest) : listed(db, table, caller, rest)) {
    const visible: TransferRow[] = []
    for (const row of rows) {
      const read =
        file === undefined || seeMedia(db, caller, String(row[file])) ? asRead(db, caller, table, row) : undefined
      if (read) visible.push(read)
    }
    if (visible.length > 0) yield visible
  }
}
