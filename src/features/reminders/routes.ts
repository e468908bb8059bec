import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { EVERYONE, type Http, LANDLORDS } from '../../http/http.ts'
import { ListParameters } from '../../http/paging.ts'
import { Body, Uuid } from '../../http/schema.ts'
import { getBooking } from '../bookings/store.ts'
import { Notice, Remind, toNotice } from './model.ts'
import { remind, revokeLink } from './service.ts'
import { listNotices } from './store.ts'

const ById = Type.Object({ id: Uuid })

export const reminders = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1', tags: ['Reminders'] })
    .use(http)
    .get(
      '/bookings/:id/notices',
      ({ caller, params, many, query }) => {
        if (!getBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return many('notices', { ...query, bookingId: params.id }, ['bookingId', 'updatedSince'], (q) =>
          listNotices(deps.db, q),
        )
      },
      {
        access: EVERYONE,
        params: ById,
        query: ListParameters({}),
        answers: { 200: Type.Array(Notice) },
        detail: { summary: 'What the tenant was told about the invoices of a lease', operationId: 'listNotices' },
      },
    )
    .post(
      '/invoices/:id/remind',
      ({ params, body, mutate }) => mutate(201, body, (ctx) => remind(deps, ctx, params.id, body), toNotice),
      {
        access: LANDLORDS,
        params: ById,
        body: Remind,
        problems: ['invalid_state', 'duplicate', 'no_phone_number'],
        answers: { 201: Notice },
        detail: {
          summary: 'Remind the tenant of an invoice now',
          operationId: 'remindInvoice',
          description:
            'Without a step the next one of the ladder: UPCOMING or DUE before it is late, then REMINDER, then FINAL. FORMAL_NOTICE goes out only when it is named. Quiet hours do not hold it back.',
        },
      },
    )
    .post(
      '/notices/:id/revoke-link',
      ({ params, body, mutate }) =>
        mutate(200, body, (ctx) => revokeLink(ctx, params.id, new Date(deps.clock.wall()).toISOString()), toNotice),
      {
        access: LANDLORDS,
        params: ById,
        body: Body({}),
        answers: { 200: Notice },
        detail: { summary: "Close the link of a notice's message", operationId: 'revokeNoticeLink' },
      },
    )
