import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { change, type Patch, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { rentOn } from './rules.ts'
import { insertRentChange, type RentChangeRow, rentChangesOf, saveRentChange } from './store.ts'

/** Enters a change of a lease's rent. */
export function addRentChange(ctx: Ctx, row: RentChangeRow, more: object = {}): RentChangeRow {
  insertRentChange(ctx.tx, row)
  const details = { ...more, bookingId: row.bookingId }
  record(ctx, 'rent_change.create', { type: 'rent_change', after: row, details })
  return row
}

type Move = 'begin' | 'agree' | 'cancel' | 'decline'
/** Moves a change of a lease's rent on: its day comes, the tenant agrees or refuses, or it is cancelled. */
export const moveRentChange = (
  ctx: Ctx,
  before: RentChangeRow,
  move: Move,
  patch: Patch<typeof saveRentChange>,
): RentChangeRow => change(ctx, saveRentChange, before, patch, `rent_change.${move}`, { bookingId: before.bookingId })

/** The changes of a lease's rent that count, by their day. */
export const rentSteps = (ctx: Ctx, { orgId, id }: BookingRow): RentChangeRow[] =>
  rentChangesOf(ctx.tx, orgId, id).filter(({ status }) => status !== 'PROPOSED')

/** The lease with its rent of a day, and the next change after it. */
export function rentAt(row: BookingRow, steps: readonly RentChangeRow[], day: string): BookingRow {
  const coming = steps.find(({ fromDate }) => fromDate > day)
  return {
    ...row,
    rentAmount: rentOn(steps, row.rentAmount, day),
    nextRentOn: coming?.fromDate ?? null,
    nextRentAmount: coming?.rentAmount ?? null,
  }
}

/** Puts the changes in force whose day has come. */
export function beginRents(ctx: Ctx, row: BookingRow, steps: readonly RentChangeRow[], today: string): BookingRow {
  for (const step of steps)
    if (step.status === 'SCHEDULED' && step.fromDate <= today)
      moveRentChange(ctx, step, 'begin', { status: 'IN_FORCE' })
  return rentAt(row, steps, today)
}
