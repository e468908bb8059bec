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
            'Without a step the next one of the ladder: UPCOMING or DUE before it is late, then REMINDER, then FINAL. FORMAL_NOTICE goes out only when it is named. Quiet hours do not hold it back. Of a lease that has ended it asks for what its final statement says is still owed: the debts less the deposit held, which covers those that fell due first, and says so; where nothing remains it is refused (`deposit_covers`): deduct the debt from the deposit. Where `withheld` says that nothing was sent, text, link and forwardUrl are there to send it yourself.',
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
          summary: 'Remind the tenants of many invoices now',
          operationId: 'remindMany',
          description:
            'The same as for one invoice, for 200 at most, in the order in which they are named: within the same budgets of messages, each step once a day. What is overdue on a lease is said in one message, that of the oldest invoice named; the others of it answer with the same `noticeId`, and no text. An invoice that cannot be reminded of has a `problem`; the others are reminded. Each is saved by itself: after an answer that did not arrive, the same request again says `duplicate` of those that went out.',
        },
      },
    )
