import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { type Http, LANDLORDS, rowOf } from '../../../http/routes.ts'
import { Uuid } from '../../../http/schema.ts'
import { getBooking } from '../../lease/bookings/store.ts'
import { Advance, AdvanceCreate, toPayment } from '../payments/model.ts'
import { payAdvance } from './service.ts'

const ById = Type.Object({ id: Uuid })

/** Money for a lease as a whole. */
export const billing = (_deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] }).use(http).post(
    '/:id/payments',
    ({ params, body, perform }) =>
      perform(
        201,
        body,
        (ctx) => {
          const { payment, invoiceIds, coveredUntil, creditAmount } = payAdvance(ctx, params.id, body)
          return {
            payment: toPayment(payment),
            invoiceIds: [...invoiceIds],
            creditAmount,
            ...(coveredUntil === undefined ? {} : { coveredUntil }),
          }
        },
        rowOf(getBooking, params.id),
      ),
    {
      access: LANDLORDS,
      params: ById,
      body: AdvanceCreate,
      problems: ['invalid_state', 'duplicate', 'refund_exceeds_credit'],
      creates: ['/api/v1/payments/{payment.id}'],
      answers: { 201: Advance },
      detail: { summary: 'Record rent paid in advance, or a refund of credit', operationId: 'payAdvance' },
    },
  )
