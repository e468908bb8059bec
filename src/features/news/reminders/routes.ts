import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { localDate } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { digestOf } from '../../../http/etag.ts'
import { languageChosen, languageOf } from '../../../http/language.ts'
import { rowOf } from '../../../http/mutation.ts'
import { ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { Body, page } from '../../../http/schema.ts'
import { invoicePage } from '../../../web/invoice.ts'
import { receiptPage } from '../../../web/receipt.ts'
import { closedPage } from '../../../web/shared-parts.ts'
import { partyBooking } from '../../lease/leases/store.ts'
import { getInvoice } from '../../money/invoices/store.ts'
import { DownloadLink, Inline } from '../../papers/media/model.ts'
import { messagingOf } from '../../people/organizations/rules.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { HandleMessage, Outbox, Remind, Reminded, RemindMany, RentMessage, toRentMessage } from './model.ts'
import { handle, outboxOf } from './outbox.ts'
import { forwardOf, remind, remindMany } from './remind.ts'
import { letterLink, rentMessageOf, revokeLink } from './service.ts'
import { messagePaper, openLink, openReceipt, paymentPaper, sharedInvoice, sharedPayment } from './shared.ts'
import { listRentMessages } from './store.ts'

export const reminders = (deps: Deps, http: Http) =>
  new Elysia(section('Reminders', 'Messages to tenants about what they owe, sent by a schedule or by hand.'))
    .use(http)
    .get(
      '/api/v1/bookings/:id/messages',
      ({ caller, params, many, query }) => {
        if (!partyBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return many(
          { name: 'rentMessages', query: { ...query, bookingId: params.id }, filters: ['bookingId', 'updatedSince'] },
          (q) => listRentMessages(deps.db, q),
        )
      },
      {
        access: EVERYONE,
        query: ListParameters({}),
        answers: { 200: Type.Array(RentMessage) },
        detail: {
          summary: 'List the messages sent to the tenant about invoices of a lease',
          operationId: 'listRentMessages',
        },
      },
    )
    .get(
      '/api/v1/messages',
      ({ caller, one }) => {
        const org = findOrganization(deps.db, caller.orgId)
        if (!org) throw notFound()
        const nowMs = deps.clock.now()
        const day = localDate(nowMs, org.timeZone)
        const version = digestOf([deps.store.orgVersion(org.id), day, caller.userId, caller.roles, messagingOf(deps)])
        return one({ version }, () => outboxOf(deps, { org, caller, nowMs }))
      },
      {
        access: LANDLORDS,
        answers: { 200: Outbox },
        detail: {
          summary: 'Read the messages about rent that are to be sent by hand',
          operationId: 'getOutbox',
          description:
            'Messages are prepared where no vendor sends them, or where one was withheld. The text is made when it is read: nobody is reminded of what is paid. Codes, passwords and security notices are never among them.',
        },
      },
    )
    .post(
      '/api/v1/messages/:id/handle',
      ({ body, mutate }) =>
        mutate({ body, run: (ctx, id) => handle(ctx, id, body.status), view: toRentMessage, current: rentMessageOf }),
      {
        access: LANDLORDS,
        body: HandleMessage,
        problems: ['invalid_state'],
        answers: { 200: RentMessage },
        detail: {
          summary: 'Note what you did with a message that is to be sent by hand',
          operationId: 'handleRentMessage',
        },
      },
    )
    .post(
      '/api/v1/messages/:id/revoke-link',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => revokeLink(ctx, id, new Date(deps.clock.wall()).toISOString()),
          view: toRentMessage,
          current: rentMessageOf,
        }),
      {
        access: LANDLORDS,
        body: Body({}),
        answers: { 200: RentMessage },
        detail: { summary: 'Revoke the link of a message about rent', operationId: 'revokeRentMessageLink' },
      },
    )
    .get(
      '/api/v1/messages/:id/letter-url',
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
          operationId: 'getRentMessageLetterUrl',
        },
      },
    )

export const reminding = (deps: Deps, http: Http) =>
  new Elysia({ tags: ['Reminders'] })
    .use(http)
    .post(
      '/api/v1/invoices/:id/remind',
      ({ params, body, mutate }) =>
        mutate({
          status: 201,
          body,
          run: (ctx) => {
            const row = remind(deps, ctx, params.id, body)
            return { ...row, forward: forwardOf(deps, ctx, row) }
          },
          view: ({ forward, ...row }) => ({ ...toRentMessage(row), ...forward }),
          current: rowOf(getInvoice),
        }),
      {
        access: LANDLORDS,
        body: Remind,
        problems: ['invalid_state', 'deposit_covers', 'duplicate', 'quota_exceeded', 'no_phone_number'],
        creates: ['/api/v1/bookings/{bookingId}/messages'],
        answers: { 201: RentMessage },
        detail: {
          summary: 'Remind the tenant of an invoice now',
          operationId: 'remindInvoice',
          description:
            'Without `step`, the next step is sent: UPCOMING or DUE before the invoice is late, then REMINDER, then FINAL. FORMAL_NOTICE is sent only if it is named; quiet hours do not delay it. For a lease that has ended, the reminder asks for what its final statement says is still owed: the debts less the deposit held. The deposit covers the debts that fell due first, and the reminder says so. If nothing remains, the request is refused with `deposit_covers`: deduct the debt from the deposit. If `withheld` says that nothing was sent, use `text`, `link` and `forwardUrl` to send the reminder yourself.',
        },
      },
    )
    .post(
      '/api/v1/reminders',
      ({ body, perform, request }) =>
        perform({ status: 202, body, run: (ctx) => remindMany(deps, ctx, body, languageOf(request, 'fr')) }),
      {
        access: LANDLORDS,
        body: RemindMany,
        answers: { 202: Type.Array(Reminded) },
        detail: {
          summary: 'Remind the tenants of several invoices now',
          operationId: 'remindMany',
          description:
            'Works as for one invoice, for up to 200 invoices in the given order: the same message budgets apply, and each step is sent once a day. One message covers everything overdue on a lease; it belongs to the oldest invoice named, and the other invoices return the same `messageId` and no text. If an invoice cannot be reminded of, its entry has a `problem`; the others are still reminded. If an answer does not arrive, repeat the request: with the same Idempotency-Key it returns the same answer, without one the reminders already sent return `duplicate`.',
        },
      },
    )

/** The pages for a link that is unknown or closed. */
const NO_PAGE = {
  404: page('A page that says that there is no such link.'),
  410: page('A page that says that the link is closed: revoked, or over.'),
}
const TO_PDF = {
  303: {
    description: 'Where the PDF is, by a link of a few minutes which a browser shows.',
    headers: { Location: { $ref: '#/components/headers/Location' } },
  },
}
const Token = Type.String({ description: 'The token of the link in the message.' })
const File = Type.String({
  description:
    '`invoice.pdf`, `letter.pdf`, `lease.pdf`, `statement.pdf`, or the number of a receipt or notice with `.pdf`: what the page offers.',
})
/** Leads to the portal, where a person without an account makes one first: the page itself names no id. */
const DECLARE = 'declare'
const PAPER = /^(invoice|letter|lease|statement|[AR]-\d{4}-\d{1,9})\.pdf$/
/** If there is no file, the page itself says so. */
const redirect = (location: string) =>
  new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })

/** What the links in messages open, without an account: an invoice, or a payment with its receipt. */
export const shared = (deps: Deps, http: Http) =>
  new Elysia({ tags: ['Reminders'] })
    .use(http)
    .get(
      '/i/:token',
      ({ params: { token }, request }) => {
        const link = openLink(deps, token)
        const locale = languageChosen(request) ?? link?.rentMessage.locale ?? languageOf(request, 'fr')
        if (!link?.open) return closedPage(locale, `/i/${token}`, link ? 'closed' : 'unknown')
        return invoicePage({ locale, path: `/i/${token}`, content: sharedInvoice(deps, link.rentMessage) })
      },
      {
        params: Type.Object({ token: Token }),
        access: 'public',
        detail: {
          summary: "Show the invoice of a message's link",
          operationId: 'sharedInvoice',
          responses: {
            200: page(
              'The invoice, what is open of it, all that is overdue on its lease, where to pay, and its papers: receipts and the lease too.',
            ),
            ...NO_PAGE,
          },
        } as object,
      },
    )
    .get(
      '/i/:token/:file',
      ({ params: { token, file }, request }) => {
        const link = PAPER.test(file) || file === DECLARE ? openLink(deps, token) : undefined
        if (!link?.open)
          return closedPage(
            link?.rentMessage.locale ?? languageOf(request, 'fr'),
            `/i/${token}`,
            link ? 'closed' : 'unknown',
          )
        if (file === DECLARE) return redirect(`/portal/declare/${link.rentMessage.invoiceId}`)
        return redirect(messagePaper(deps, link.rentMessage, file) ?? `/i/${token}`)
      },
      {
        params: Type.Object({ token: Token, file: File }),
        access: 'public',
        detail: {
          summary: "Show a paper of a message's link",
          description:
            'With `declare`, shows the page of the portal on which the tenant declares that the invoice is paid.',
          operationId: 'sharedPaper',
          responses: { ...NO_PAGE, ...TO_PDF },
        } as object,
      },
    )
    .get(
      '/r/:token',
      ({ params: { token }, request }) => {
        const link = openReceipt(deps, token)
        const locale = languageChosen(request) ?? link?.locale ?? languageOf(request, 'fr')
        if (!link?.open) return closedPage(locale, `/r/${token}`, link ? 'closed' : 'unknown')
        return receiptPage({ locale, path: `/r/${token}`, content: sharedPayment(deps, link.payment, link.until) })
      },
      {
        params: Type.Object({ token: Token }),
        access: 'public',
        detail: {
          summary: "Show the payment of a message's link",
          operationId: 'sharedPayment',
          responses: {
            200: page('What was received, for what, and its receipt.'),
            404: NO_PAGE[404],
            410: page('A page that says that the link is closed: the payment was taken back, or sixty days are over.'),
          },
        } as object,
      },
    )
    .get(
      '/r/:token/:file',
      ({ params: { token, file }, request }) => {
        const link = PAPER.test(file) ? openReceipt(deps, token) : undefined
        if (!link?.open)
          return closedPage(link?.locale ?? languageOf(request, 'fr'), `/r/${token}`, link ? 'closed' : 'unknown')
        return redirect(paymentPaper(deps, link.payment, file) ?? `/r/${token}`)
      },
      {
        params: Type.Object({ token: Token, file: File }),
        access: 'public',
        detail: {
          summary: "Show a paper of a payment message's link",
          operationId: 'sharedReceipt',
          responses: { ...NO_PAGE, ...TO_PDF },
        } as object,
      },
    )
