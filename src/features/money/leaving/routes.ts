import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { rowOf } from '../../../http/mutation.ts'
import { EVERYONE, type Http, LANDLORDS } from '../../../http/routes.ts'
import { Body, DateOnly } from '../../../http/schema.ts'
import { Booking, NoticeCreate, Terminate, toBooking } from '../../lease/leases/model.ts'
import { getBooking, partyBooking } from '../../lease/leases/store.ts'
import { correctBooking } from './correct.ts'
import { LeaseCorrection, Settlement } from './model.ts'
import { giveNotice, withdrawNotice } from './notice.ts'
import { settlementSeen } from './settlement.ts'
import { reinstateBooking, terminateBooking } from './terminate.ts'

/** Ending a lease, and undoing the end. */
export const endings = (http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .post(
      '/:id/terminate',
      ({ body, mutate }) => mutate({ body, run: terminateBooking, view: toBooking, current: rowOf(getBooking) }),
      {
        access: LANDLORDS,
        body: Terminate,
        problems: ['invalid_state'],
        shows: { status: 'TERMINATED', endDate: '2026-03-31', terminatedAt: '2026-03-31T17:00:00.000Z' },
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
      ({ body, mutate }) => mutate({ body, run: reinstateBooking, view: toBooking, current: rowOf(getBooking) }),
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

/** What the end of a lease settles, and settled. */
export const settlements = (http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .get(
      '/:id/settlement',
      ({ params: { id }, query, preview }) => preview((ctx) => settlementSeen(ctx, id, query.endDate)),
      {
        access: EVERYONE,
        query: Type.Object({
          endDate: Type.Optional({
            ...DateOnly,
            description: 'The last day of the lease, as for `terminate`; has no effect for a TERMINATED lease.',
          }),
        }),
        problems: ['invalid_state'],
        answers: { 200: Settlement },
        detail: {
          summary: 'Preview the settlement of a lease',
          description: [
            'Returns every figure of `terminate` for the given day (today if omitted), and writes nothing. What',
            '`terminate` would refuse is refused here with the same words. For a TERMINATED lease, returns what',
            'its end settled, and what was paid since. The tenant can read it only then (403 before).',
          ].join(' '),
          operationId: 'previewSettlement',
          'x-versioned': true,
        } as object,
      },
    )

/** Putting a typing error in a lease in force right. */
export const corrections = (http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .post(
      '/:id/correct',
      ({ body, mutate }) => mutate({ body, run: correctBooking, view: toBooking, current: rowOf(getBooking) }),
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

/** Notice to leave, and the planned end of a lease. */
export const departures = (http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .post(
      '/:id/notice',
      ({ body, mutate }) => mutate({ body, run: giveNotice, view: toBooking, current: rowOf(partyBooking) }),
      {
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
            'lease’s `noticeMonths` is recorded with `inTime: false`. Where the landlord ends an open-ended business',
            'lease sooner than the law allows, `confirm: true` is needed (422 at /confirm with the sentence of the',
            'law), and the lease does not end by itself. A paper is created, the other party gets a',
            'message, and a renewal that is not signed is cancelled.',
          ].join(' '),
          operationId: 'giveNotice',
        },
      },
    )
    .delete(
      '/:id/notice',
      ({ mutate }) => mutate({ run: withdrawNotice, view: toBooking, current: rowOf(partyBooking) }),
      {
        access: EVERYONE,
        problems: ['invalid_state', 'unit_unavailable'],
        answers: { 200: Booking },
        detail: {
          summary: 'Withdraw a notice before its day',
          description:
            'The lease goes on as agreed. An invoice of its last days alone is replaced by one of the whole period. Tenants withdraw their own notice, landlords a notice that their side entered. Refused with 409 if the unit is let from the day after.',
          operationId: 'withdrawNotice',
        },
      },
    )
