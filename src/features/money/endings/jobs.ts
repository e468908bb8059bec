import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { LongChange } from '../../../adapters/imports/port.ts'
import { type LongWork, writeLong } from '../../../jobs/long.ts'
import type { Terminate } from '../../lease/bookings/model.ts'
import { bookingOf } from '../../lease/bookings/service.ts'
import { reinstateBooking, terminateBooking } from './service.ts'

// The end of a lease with many invoices, in the thread of long writes. Each throws what its use case throws, and
// precondition_failed for a version not `seen`.
export const terminateLong = (work: LongWork, change: LongChange): Promise<BookingRow> =>
  writeLong(work, change, bookingOf, (ctx) => terminateBooking(ctx, change.id, change.given as Terminate))

export const reinstateLong = (work: LongWork, change: LongChange): Promise<BookingRow> =>
  writeLong(work, change, bookingOf, (ctx) => reinstateBooking(ctx, change.id))
