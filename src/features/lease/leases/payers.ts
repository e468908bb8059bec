import { hash } from 'node:crypto'
import type { Db } from '../../../../db/open.ts'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { change, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { plain, sameName } from '../../../core/case-folding.ts'
import { invalid, refused } from '../../../errors.ts'
import { findTenant } from '../../people/tenants/store.ts'
import { leaseParties } from '../contracts/store.ts'
import type { PayersPut } from './model.ts'
import { MOST_PAYERS, type PayerSource } from './rules.ts'
import { dropPayer, insertPayer, type PayerRow, type Payers, payersOf, savePayer } from './store.ts'

type Lease = Pick<BookingRow, 'id' | 'orgId'>
/** Who paid, as far as it was told. */
type Told = Pick<PayerRow, 'fullName' | 'phoneNumber'>

/** Who else pays for a lease. */
export function payersOn(db: Db, orgId: string, id: string): Payers {
  const rows = payersOf(db, orgId, id)
  const state = rows.map((row) => `${row.id}:${row.version}`).join()
  return { id, rows, version: Number.parseInt(hash('sha256', `${id} ${state}`, 'hex').slice(0, 12), 16) }
}

/** A number is one payer, whatever the name; without a number, the name is. */
const keyOf = ({ fullName, phoneNumber }: Told): string => phoneNumber ?? plain(fullName ?? '')

const isSameName = (a: string, b: string): boolean => plain(a) === plain(b) || sameName(a, b)
/** Whether it is a renter of the lease, by the number if there is one; a renter's other number is another payer's. */
function isRenter(ctx: Ctx, lease: BookingRow, { fullName, phoneNumber }: Told): boolean {
  const coTenants = leaseParties(ctx.tx, lease.orgId, lease.id).filter(({ role }) => role === 'CO_TENANT')
  const renters = [findTenant(ctx.tx, lease.orgId, lease.tenantId), ...coTenants]
  return renters.some((one) =>
    phoneNumber ? one?.phoneNumber === phoneNumber : one && isSameName(one.fullName, fullName ?? ''),
  )
}

/** The name of who paid on the tenant's behalf; null where it was a renter, by number or name, or nobody was named. */
export function payerOf(ctx: Ctx, lease: BookingRow, { fullName, phoneNumber }: Told): string | null {
  if (fullName === null || isRenter(ctx, lease, { fullName, phoneNumber: null })) return null
  return phoneNumber !== null && isRenter(ctx, lease, { fullName, phoneNumber }) ? null : fullName
}

function add(ctx: Ctx, { id: bookingId, orgId }: Lease, told: Told & Pick<PayerRow, 'source' | 'kiosk'>): void {
  const stamps = { createdAt: ctx.now, updatedAt: ctx.now, version: 1 }
  const row: PayerRow = { id: ctx.newId(), orgId, bookingId, ...told, ...stamps }
  insertPayer(ctx.tx, row)
  record(ctx, 'lease_payer.create', { type: 'lease_payer', after: row, details: { bookingId } })
}

/** Remembers who paid for a lease, if that is none of its renters. A full list learns nobody more. */
export function learnPayer(ctx: Ctx, lease: BookingRow, { fullName, phoneNumber }: Told, source: PayerSource): void {
  const told = { fullName, phoneNumber }
  if (keyOf(told) === '' || isRenter(ctx, lease, told)) return
  const rows = payersOf(ctx.tx, lease.orgId, lease.id)
  if (rows.length >= MOST_PAYERS || rows.some((row) => keyOf(row) === keyOf(told))) return
  add(ctx, lease, { ...told, source, kiosk: false })
}

/** A renewal has the payers of the lease that it goes on from. */
export function copyPayers(ctx: Ctx, from: Lease, to: Lease): void {
  for (const { fullName, phoneNumber, source, kiosk } of payersOf(ctx.tx, from.orgId, from.id))
    add(ctx, to, { fullName, phoneNumber, source, kiosk })
}

/**
 * Puts these payers on a lease in place of those before; who stays keeps how and since when they are known.
 * @throws invalid_state for a lease that never was sent out, validation_failed
 */
export function putPayers(ctx: Ctx, lease: BookingRow, { payers }: PayersPut): Payers {
  if (lease.status === 'DRAFT' || lease.status === 'CANCELLED') throw refused(lease.status, [])
  const wanted = payers.map(({ fullName = null, phoneNumber = null, kiosk }) => ({
    ...{ fullName, phoneNumber },
    kiosk: kiosk === true,
  }))
  for (const [i, one] of wanted.entries()) {
    if (keyOf(one) === '' || (one.kiosk && one.phoneNumber === null))
      throw invalid(`/payers/${i}/phoneNumber`, 'Give the number of the payer.', 'Donnez le numéro du payeur.')
    if (isRenter(ctx, lease, one))
      throw invalid(`/payers/${i}`, 'That is a renter of this lease.', 'C’est un locataire de ce bail.')
    if (wanted.findIndex((other) => keyOf(other) === keyOf(one)) < i)
      throw invalid(`/payers/${i}`, 'Is there twice.', 'Y figure deux fois.')
  }
  const before = payersOf(ctx.tx, lease.orgId, lease.id)
  for (const row of before)
    if (!wanted.some((one) => keyOf(one) === keyOf(row))) {
      dropPayer(ctx.tx, row)
      record(ctx, 'lease_payer.remove', { type: 'lease_payer', before: row, details: { bookingId: lease.id } })
    }
  for (const one of wanted) {
    const known = before.find((row) => keyOf(row) === keyOf(one))
    const { fullName, kiosk } = one
    if (!known) add(ctx, lease, { ...one, source: 'ENTERED' })
    else if (known.fullName !== fullName || known.kiosk !== kiosk)
      change(ctx, savePayer, known, { fullName, kiosk }, 'lease_payer.update', { bookingId: lease.id })
  }
  return payersOn(ctx.tx, lease.orgId, lease.id)
}
