import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { EVERYONE, type Http, rowOf } from '../../../http/routes.ts'
import { Booking, NoticeCreate, toBooking } from '../../lease/bookings/model.ts'
import { partyBooking } from '../../lease/bookings/store.ts'
import { giveNotice, withdrawNotice } from './service.ts'

/** Notice to leave, and the planned end of a lease. */
export const departures = (_deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .post('/:id/notice', ({ body, mutate }) => mutate(200, body, giveNotice, toBooking, rowOf(partyBooking)), {
      access: EVERYONE,
      body: NoticeCreate,
      problems: ['invalid_state', 'duplicate', 'quota_exceeded'],
      answers: { 200: Booking },
      detail: {
        summary: 'Give notice to leave, or record the other party’s',
        description: [
          'The lease ends on `leaveOn` without further action, with the settlement of `terminate`, and the unit',
          'can be let from the day after. A tenant gives TENANT’s notice of their own lease. The landlord’s',
          'side gives LANDLORD’s, or records a notice that the tenant gave on paper. A notice shorter than the',
          'lease’s `noticeMonths` is recorded with `inTime: false`. A paper is created, the other party gets a',
          'message, and a renewal that is not signed is cancelled.',
        ].join(' '),
        operationId: 'giveNotice',
      },
    })
    .delete('/:id/notice', ({ mutate }) => mutate(200, undefined, withdrawNotice, toBooking, rowOf(partyBooking)), {
      access: EVERYONE,
      problems: ['invalid_state', 'unit_unavailable'],
      answers: { 200: Booking },
      detail: {
        summary: 'Withdraw a notice before its day',
        description:
          'The lease goes on as agreed. An invoice of its last days alone is replaced by one of the whole period. Tenants withdraw their own notice, landlords a notice that their side entered. Refused with 409 if the unit is let from the day after.',
        operationId: 'withdrawNotice',
      },
    })
