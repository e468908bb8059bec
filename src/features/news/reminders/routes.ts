import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { languageChosen, languageOf } from '../../../http/gate.ts'
import { ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS } from '../../../http/routes.ts'
import { Body, page, Uuid } from '../../../http/schema.ts'
import { invoicePage, noInvoicePage } from '../../../web/invoice.ts'
import { partyBooking } from '../../lease/bookings/store.ts'
import { DownloadLink, Inline } from '../../papers/media/model.ts'
import { Notice, toNotice } from './model.ts'
import { letterLink, noticeOf, openLink, revokeLink, sharedInvoice, sharedPaper } from './service.ts'
import { listNotices } from './store.ts'

const ById = Type.Object({ id: Uuid })
/** The pages for a link that is unknown or closed. */
const NO_PAGE = {
  404: page('A page that says that there is no such link.'),
  410: page('A page that says that the link is closed: revoked, or over.'),
}
const PAPERS: readonly string[] = ['invoice.pdf', 'letter.pdf']

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
        params: ById,
        query: ListParameters({}),
        answers: { 200: Type.Array(Notice) },
        detail: { summary: 'What the tenant was told about the invoices of a lease', operationId: 'listNotices' },
      },
    )
    .post(
      '/api/v1/notices/:id/revoke-link',
      ({ params, body, mutate }) =>
        mutate(
          200,
          body,
          (ctx) => revokeLink(ctx, params.id, new Date(deps.clock.wall()).toISOString()),
          toNotice,
          (ctx) => noticeOf(ctx, params.id),
        ),
      {
        access: LANDLORDS,
        params: ById,
        body: Body({}),
        answers: { 200: Notice },
        detail: { summary: "Close the link of a notice's message", operationId: 'revokeNoticeLink' },
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
        params: ById,
        query: Type.Object({ inline: Inline }),
        problems: ['invalid_state'],
        answers: { 200: DownloadLink },
        detail: { summary: 'A short-lived link to the letter of a formal notice', operationId: 'getNoticeLetterUrl' },
      },
    )
    .get(
      '/i/:token',
      ({ params: { token }, request }) => {
        const link = openLink(deps, token)
        const locale = languageChosen(request) ?? link?.notice.locale ?? languageOf(request, 'fr')
        if (!link?.open) return noInvoicePage(locale, token, link ? 'closed' : 'unknown')
        return invoicePage({ locale, token, shown: sharedInvoice(deps, link.notice) })
      },
      {
        params: Type.Object({ token: Type.String({ description: 'The token of the link in the message.' }) }),
        access: 'public',
        detail: {
          summary: "The invoice behind a message's link, as a page",
          operationId: 'sharedInvoice',
          responses: {
            200: page('The invoice, what is open of it and how to pay.'),
            ...NO_PAGE,
          },
        } as object,
      },
    )
    .get(
      '/i/:token/:file',
      ({ params: { token, file }, request }) => {
        const link = PAPERS.includes(file) ? openLink(deps, token) : undefined
        if (!link?.open)
          return noInvoicePage(link?.notice.locale ?? languageOf(request, 'fr'), token, link ? 'closed' : 'unknown')
        // If there is no file, the page itself says so.
        const location = sharedPaper(deps, link.notice, file) ?? `/i/${token}`
        const headers = { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
        return new Response(null, { status: 303, headers })
      },
      {
        params: Type.Object({
          token: Type.String({ description: 'The token of the link in the message.' }),
          file: Type.String({ description: '`invoice.pdf` or `letter.pdf`.' }),
        }),
        access: 'public',
        detail: {
          summary: "A paper behind a message's link",
          operationId: 'sharedPaper',
          responses: {
            ...NO_PAGE,
            303: {
              description: 'Where the PDF is, by a link of a few minutes.',
              headers: { Location: { $ref: '#/components/headers/Location' } },
            },
          },
        } as object,
      },
    )
