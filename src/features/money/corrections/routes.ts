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
        summary: 'Correct a mistake in an ACTIVE lease',
        description: [
          'Corrects a mistyped rent, date or tenant. This is possible until the end of the rent period in which',
          'the lease came into force, and while nothing is paid; after that, the request is refused with 409,',
          'which says what to do instead. The invoices and the contract are void and created anew, and',
          'everybody on the lease gets a message. A lease signed by code becomes PENDING again: it goes out for',
          'signing with the corrected text, and is billed once all have signed. Any other lease, such as one',
          'signed by hand, stays ACTIVE. A lease that was extended past its end date in the middle of a period',
          'keeps the periods since then. To bill days before them anew, also send the end date that was agreed',
          '(422 at `/endDate` names it). The tenant can be replaced only while the tenant named by mistake has',
          'not signed or declared money, and has no repair or inspection (otherwise 409). The person named by',
          'mistake no longer sees the lease, and the right tenant sees nothing that was created in that',
          "person's name.",
        ].join(' '),
        operationId: 'correctBooking',
      },
    },
  )
