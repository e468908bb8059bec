import { Elysia } from 'elysia'
import type { Caller } from '../../../context.ts'
import type { Deps } from '../../../deps.ts'
import { type Http, LANDLORDS, rowOf } from '../../../http/routes.ts'
import { Body } from '../../../http/schema.ts'
import { Booking, Terminate, toBooking } from '../../lease/bookings/model.ts'
import { type BookingRow, getBooking } from '../../lease/bookings/store.ts'
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
            'Invoices of later periods are cancelled and the open one of the current period is replaced by one of the days that',
            'were lived; a PAID one stays, with what was paid for time after the end as `creditedAmount`. Time alone is given',
            'back: the rent and its VAT. Charges (water, power, fees) stay owed or paid; where their month is cancelled they',
            'have an invoice of their own with its period. What the tenant has to get is `creditAmount`, given back by a REFUND.',
            'Credit and debts of the same tenant and owner set each other off, those of their other leases too (SET_OFF payments),',
            'unless others rent with them. Receipts of what was credited are replaced by ones that say so, and a STATEMENT is made out. An `endDate` more than',
            'a month back wants `confirm: true` (422 at /confirm).',
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
            'The exact inverse of `terminate`: the lease is ACTIVE with its end from before, cancelled invoices are owed again',
            'under their numbers, those in their place are cancelled, and what was credited is paid again. What was paid or',
            'charged since goes along. Statement and papers of the end are void, receipts are made out anew. Refused (409) once a',
            'refund was made and not reversed, once the unit is let again, while a regularisation in force has taken provisions',
            'that were charged since, and for a lease that ended by its date. Entries of the deposit stay; what was set off with',
            'other leases comes back.',
          ].join(' '),
          operationId: 'reinstateBooking',
        },
      },
    )
}
