import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { PAYMENT_METHODS } from '../../../core/money.ts'
import type { Deps } from '../../../deps.ts'
import { type ErrorCode, notFound } from '../../../errors.ts'
import type { RouteAccess } from '../../../http/auth.ts'
import { contains, ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, rowOf, withNames } from '../../../http/routes.ts'
import { DateOnly, oneOf, someOf, Text, Uuid } from '../../../http/schema.ts'
import { judged } from '../../people/organizations/store.ts'
import { isPast } from '../deposits/rules.ts'
import { getInvoice, partyInvoice } from '../invoices/store.ts'
import { Decision, Payment, PaymentCreate, toPayment, trimPayment } from './model.ts'
import { PAYMENT_STATUS, type PaymentAction } from './rules.ts'
import { decidePayment, payInvoice } from './service.ts'
import { getPayment, listPayments, partyPayment } from './store.ts'

const status = Type.Optional(someOf(PAYMENT_STATUS))
const paid = { from: Type.Optional(DateOnly), to: Type.Optional(DateOnly) }
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
      'Confirms that the money has arrived. Refused with 422 `overpayment` if the amount is more than what is left to pay, also if the invoice was paid meanwhile; `detail` names what is left, and the declaration stays PENDING. Cash with `receivedBy` is confirmed by that person (403 for others). If that person no longer has an active account, an administrator who did not record the payment confirms it.',
    problems: ['overpayment'],
  },
  {
    action: 'reject',
    access: LANDLORDS,
    summary: 'Reject a declared payment that did not arrive',
    description:
      'Cash with `receivedBy` is rejected by that person, with a reason in `note`, or by the person who recorded it.',
  },
  {
    action: 'reverse',
    access: LANDLORDS,
    summary: 'Reverse a confirmed payment',
    description: 'What it paid is owed again.',
  },
  { action: 'withdraw', access: ['TENANT'], summary: "Withdraw the caller's declared payment" },
]

const shown = withNames(toPayment, listPayments.beside)

export function payments(deps: Deps, http: Http) {
  const read = (q: Parameters<typeof listPayments>[1]) => {
    const page = listPayments(deps.db, q)
    for (const row of page.rows) trimPayment(row)
    return page
  }
  const routes = new Elysia({ prefix: '/api/v1', tags: ['Payments'] })
    .use(http)
    .post(
      '/invoices/:id/payments',
      ({ body, mutate }) => mutate(201, body, payInvoice, shown, rowOf(partyInvoice), 'pay'),
      {
        access: EVERYONE,
        body: PaymentCreate,
        judges: judged(deps, isPast),
        problems: ['invalid_state', 'duplicate', 'overpayment', 'quota_exceeded'],
        creates: ['/api/v1/payments/{id}'],
        answers: { 201: Payment },
        detail: {
          summary: 'Record a payment (CONFIRMED), or declare one as the tenant (PENDING)',
          operationId: 'payInvoice',
        },
      },
    )
    .get(
      '/invoices/:id/payments',
      ({ caller, params, many, query }) => {
        if (!getInvoice(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return many('payments', { ...query, invoiceId: params.id }, OF_INVOICE, read)
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
      ({ many, query }) => many('payments', { ...query, q: contains(query.q), typed: query.q }, FILTERS, read),
      {
        access: EVERYONE,
        query: ListParameters({
          status,
          invoiceId: Type.Optional(Uuid),
          bookingId: Type.Optional(Uuid),
          tenantId: Type.Optional(Uuid),
          propertyId: Type.Optional(Uuid),
          method: Type.Optional(oneOf(PAYMENT_METHODS)),
          q: Type.Optional({
            ...Text({ max: 100 }),
            description:
              'A part of the name of the tenant, unit or property of its lease (the newest 200 leases), or the beginning of the reference.',
          }),
          ...paid,
        }),
        answers: { 200: Type.Array(Payment) },
        detail: { summary: 'List payments', operationId: 'listPayments' },
      },
    )
    .get('/payments/:id', ({ cached }) => cached(partyPayment, shown), {
      access: EVERYONE,
      answers: { 200: Payment },
      detail: { summary: 'Read a payment', operationId: 'getPayment' },
    })
  for (const { action, access, summary, description, problems = [] } of DECISIONS)
    routes.post(
      `/payments/:id/${action}`,
      ({ body, mutate }) =>
        mutate(200, body, (ctx, id) => decidePayment(ctx, id, action, body.note), shown, rowOf(getPayment), 'decide', {
          action,
        }),
      {
        access,
        body: Decision,
        problems: ['invalid_state', ...problems],
        answers: { 200: Payment },
        detail: { summary, ...(description && { description }), operationId: `${action}Payment` },
      },
    )
  return routes
}
