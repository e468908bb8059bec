import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { CURRENCY, PAYMENT_METHODS } from '../../../core/money.ts'
import type { Deps } from '../../../deps.ts'
import { type ErrorCode, notFound } from '../../../errors.ts'
import type { RouteAccess } from '../../../http/auth.ts'
import { rowOf, withNames } from '../../../http/mutation.ts'
import { contains, ListParameters, Of } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { Body, DateOnly, oneOf, QueryInteger, someOf, Text } from '../../../http/schema.ts'
import { getBooking } from '../../lease/leases/store.ts'
import { onToday } from '../../people/organizations/store.ts'
import { isPast } from '../deposits/rules.ts'
import { getInvoice, partyInvoice } from '../invoices/store.ts'
import { payAdvance, quoteAdvance } from './advances.ts'
import { assignMessage, dismissMessage, messageOf, parseMessages, takeMessage } from './mobile-money.ts'
import {
  Advance,
  AdvanceCreate,
  AdvanceQuote,
  Confirmation,
  Decision,
  MessageAssign,
  MessageParse,
  MessageTake,
  MoneyMessage,
  ParsedMessage,
  Payment,
  PaymentCreate,
  toAdvance,
  toMessage,
  toPayment,
  trimPayment,
} from './model.ts'
import { MOST_MESSAGES, PAYMENT_STATUS, type PaymentAction, paymentMoves } from './rules.ts'
import { decidePayment, payInvoice } from './service.ts'
import { getPayment, listMessages, listPayments, partyPayment } from './store.ts'

const status = Type.Optional(someOf(PAYMENT_STATUS))
const paid = {
  from: Type.Optional({ ...DateOnly, description: 'Only those of this day or later.' }),
  to: Type.Optional({ ...DateOnly, description: 'Only those of this day or earlier.' }),
}
const OF_INVOICE = ['invoiceId', 'status', 'from', 'to', 'updatedSince'] as const
const FILTERS = [...OF_INVOICE, 'bookingId', 'tenantId', 'propertyId', 'method', 'q', 'typed'] as const

type DecisionRoute = {
  readonly action: PaymentAction
  readonly access: RouteAccess
  readonly summary: string
  readonly description?: string
  readonly problems?: readonly ErrorCode[]
}
const DECISIONS: readonly DecisionRoute[] = [
  {
    action: 'confirm',
    access: LANDLORDS,
    summary: 'Confirm a declared payment',
    description:
      'Confirms that the money has arrived. Refused with 422 `overpayment` if the amount is more than what is left to pay, also if the invoice was paid meanwhile; `detail` names what is left, and the declaration stays PENDING. Cash with `receivedBy` is confirmed by that person (403 for others). If that person no longer has an active account, an administrator who did not record the payment confirms it. Cash that a manager limited to some properties recorded and received is confirmed by the owner or a manager of all properties. Where an operator’s message, or its id, told of the same amount on the lease within three days, and the declaration has no id, it may be the same money: 409 `maybe_known` with the `paymentId` that counts already. Reject the declaration, or repeat with `distinct: true`.',
    problems: ['overpayment', 'maybe_known'],
  },
  {
    action: 'reject',
    access: LANDLORDS,
    summary: 'Reject a declared payment that did not arrive',
    description:
      'Cash with `receivedBy` is rejected by that person, with a `reason`, or by the person who recorded it; a manager limited to some properties gives a `reason` then too.',
  },
  {
    action: 'reverse',
    access: LANDLORDS,
    summary: 'Reverse a confirmed payment',
    description:
      'What it paid is owed again. Everybody but the owner of the property gives a `reason` (422 at `/reason`). Where the organization confirms cash (`confirmCash`), a manager limited to some properties reverses no payment of CASH, WITHHOLDING or OTHER (403).',
  },
  { action: 'withdraw', access: ['TENANT'], summary: "Withdraw the caller's declared payment" },
]

const view = withNames(toPayment, listPayments.computed)

export function payments(deps: Deps, http: Http) {
  const read = (q: Parameters<typeof listPayments>[1]) => {
    const page = listPayments(deps.db, q)
    for (const row of page.rows) trimPayment(row)
    return page
  }
  const routes = new Elysia({
    prefix: '/api/v1',
    ...section('Payments', 'Payments recorded by the landlord, or declared by the tenant and confirmed.'),
  })
    .use(http)
    .post(
      '/invoices/:id/payments',
      ({ body, mutate }) => mutate({ status: 201, body, run: payInvoice, view, current: rowOf(partyInvoice) }),
      {
        access: EVERYONE,
        body: PaymentCreate,
        rules: onToday(deps, isPast),
        problems: ['invalid_state', 'duplicate', 'maybe_known', 'overpayment', 'quota_exceeded'],
        creates: ['/api/v1/payments/{id}'],
        answers: { 201: Payment },
        detail: {
          summary: 'Record a payment (CONFIRMED), or declare one as the tenant (PENDING)',
          description:
            'What the tenant declared before with the same reference is confirmed. Where a declaration of this amount, at most three days apart, waits on the lease and one of both has no reference, it may be the same money: 409 `maybe_known` with its `paymentId`; repeat with `same`, or with `distinct: true`. Another amount than was declared with the reference is 409 `duplicate`.',
          operationId: 'payInvoice',
        },
      },
    )
    .get(
      '/invoices/:id/payments',
      ({ caller, params, many, query }) => {
        if (!getInvoice(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return many({ name: 'payments', query: { ...query, invoiceId: params.id }, filters: OF_INVOICE }, read)
      },
      {
        access: EVERYONE,
        query: ListParameters({ status, ...paid }),
        answers: { 200: Type.Array(Payment) },
        detail: { summary: 'List the payments of an invoice', operationId: 'listInvoicePayments' },
      },
    )
    .get(
      '/payments',
      ({ many, query }) =>
        many({ name: 'payments', query: { ...query, q: contains(query.q), typed: query.q }, filters: FILTERS }, read),
      {
        access: EVERYONE,
        query: ListParameters({
          status,
          invoiceId: Of('this invoice'),
          bookingId: Of('this lease'),
          tenantId: Of('leases of this tenant'),
          propertyId: Of('this property'),
          method: Type.Optional(oneOf(PAYMENT_METHODS, { description: 'Only those paid in this way.' })),
          q: Type.Optional({
            ...Text({ max: 100 }),
            description:
              'A part of the name of the tenant, unit or property of its lease (the newest 200 leases), or the beginning of the reference (at most 2,000 payments).',
          }),
          ...paid,
        }),
        answers: { 200: Type.Array(Payment) },
        detail: { summary: 'List payments', operationId: 'listPayments' },
      },
    )
    .get('/payments/:id', ({ cached }) => cached(partyPayment, view), {
      access: EVERYONE,
      answers: { 200: Payment },
      detail: { summary: 'Read a payment', operationId: 'getPayment' },
    })
  for (const { action, access, summary, description, problems = [] } of DECISIONS)
    routes.post(
      `/payments/:id/${action}`,
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => decidePayment(ctx, id, action, body),
          view,
          current: rowOf(getPayment),
        }),
      {
        access,
        body: action === 'confirm' ? Confirmation : Decision,
        problems: ['invalid_state', ...problems],
        shows: { status: paymentMoves[action].to },
        answers: { 200: Payment },
        detail: { summary, ...(description && { description }), operationId: `${action}Payment` },
      },
    )
  return routes
}

/** Money for a lease as a whole. */
export const advances = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .get(
      '/:id/advance',
      ({ params, query, preview }) =>
        preview((ctx) => {
          const { coveredUntil, ...figures } = quoteAdvance(ctx, params.id, Number(query.months ?? 1))
          return { ...figures, currency: CURRENCY, ...(coveredUntil === undefined ? {} : { coveredUntil }) }
        }),
      {
        access: LANDLORDS,
        query: Type.Object({
          months: Type.Optional(
            QueryInteger({ minimum: 0, maximum: 36, description: 'The number of coming months to pay; 1 if omitted.' }),
          ),
        }),
        problems: ['invalid_state'],
        answers: { 200: AdvanceQuote },
        detail: {
          summary: 'Calculate the price of several months at once',
          description:
            'Returns the amount of one payment for everything that is open and for the given number of coming months, and the day until which they are covered. Writes nothing.',
          operationId: 'quoteAdvance',
          'x-versioned': true,
        } as object,
      },
    )
    .post(
      '/:id/payments',
      ({ params, body, perform }) =>
        perform({
          status: 201,
          body,
          run: (ctx) => toAdvance(payAdvance(ctx, params.id, body)),
          current: rowOf(getBooking),
        }),
      {
        access: LANDLORDS,
        body: AdvanceCreate,
        rules: onToday(deps, isPast),
        problems: ['invalid_state', 'duplicate', 'maybe_known', 'refund_exceeds_credit', 'quota_exceeded'],
        creates: ['/api/v1/payments/{payment.id}'],
        answers: { 201: Advance },
        detail: { summary: 'Record rent paid in advance, or a refund of credit', operationId: 'payAdvance' },
      },
    )

export const mobileMoney = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/payments', tags: ['Payments'] })
    .use(http)
    .post('/parse', ({ body, perform }) => perform({ body, run: (ctx) => parseMessages(ctx, body.text) }), {
      access: LANDLORDS,
      body: MessageParse,
      problems: ['message_unreadable'],
      answers: { 200: ParsedMessage },
      detail: {
        summary: 'Read MoMo or Orange Money credit messages',
        operationId: 'parseMessage',
        description: `Of one message, or of up to ${MOST_MESSAGES}, each on a line of its own, as a chat copies them: the first that can be read, and \`others\`. Each is then recorded by its own \`text\`.`,
      },
    })
    .post(
      '/from-message',
      ({ body, mutate }) => mutate({ status: 201, body, run: (ctx) => takeMessage(ctx, body), view: toMessage }),
      {
        access: LANDLORDS,
        body: MessageTake,
        rules: onToday(deps, isPast),
        problems: [
          'message_unreadable',
          'duplicate',
          'maybe_known',
          'overpayment',
          'invalid_state',
          'not_found',
          'quota_exceeded',
        ],
        creates: ['/api/v1/payments/{paymentId}', '/api/v1/payments/unmatched'],
        answers: { 201: MoneyMessage },
        detail: {
          summary: 'Record the payment in a MoMo or Orange Money credit message',
          operationId: 'takeMessage',
          description:
            'Records it on the invoice or lease that is named. On a lease it is an advance: it pays what is open, oldest first, then coming periods. Without an invoice or lease, the number of the payer decides, that of a tenant or co-tenant, if it leaves no doubt. Otherwise the message is UNMATCHED and waits; so it does while the deposit of the lease is not received and more came than is open. A message without a date is dated by `paidOn`, which is refused where the message says another day. Each transaction is recorded once, also if it was entered by hand. If the tenant declared it with its id, the declaration is confirmed; if one of this amount and of these days waits on the lease without an id, the answer is 409 `maybe_known` with its `paymentId`: repeat with `same`, or with `distinct: true`. Refused with 409 if a message reports the same event with another id or amount, and with 422 if it reports money that was paid out. A message can be forged: check the account before you confirm.',
        },
      },
    )
    .get(
      '/unmatched',
      ({ many, query }) =>
        many(
          { name: 'moneyMessages', query: { ...query, status: 'UNMATCHED' }, filters: ['status', 'updatedSince'] },
          (q) => listMessages(deps.db, q),
        ),
      {
        access: LANDLORDS,
        query: ListParameters({}),
        answers: { 200: Type.Array(MoneyMessage) },
        detail: { summary: 'List credit messages that wait to be assigned', operationId: 'listUnmatched' },
      },
    )
    .post(
      '/unmatched/:id/assign',
      ({ body, mutate }) => mutate({ body, run: assignMessage, view: toMessage, current: messageOf }),
      {
        access: LANDLORDS,
        body: MessageAssign,
        problems: ['duplicate', 'maybe_known', 'overpayment', 'invalid_state', 'quota_exceeded'],
        answers: { 200: MoneyMessage },
        detail: { summary: 'Assign a waiting message to an invoice or lease', operationId: 'assignMessage' },
      },
    )
    .post(
      '/unmatched/:id/dismiss',
      ({ body, mutate }) => mutate({ body, run: dismissMessage, view: toMessage, current: messageOf }),
      {
        access: LANDLORDS,
        body: Body({}),
        problems: ['invalid_state'],
        answers: { 200: MoneyMessage },
        detail: { summary: 'Remove a message that is not about rent from the queue', operationId: 'dismissMessage' },
      },
    )
