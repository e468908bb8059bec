import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { ListParameters } from '../../../http/paging.ts'
import { type Http, LANDLORDS } from '../../../http/routes.ts'
import { Body } from '../../../http/schema.ts'
import { MessageAssign, MessageParse, MessageTake, MoneyMessage, ParsedMessage, toMessage } from './model.ts'
import { assignMessage, dismissMessage, messageOf, parseMessage, takeMessage } from './service.ts'
import { listMessages } from './store.ts'

export const mobileMoney = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/payments', tags: ['Payments'] })
    .use(http)
    .post('/parse', ({ body, perform }) => perform(200, body, (ctx) => parseMessage(ctx, body.text)), {
      access: LANDLORDS,
      body: MessageParse,
      problems: ['message_unreadable'],
      answers: { 200: ParsedMessage },
      detail: { summary: 'Read a MoMo or Orange Money credit message', operationId: 'parseMessage' },
    })
    .post('/from-message', ({ body, mutate }) => mutate(201, body, (ctx) => takeMessage(ctx, body), toMessage), {
      access: LANDLORDS,
      body: MessageTake,
      problems: ['message_unreadable', 'duplicate', 'overpayment', 'invalid_state', 'not_found', 'quota_exceeded'],
      creates: ['/api/v1/payments/{paymentId}', '/api/v1/payments/unmatched'],
      answers: { 201: MoneyMessage },
      detail: {
        summary: 'Record the payment in a MoMo or Orange Money credit message',
        operationId: 'takeMessage',
        description:
          'Records it on the invoice or lease that is named. On a lease it is an advance: it pays what is open, oldest first, then coming periods. Without an invoice or lease, the number of the payer decides, if it leaves no doubt. Otherwise the message is UNMATCHED and waits. Each transaction is recorded once, also if it was entered by hand. Refused with 409 if a message reports the same event with another id or amount, and with 422 if it reports money that was paid out. A message can be forged: check the account before you confirm.',
      },
    })
    .get(
      '/unmatched',
      ({ many, query }) =>
        many('moneyMessages', { ...query, status: 'UNMATCHED' }, ['status', 'updatedSince'], (q) =>
          listMessages(deps.db, q),
        ),
      {
        access: LANDLORDS,
        query: ListParameters({}),
        answers: { 200: Type.Array(MoneyMessage) },
        detail: { summary: 'List credit messages that wait to be assigned', operationId: 'listUnmatched' },
      },
    )
    .post('/unmatched/:id/assign', ({ body, mutate }) => mutate(200, body, assignMessage, toMessage, messageOf), {
      access: LANDLORDS,
      body: MessageAssign,
      problems: ['duplicate', 'overpayment', 'invalid_state', 'quota_exceeded'],
      answers: { 200: MoneyMessage },
      detail: { summary: 'Assign a waiting message to an invoice or lease', operationId: 'assignMessage' },
    })
    .post('/unmatched/:id/dismiss', ({ body, mutate }) => mutate(200, body, dismissMessage, toMessage, messageOf), {
      access: LANDLORDS,
      body: Body({}),
      problems: ['invalid_state'],
      answers: { 200: MoneyMessage },
      detail: { summary: 'Remove a message that is not about rent from the queue', operationId: 'dismissMessage' },
    })
