import type { ListQuery } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import type { Scope } from '../../../core/scope.ts'
import { totalText } from '../../../core/totals.ts'
import { findSignature } from '../../lease/contracts/store.ts'
import { getBooking } from '../../lease/leases/store.ts'
import { getRepair, namesOf } from '../../lease/repairs/store.ts'
import { getInvoice } from '../../money/invoices/store.ts'
import { getPayment } from '../../money/payments/store.ts'
import { findRentMessage } from '../../news/reminders/store.ts'
import { getDocument } from '../../papers/documents/store.ts'
import { maskedName } from '../../people/tenants/store.ts'
import { type EntryKind, entriesOf } from './store.ts'

/** Reads an entry of each kind within the scope; signatures and messages have no scope but that of their lease. */
const READ = {
  SIGNATURE: (db: Db, orgId: string, _scope: Scope, id: string) => of('SIGNATURE', findSignature(db, orgId, id)),
  INVOICE: (...key: Key) => of('INVOICE', getInvoice(...key)),
  PAYMENT: (...key: Key) => of('PAYMENT', getPayment(...key)),
  MESSAGE: (db: Db, orgId: string, _scope: Scope, id: string) => of('MESSAGE', findRentMessage(db, orgId, id)),
  DOCUMENT: (...key: Key) => of('DOCUMENT', getDocument(...key)),
  REPAIR: (...key: Key) => {
    const row = getRepair(...key)
    const names = row && namesOf(key[0], row)
    return of('REPAIR', names && { ...row, ...names })
  },
}
type Key = [db: Db, orgId: string, scope: Scope, id: string]
const of = <K extends EntryKind, R>(kind: K, row: R | undefined) => row && { kind, row }
/** A row with its kind. */
export type Happening = NonNullable<ReturnType<(typeof READ)[EntryKind]>>

type Query = ListQuery<'bookingId' | 'updatedSince'> & { readonly count?: boolean | undefined }

/**
 * A page of what happened in a lease, newest first; with `updatedSince` in the order of change. Ids grow with time, so
 * one cursor serves all kinds. The caller is a party of the lease.
 */
export function timelineOf(db: Db, { orgId, scope: callerScope, order, limit, after, values, count }: Query) {
  const { bookingId = '', updatedSince } = values
  const lease = getBooking(db, orgId, callerScope, bookingId)
  // An owner may rent from another owner of the organization.
  const scope: Scope = lease ? callerScope : { ...callerScope, kind: 'tenant' }
  const masked = lease && maskedName(db, callerScope, lease) !== undefined
  const read = ({ kind, id }: { kind: EntryKind; id: string }) => {
    const happening = READ[kind](db, orgId, scope, id)
    if (!happening || (masked && happening.kind === 'SIGNATURE' && happening.row.party === 'TENANT')) return []
    return [{ key: updatedSince === undefined ? [id] : [happening.row.updatedAt, id], happening }]
  }
  type Entry = ReturnType<typeof read>[number]
  const way = order === 'asc' ? 1 : -1
  const compare = (a: readonly string[], b: readonly string[]): number => {
    const [x, y] = [a.join(' '), b.join(' ')]
    return way * (x < y ? -1 : x > y ? 1 : 0)
  }
  const ids = entriesOf(db, orgId, bookingId)
  const all = updatedSince !== undefined || count ? ids.flatMap(read) : undefined
  const wanted = all?.filter(({ key }) => updatedSince === undefined || String(key[0]) >= updatedSince)
  const page: Entry[] = []
  if (wanted)
    page.push(
      ...wanted
        .filter(({ key }) => !after || compare(key, after) > 0)
        .sort((a, b) => compare(a.key, b.key))
        .slice(0, limit + 1),
    )
  else
    for (const one of ids
      .filter(({ id }) => !after || compare([id], after) > 0)
      .sort((a, b) => compare([a.id], [b.id]))) {
      page.push(...read(one))
      if (page.length > limit) break
    }
  const next = page.length > limit ? page[limit - 1]?.key : undefined
  return {
    rows: page.slice(0, limit).map(({ happening }) => happening),
    next,
    total: count ? totalText(wanted?.length ?? 0) : undefined,
  }
}
