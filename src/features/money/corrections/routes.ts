import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { type Http, LANDLORDS, rowOf } from '../../../http/routes.ts'
import { Booking, toBooking } from '../../lease/bookings/model.ts'
import { getBooking } from '../../lease/bookings/store.ts'
import { hasManyInvoices } from '../invoices/store.ts'
import { LeaseCorrection } from './model.ts'
import { correctBooking } from './service.ts'

/** Putting a typing error in a lease in force right. */
export const corrections = ({ db, importThread }: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] }).use(http).post(
    '/:id/correct',
    async ({ caller: { orgId, scope }, params: { id }, body, mutate, inThread }) => {
      const row = importThread && getBooking(db, orgId, scope, id)
      return row && hasManyInvoices(db, orgId, id, '')
        ? inThread('correct', row, body, toBooking)
        : mutate(200, body, correctBooking, toBooking, rowOf(getBooking))
    },
    {
      access: LANDLORDS,
      body: LeaseCorrection,
      problems: ['invalid_state', 'unit_unavailable', 'manager_required', 'member_elsewhere', 'quota_exceeded'],
      answers: { 200: Booking },
      detail: {
        summary: 'Put a mistake in an ACTIVE lease right',
        description: [
          'A mistyped rent, date or tenant: until the end of the rent period in which the lease came into force, and while',
          'nothing was paid (409 says what to do instead). Its invoices and its contract are void and made anew, and everybody',
          'on it is told. A lease signed by code is PENDING again: it goes out for signing with the corrected text, and is billed',
          'once all have signed; one signed by hand or before stays ACTIVE.',
          'A lease that went on by itself past an end within a period keeps the periods that it has since then; to have days',
          'before them billed anew, give the end that was agreed too (422 at `/endDate` names it).',
          'Another tenant is put in only while the one it names has not signed, declared money, or had a repair or an',
          'inspection (409): who was named by mistake sees the lease no more, and the right one nothing of what was made in their name.',
        ].join(' '),
        operationId: 'correctBooking',
      },
    },
  )
