import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { languageOf } from '../../../http/gate.ts'
import { type Http, LANDLORDS, rowOf } from '../../../http/routes.ts'
import { getInvoice } from '../../money/invoices/store.ts'
import { Notice, Remind, Reminded, RemindMany, toNotice } from '../reminders/model.ts'
import { forwardOf, remind, remindMany } from './service.ts'

export const reminding = (deps: Deps, http: Http) =>
  new Elysia({ tags: ['Reminders'] })
    .use(http)
    .post(
      '/api/v1/invoices/:id/remind',
      ({ params, body, mutate }) =>
        mutate(
          201,
          body,
          (ctx) => {
            const row = remind(deps, ctx, params.id, body)
            return { ...row, forward: forwardOf(deps, ctx, row) }
          },
          ({ forward, ...row }) => ({ ...toNotice(row), ...forward }),
          rowOf(getInvoice),
        ),
      {
        access: LANDLORDS,
        body: Remind,
        problems: ['invalid_state', 'deposit_covers', 'duplicate', 'quota_exceeded', 'no_phone_number'],
        creates: ['/api/v1/bookings/{bookingId}/notices'],
        answers: { 201: Notice },
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
      ({ body, inParts, request }) => {
        const { parts, remindOf, all } = remindMany(deps, body, languageOf(request, 'fr'))
        return inParts(202, body, parts, remindOf, all)
      },
      {
        access: LANDLORDS,
        body: RemindMany,
        answers: { 202: Type.Array(Reminded) },
        detail: {
          summary: 'Remind the tenants of several invoices now',
          operationId: 'remindMany',
          description:
            'Works as for one invoice, for up to 200 invoices in the given order: the same message budgets apply, and each step is sent once a day. One message covers everything overdue on a lease; it belongs to the oldest invoice named, and the other invoices return the same `noticeId` and no text. If an invoice cannot be reminded of, its entry has a `problem`; the others are still reminded. Each reminder is saved by itself: if an answer does not arrive, repeat the request, and those already sent return `duplicate`.',
        },
      },
    )
