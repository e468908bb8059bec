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
        summary: 'Record the payment that a credit message tells of',
        operationId: 'takeMessage',
        description:
          'On the invoice or lease named (a lease takes it as an advance: what is open, oldest first, then coming periods), else where the number of the payer leads without doubt. Else the message is UNMATCHED and waits. A transaction is taken once, also where it was recorded by hand; what tells of the same event with another id or amount is refused (409), and so is what tells of money that left (422). A message can be forged: look at the account before you confirm.',
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
        detail: { summary: 'Credit messages that wait to be assigned', operationId: 'listUnmatched' },
      },
    )
    .post('/unmatched/:id/assign', ({ body, mutate }) => mutate(200, body, assignMessage, toMessage, messageOf), {
      access: LANDLORDS,
      body: MessageAssign,
      problems: ['duplicate', 'overpayment', 'invalid_state', 'quota_exceeded'],
      answers: { 200: MoneyMessage },
      detail: { summary: 'Put a waiting message on an invoice or lease', operationId: 'assignMessage' },
    })
    .post('/unmatched/:id/dismiss', ({ body, mutate }) => mutate(200, body, dismissMessage, toMessage, messageOf), {
      access: LANDLORDS,
      body: Body({}),
      problems: ['invalid_state'],
      answers: { 200: MoneyMessage },
      detail: { summary: 'Take a message that is no rent off the queue', operationId: 'dismissMessage' },
    })
