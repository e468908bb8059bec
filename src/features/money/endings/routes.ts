import { Elysia } from 'elysia'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { Caller } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { type Http, LANDLORDS, rowOf } from '../../../http/routes.ts'
import { Body } from '../../../http/schema.ts'
import { Booking, Terminate, toBooking } from '../../lease/bookings/model.ts'
import { getBooking } from '../../lease/bookings/store.ts'
import { hasManyInvoices, MANY } from '../invoices/store.ts'
import { reinstateBooking, terminateBooking } from './service.ts'

const hasLongSettlement = ({ settlement }: BookingRow): boolean =>
  settlement !== null && settlement.cancelled.length + settlement.credited.length > MANY

/** Ending a lease, and undoing the end. */
export const endings = ({ db, importThread }: Deps, http: Http) => {
  /** Where another thread can change it. */
  const leaseOf = ({ orgId, scope }: Caller, id: string): BookingRow | undefined =>
    importThread && getBooking(db, orgId, scope, id)
  return new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .post(
      '/:id/terminate',
      async ({ caller, params: { id }, body, mutate, inThread }) => {
        const row = leaseOf(caller, id)
        return row && hasManyInvoices(db, caller.orgId, id, body.endDate)
          ? inThread('terminate', row, body, toBooking)
          : mutate(200, body, terminateBooking, toBooking, rowOf(getBooking))
      },
      {
        access: LANDLORDS,
        body: Terminate,
        problems: ['invalid_state'],
        answers: { 200: Booking },
        detail: {
          summary: 'End an ACTIVE lease and settle its invoices',
          description: [
            'Cancels the invoices of later periods, and replaces the open invoice of the current period with one',
            'for the days up to the end. A PAID invoice stays; the part paid for time after the end is its',
            '`creditedAmount`. Only time is credited: the rent and its VAT. Charges (water, power, fees) stay',
            'owed or paid; if the invoice of their month is cancelled, they get an invoice of their own with its',
            'period. `creditAmount` is what the tenant is to get back; a REFUND pays it out. Credit and debts of',
            'the same tenant and owner offset each other, also across their other leases (SET_OFF payments),',
            'unless other people rent with them. Receipts of credited amounts are replaced by receipts that say',
            'so, and a STATEMENT is created. An `endDate` more than a month ago requires `confirm: true` (422 at',
            '/confirm).',
          ].join(' '),
          operationId: 'terminateBooking',
        },
      },
    )
    .post(
      '/:id/reinstate',
      async ({ caller, params: { id }, body, mutate, inThread }) => {
        const row = leaseOf(caller, id)
        return row && hasLongSettlement(row)
          ? inThread('reinstate', row, body, toBooking)
          : mutate(200, body, reinstateBooking, toBooking, rowOf(getBooking))
      },
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state', 'unit_unavailable', 'quota_exceeded'],
        answers: { 200: Booking },
        detail: {
          summary: 'Undo the end of a lease',
          description: [
            'The exact inverse of `terminate`. The lease is ACTIVE again with its previous end date. Cancelled',
            'invoices are owed again under their numbers, the invoices that replaced them are cancelled, and',
            'credited amounts are paid again. Payments and charges recorded since then are kept. The statement',
            'and papers of the end are void, and receipts are issued anew. Deposit entries stay, and amounts',
            'offset against other leases are restored. Refused with 409 if a refund was made and not reversed, if',
            'the unit is let again, if a regularisation in force has taken provisions that were charged since, or',
            'if the lease ended by its date.',
          ].join(' '),
          operationId: 'reinstateBooking',
        },
      },
    )
}
