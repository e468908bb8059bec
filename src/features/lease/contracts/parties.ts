import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { change, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { dropParty, hasSigned, insertParty, leaseParties, type PartyRow, saveParty } from './store.ts'

type Lease = Pick<BookingRow, 'id' | 'orgId'>
type Said = Pick<PartyRow, 'role' | 'fullName' | 'phoneNumber' | 'idType' | 'idNumber' | 'address'>

/**
 * Puts these parties on a lease in place of the previous ones: one with an id is changed, any other is new. A party whose
 * number changed is new too, because the link sent to the old number must no longer open the lease.
 */
export function replaceParties(
  ctx: Ctx,
  lease: Lease,
  parties: readonly (Said & { readonly id?: string | undefined })[],
) {
  const before = leaseParties(ctx.tx, lease.orgId, lease.id)
  const isSame = (row: PartyRow, { id, phoneNumber }: (typeof parties)[number]): boolean =>
    row.id === id && row.phoneNumber === phoneNumber
  for (const row of before) if (!parties.some((one) => isSame(row, one))) remove(ctx, lease, row)
  for (const one of parties) {
    const { id: _, ...said } = one
    const known = before.find((row) => isSame(row, one))
    if (!known) add(ctx, lease, said)
    else if (Object.entries(said).some(([member, value]) => known[member as keyof Said] !== value))
      change(ctx, saveParty, known, said, 'lease_party.update', { bookingId: lease.id })
  }
}

/** A renewal has the co-tenants and guarantors of the lease that it goes on from. */
export function copyParties(ctx: Ctx, from: Lease, to: Lease): void {
  for (const party of leaseParties(ctx.tx, from.orgId, from.id)) add(ctx, to, party)
}

function add(ctx: Ctx, { orgId, id: bookingId }: Lease, said: Said): void {
  const stamps = { createdAt: ctx.now, removedAt: null, updatedAt: ctx.now, version: 1 }
  const { role, fullName, phoneNumber, idType, idNumber, address } = said
  const named = { role, fullName, phoneNumber, idType, idNumber, address }
  const row: PartyRow = { id: ctx.newId(), orgId, bookingId, ...named, ...stamps }
  insertParty(ctx.tx, row)
  record(ctx, 'lease_party.create', { type: 'lease_party', after: row, details: { bookingId } })
}

/** Takes a party off a lease. If they signed an earlier text, their row stays with that signature. */
function remove(ctx: Ctx, { id: bookingId }: Lease, row: PartyRow): void {
  if (hasSigned(ctx.tx, row)) {
    change(ctx, saveParty, row, { removedAt: ctx.now }, 'lease_party.remove', { bookingId })
    return
  }
  dropParty(ctx.tx, row)
  record(ctx, 'lease_party.remove', { type: 'lease_party', before: row, details: { bookingId } })
}
