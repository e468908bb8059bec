import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS } from '../../../http/routes.ts'
import { Body } from '../../../http/schema.ts'
import { partyBooking } from '../../lease/bookings/store.ts'
import { DownloadLink, Inline } from '../../papers/media/model.ts'
import { Notice, toNotice } from './model.ts'
import { letterLink, noticeOf, revokeLink } from './service.ts'
import { listNotices } from './store.ts'

export const reminders = (deps: Deps, http: Http) =>
  new Elysia({ tags: ['Reminders'] })
    .use(http)
    .get(
      '/api/v1/bookings/:id/notices',
      ({ caller, params, many, query }) => {
        if (!partyBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return many('notices', { ...query, bookingId: params.id }, ['bookingId', 'updatedSince'], (q) =>
          listNotices(deps.db, q),
        )
      },
      {
        access: EVERYONE,
        query: ListParameters({}),
        answers: { 200: Type.Array(Notice) },
        detail: {
          summary: 'List the notices sent to the tenant about invoices of a lease',
          operationId: 'listNotices',
        },
      },
    )
    .post(
      '/api/v1/notices/:id/revoke-link',
      ({ body, mutate }) =>
        mutate(
          200,
          body,
          (ctx, id) => revokeLink(ctx, id, new Date(deps.clock.wall()).toISOString()),
          toNotice,
          noticeOf,
        ),
      {
        access: LANDLORDS,
        body: Body({}),
        answers: { 200: Notice },
        detail: { summary: "Revoke the link of a notice's message", operationId: 'revokeNoticeLink' },
      },
    )
    .get(
      '/api/v1/notices/:id/letter-url',
      ({ caller, params, query, set }) => {
        const url = letterLink(deps, caller, params.id, query.inline === 'true')
        set.headers['cache-control'] = 'no-store'
        return { url }
      },
      {
        access: EVERYONE,
        query: Type.Object({ inline: Inline }),
        problems: ['invalid_state'],
        answers: { 200: DownloadLink },
        detail: {
          summary: 'Get a short-lived link to the letter of a formal notice',
          operationId: 'getNoticeLetterUrl',
        },
      },
    )
