import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { asTenant, type Caller } from '../../../context.ts'
import { isPart, type Scope } from '../../../core/scope.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { BookingId } from '../../../http/members.ts'
import { rowOf } from '../../../http/mutation.ts'
import { contains, filtersOf, ListParameters, Of } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { Body, DateOnly, QueryBoolean, someOf, Text } from '../../../http/schema.ts'
import { onToday } from '../../people/organizations/store.ts'
import { tenantHidden, tenantsByAccount } from '../../people/tenants/store.ts'
import {
  Booking,
  BookingCreate,
  BookingPatch,
  noticeView,
  Payers,
  PayersPut,
  Renew,
  Submit,
  toBooking,
  toPayers,
} from './model.ts'
import { payersOn, putPayers } from './payers.ts'
import { BOOKING_STATUS, termsRule } from './rules.ts'
import { bookingOf, createBooking, moveBooking, renewBooking, updateBooking } from './service.ts'
import { getBooking, listBookings, partyBooking } from './store.ts'

const Query = ListParameters({
  status: Type.Optional(someOf(BOOKING_STATUS)),
  requested: Type.Optional(
    QueryBoolean({
      description: 'true: only those that a tenant requested; false: only those that a landlord drew up.',
    }),
  ),
  endsBefore: Type.Optional({
    ...DateOnly,
    description: 'Only those that end on this day or earlier, ordered by that day.',
  }),
  q: Type.Optional({
    ...Text({ max: 100 }),
    description: 'A part of the name of the tenant, the unit or the property.',
  }),
  tenantId: Of('leases of this tenant'),
  unitId: Of('this unit'),
  propertyId: Of('this property'),
  tenantUserId: Of("this user's leases"),
})

const FILTERS = filtersOf(Query)

/** In the examples: a lease that was not sent out yet. */
const NOT_SENT = { submittedAt: undefined, activatedAt: undefined }

/** A booking as the caller may read it. */
const viewOf =
  ({ db }: Pick<Deps, 'db'>, { scope }: Caller) =>
  (row: BookingRow) => {
    const hidden = tenantHidden(db, scope, row)
    return toBooking(hidden ? { ...row, ...hidden } : row)
  }

/** Turns the filter by a user's account into one by tenants, as far as the caller may know whose account it is. */
function ofAccount(db: Deps['db'], scope: Scope, { orgId, values }: Parameters<typeof listBookings>[1]) {
  const { tenantUserId, tenantId } = values
  const tenantIds = tenantUserId === undefined ? undefined : tenantsByAccount(db, orgId, scope, tenantUserId)
  const ids = tenantIds?.filter((id) => tenantId === undefined || id === tenantId)
  // Nobody has an empty id.
  return ids && (ids.length > 0 ? ids : ['']).map((id) => ({ tenantId: id }))
}

export const bookings = (deps: Deps, http: Http) =>
  new Elysia({
    prefix: '/api/v1/bookings',
    ...section(
      'Bookings',
      "Leases between a tenant and a unit: DRAFT, PENDING, ACTIVE, then CANCELLED or TERMINATED. If an OWNER names a tenant by a number or an account, they see only that number as the tenant's name, or its last digits if another owner entered the account. They see the name once both parties have signed, or once a MANAGER or ADMIN submits or activates the lease. In a DRAFT or CANCELLED lease with a tenant whom they may not see, an owner sees the last digits, unless the tenant requested the draft or a MANAGER or ADMIN drew it up. See Tenants for who sees whom.",
    ),
  })
    .use(http)
    .post(
      '',
      ({ caller, body, mutate }) =>
        mutate({
          status: 201,
          body,
          run: (ctx) => createBooking(ctx, body),
          // Whoever named the account reads it in this answer; elsewhere it is shown to who may know of it.
          view: (row) => ({
            ...viewOf(deps, caller)(row),
            ...(body.tenantUserId && { tenantUserId: body.tenantUserId }),
          }),
        }),
      {
        access: EVERYONE,
        body: BookingCreate,
        rules: onToday(deps, termsRule),
        problems: [
          'not_found',
          'invalid_state',
          'unit_unavailable',
          'too_many_open_requests',
          'member_elsewhere',
          'quota_exceeded',
        ],
        creates: ['/api/v1/bookings/{id}'],
        shows: { status: 'DRAFT', ...NOT_SENT },
        answers: { 201: Booking },
        detail: {
          summary: 'Draw up a lease (DRAFT), or request a free unit as its tenant',
          description:
            'A draft discloses nothing about an account: `tenantUserId` is in this answer if the request named it, and read elsewhere only by who may know of it. Its landlord does not learn whether a number has an account, nor who is behind an account or number that they do not know. The person named in it does not see the draft until it is sent out by `submit`. Refused with 409 `member_elsewhere` if the number belongs to an account of another organization.',
          operationId: 'createBooking',
        },
      },
    )
    .get(
      '',
      ({ many, query }) =>
        many({ name: 'bookings', query: { ...query, q: contains(query.q) }, filters: FILTERS }, (q) => {
          const scope = asTenant(q.scope, q.values.tenantUserId)
          const page = listBookings(deps.db, { ...q, scope, branches: ofAccount(deps.db, scope, q) })
          const read = page.rows.map(({ notice, ...row }) => (notice ? { ...row, notice: noticeView(notice) } : row))
          if (!isPart(scope)) return { ...page, rows: read }
          const rows = read.map((row) => {
            const hidden = tenantHidden(deps.db, scope, { ...row, ownerUserId: scope.userId })
            return hidden ? { ...row, ...hidden, tenantUserId: undefined } : row
          })
          return { ...page, rows }
        }),
      {
        access: EVERYONE,
        query: Query,
        answers: { 200: Type.Array(Booking) },
        detail: {
          summary: 'List leases',
          description: 'A TENANT sees their own requests, and their leases once these were sent out.',
          operationId: 'listBookings',
        },
      },
    )
    .get('/:id', ({ caller, cached }) => cached(partyBooking, viewOf(deps, caller)), {
      access: EVERYONE,
      answers: { 200: Booking },
      detail: {
        summary: 'Read a lease',
        description: 'A TENANT sees their own requests, and their leases once these were sent out.',
        operationId: 'getBooking',
      },
    })
    .patch(
      '/:id',
      ({ caller, body, mutate }) =>
        mutate({ body, run: updateBooking, view: viewOf(deps, caller), current: rowOf(getBooking) }),
      {
        access: LANDLORDS,
        body: BookingPatch,
        problems: ['invalid_state', 'unit_unavailable'],
        shows: { status: 'DRAFT', ...NOT_SENT },
        answers: { 200: Booking },
        detail: {
          summary: 'Change a lease (JSON merge patch)',
          description:
            'A DRAFT or PENDING lease can be changed freely. Of an ACTIVE lease, only `autoRenew` can be changed, and an open-ended lease can be given an `endDate` that is not before the end of the rent already invoiced; the tenant gets a message. To change the rent of an ACTIVE lease, use POST …/rent-changes.',
          operationId: 'updateBooking',
        },
      },
    )
    .post(
      '/:id/submit',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => moveBooking(ctx, id, 'submit', body.blanks === false ? undefined : { how: 'BLANK' }),
          view: toBooking,
          current: rowOf(getBooking),
        }),
      {
        access: LANDLORDS,
        body: Submit,
        problems: ['invalid_state', 'unit_unavailable', 'manager_required', 'tenant_unnamed'],
        shows: { status: 'PENDING', activatedAt: undefined },
        answers: { 200: Booking },
        detail: {
          summary: 'Send a DRAFT lease out for signing and reserve the unit',
          description:
            'Refused with 403 `manager_required` if the caller does not know the tenant, the tenant did not request the unit, and no manager drew the lease up. If a telephone number stands in place of the tenant’s name, the paper leaves a line to fill in and sign by hand; with `blanks: false` such a lease is refused with 422 `tenant_unnamed`.',
          operationId: 'submitBooking',
        },
      },
    )
    .post(
      '/:id/activate',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => moveBooking(ctx, id, 'activate'),
          view: toBooking,
          current: rowOf(getBooking),
        }),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state'],
        answers: { 200: Booking },
        detail: {
          summary: 'Activate a PENDING lease',
          description: 'Rent is billed from now on.',
          operationId: 'activateBooking',
        },
      },
    )
    .post(
      '/:id/cancel',
      ({ caller, body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => moveBooking(ctx, id, 'cancel'),
          view: viewOf(deps, caller),
          current: rowOf(getBooking),
        }),
      {
        access: EVERYONE,
        body: Body({}),
        problems: ['invalid_state'],
        shows: { status: 'CANCELLED', activatedAt: undefined, cancelledAt: '2025-12-21T08:00:00.000Z' },
        answers: { 200: Booking },
        detail: { summary: 'Cancel a DRAFT or PENDING lease', operationId: 'cancelBooking' },
      },
    )
    .post(
      '/:id/renew',
      ({ body, mutate }) =>
        mutate({ status: 201, body, run: renewBooking, view: toBooking, current: rowOf(getBooking) }),
      {
        access: LANDLORDS,
        body: Renew,
        problems: ['invalid_state', 'duplicate', 'quota_exceeded'],
        creates: ['/api/v1/bookings/{id}'],
        shows: {
          status: 'DRAFT',
          startDate: '2027-01-01',
          endDate: '2027-12-31',
          renewsBookingId: BookingId.examples[0],
          ...NOT_SENT,
        },
        answers: { 201: Booking },
        detail: {
          summary: 'Draw up the renewal of an ACTIVE lease',
          description: 'The renewal starts on the day after the end of the lease.',
          operationId: 'renewBooking',
        },
      },
    )
    .get(
      '/:id/payers',
      ({ caller, params, one }) => {
        if (!getBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return one(payersOn(deps.db, caller.orgId, params.id), toPayers)
      },
      {
        access: LANDLORDS,
        answers: { 200: Payers },
        detail: {
          summary: 'List who else pays for a lease',
          description:
            'A relative, a company, a second number of the tenant: learnt from each payment that somebody put on the lease. An operator’s message from such a number is taken like one from the tenant’s own, unless the number is known for another lease too, or is a kiosk’s. A renewal takes the list over.',
          operationId: 'getLeasePayers',
        },
      },
    )
    .put(
      '/:id/payers',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => putPayers(ctx, bookingOf(ctx, id), body),
          view: toPayers,
          current: ({ tx, caller: { orgId, scope } }, id) =>
            getBooking(tx, orgId, scope, id) && payersOn(tx, orgId, id),
        }),
      {
        access: LANDLORDS,
        body: PayersPut,
        problems: ['invalid_state'],
        answers: { 200: Payers },
        detail: {
          summary: 'Replace the list of who else pays for a lease',
          description:
            'Of a PENDING, ACTIVE or TERMINATED lease. Who stays in it keeps how and since when they are known. Payments stay as they are.',
          operationId: 'putLeasePayers',
        },
      },
    )
