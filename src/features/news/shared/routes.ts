import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { languageChosen, languageOf } from '../../../http/gate.ts'
import type { Http } from '../../../http/routes.ts'
import { page } from '../../../http/schema.ts'
import { invoicePage } from '../../../web/invoice.ts'
import { receiptPage } from '../../../web/receipt.ts'
import { closedPage } from '../../../web/shared-parts.ts'
import { noticePaper, openLink, openReceipt, paymentPaper, sharedInvoice, sharedPayment } from './service.ts'

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
        const locale = languageChosen(request) ?? link?.notice.locale ?? languageOf(request, 'fr')
        if (!link?.open) return closedPage(locale, `/i/${token}`, link ? 'closed' : 'unknown')
        return invoicePage({ locale, path: `/i/${token}`, shown: sharedInvoice(deps, link.notice) })
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
            link?.notice.locale ?? languageOf(request, 'fr'),
            `/i/${token}`,
            link ? 'closed' : 'unknown',
          )
        if (file === DECLARE) return redirect(`/portal/declare/${link.notice.invoiceId}`)
        return redirect(noticePaper(deps, link.notice, file) ?? `/i/${token}`)
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
        return receiptPage({ locale, path: `/r/${token}`, shown: sharedPayment(deps, link.payment, link.until) })
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
