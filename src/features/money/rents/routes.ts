import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { askingOf, ONCE } from '../../../http/codes.ts'
import { etagOf } from '../../../http/etag.ts'
import { rowOf } from '../../../http/mutation.ts'
import { ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS } from '../../../http/routes.ts'
import { Body } from '../../../http/schema.ts'
import { RentChange, RentChangeCreate, RentDecline, toRentChange } from '../../lease/leases/model.ts'
import { getBooking, listRentChanges, partyBooking } from '../../lease/leases/store.ts'
import { AttachCopy, Sign, SigningCode } from '../../lease/signing/model.ts'
import { PhoneChallenge } from '../../people/codes/model.ts'
import { attachRider, declineRider, requestRiderCode, riderOf, signRider } from './riders.ts'
import { cancelRent, changeRent, readRentChange } from './service.ts'

/** Changes of the rent of a running lease. */
export const rentChanges = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .get(
      '/:id/rent-changes',
      ({ caller, params, many, query }) => {
        if (!partyBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return many(
          { name: 'rent-changes', query: { ...query, bookingId: params.id }, filters: ['bookingId', 'updatedSince'] },
          (q) => {
            const page = listRentChanges(deps.db, q)
            return { ...page, rows: page.rows.map(({ fromDate, ...row }) => ({ ...row, from: fromDate })) }
          },
        )
      },
      {
        access: EVERYONE,
        query: ListParameters({}),
        answers: { 200: Type.Array(RentChange) },
        detail: { summary: 'List the past and future rent changes of a lease', operationId: 'listRentChanges' },
      },
    )
    .post(
      '/:id/rent-changes',
      ({ body, mutate }) =>
        mutate({ status: 201, body, run: changeRent, view: toRentChange, current: rowOf(getBooking) }),
      {
        access: LANDLORDS,
        body: RentChangeCreate,
        problems: ['invalid_state', 'duplicate', 'quota_exceeded'],
        creates: ['/api/v1/rent-changes/{id}'],
        answers: { 201: RentChange },
        detail: {
          summary: 'Change the rent of an ACTIVE lease from a given day',
          description: [
            'The tenant gets a message and a paper. Unpaid invoices of periods from that day on are replaced by',
            'invoices at the new rent, which take over charges and money. Paid invoices keep their rent; this',
            'requires `confirm: true` (422 at /confirm). A rise is PROPOSED, but for a home whose lease has',
            '`rentByAgreement: false`, and for business premises under the `reviewClause` of the lease, which the',
            'paper cites, from a period that has not begun. A proposed rise takes effect once the tenant has signed the rider by code,',
            'or once its scan signed on paper is stored, in either case before its first period is over.',
          ].join(' '),
          operationId: 'changeRent',
        },
      },
    )

/** One change of the rent. */
export const rentChange = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/rent-changes', tags: ['Bookings'] })
    .use(http)
    .get('/:id', ({ caller, params, one }) => one(readRentChange(deps.db, caller, params.id), toRentChange), {
      access: EVERYONE,
      answers: { 200: RentChange },
      detail: { summary: 'Read a rent change', operationId: 'getRentChange' },
    })
    .post(
      '/:id/cancel',
      ({ caller, params, body, mutate }) =>
        mutate({
          body,
          run: cancelRent,
          view: toRentChange,
          current: () => readRentChange(deps.db, caller, params.id),
        }),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state'],
        answers: { 200: RentChange },
        detail: {
          summary: 'Cancel a rent change that has not begun',
          description:
            'Its paper is void, and unpaid invoices at its rent are replaced. Refused with 409 if the change has begun, if a later change follows it, or if a period is paid at its rent.',
          operationId: 'cancelRentChange',
        },
      },
    )

/** The tenant's agreement to a change of the rent. */
export function riders(deps: Deps, http: Http) {
  const signer = askingOf(deps)
  return new Elysia({ prefix: '/api/v1/rent-changes', tags: ['Bookings'] })
    .use(http)
    .post(
      '/:id/signatures/otp',
      ({ caller, params, body, request }) =>
        requestRiderCode(deps, signer(request, caller), params.id, body.channel ?? undefined),
      {
        access: EVERYONE,
        body: SigningCode,
        problems: ['invalid_state', 'contract_not_ready', 'too_many_requests', 'delivery_unavailable'],
        answers: { 200: PhoneChallenge },
        detail: {
          summary: 'Send the tenant a code to sign a PROPOSED rent change',
          description: 'The code goes to the number on file.',
          operationId: 'rentChangeOtp',
          ...ONCE,
        },
      },
    )
    .post(
      '/:id/signatures',
      async ({ caller, params, body, request, set }) => {
        const row = await signRider(deps, signer(request, caller), params.id, body)
        set.headers.etag = etagOf(deps.store.epoch, row.version)
        return toRentChange(row)
      },
      {
        access: EVERYONE,
        body: Sign,
        problems: ['invalid_state', 'contract_not_ready', 'challenge_gone', 'wrong_code', 'attempts_exhausted'],
        answers: { 200: RentChange },
        detail: {
          summary: 'Sign a PROPOSED rent change as the tenant',
          description: 'The change takes effect with the signature.',
          operationId: 'signRentChange',
          ...ONCE,
        },
      },
    )
    .post(
      '/:id/decline',
      ({ caller, params, body, mutate }) =>
        mutate({ body, run: declineRider, view: toRentChange, current: () => riderOf(deps.db, caller, params.id) }),
      {
        access: EVERYONE,
        body: RentDecline,
        problems: ['invalid_state'],
        answers: { 200: RentChange },
        detail: {
          summary: 'Decline a PROPOSED rent change as the tenant',
          description:
            'The rent stays as it is. The landlord gets a message with the reason. The change is CANCELLED; another may be proposed.',
          operationId: 'declineRentChange',
        },
      },
    )
    .post(
      '/:id/signed-copy',
      ({ caller, params, body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => attachRider(ctx, id, body.mediaObjectId),
          view: toRentChange,
          current: () => riderOf(deps.db, caller, params.id),
        }),
      {
        access: LANDLORDS,
        body: AttachCopy,
        problems: ['not_found', 'invalid_state'],
        answers: { 200: RentChange },
        detail: {
          summary: 'Store the scan of a rider signed on paper',
          description: 'The rent change takes effect.',
          operationId: 'attachSignedRider',
        },
      },
    )
}
