import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { CURRENCY } from '../../../core/money.ts'
import type { Deps } from '../../../deps.ts'
import { type Http, LANDLORDS, rowOf } from '../../../http/routes.ts'
import { QueryInteger } from '../../../http/schema.ts'
import { getBooking } from '../../lease/bookings/store.ts'
import { judged } from '../../people/organizations/store.ts'
import { isPast } from '../deposits/rules.ts'
import { Advance, AdvanceCreate } from '../payments/model.ts'
import { AdvanceQuote, toAdvance } from './model.ts'
import { payAdvance, quoteAdvance } from './service.ts'

/** Money for a lease as a whole. */
export const advances = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .get(
      '/:id/advance',
      ({ params, query, undone }) =>
        undone((ctx) => {
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
        perform(201, body, (ctx) => toAdvance(payAdvance(ctx, params.id, body)), rowOf(getBooking), 'advance'),
      {
        access: LANDLORDS,
        body: AdvanceCreate,
        judges: judged(deps, isPast),
        problems: ['invalid_state', 'duplicate', 'refund_exceeds_credit', 'quota_exceeded'],
        creates: ['/api/v1/payments/{payment.id}'],
        answers: { 201: Advance },
        detail: { summary: 'Record rent paid in advance, or a refund of credit', operationId: 'payAdvance' },
      },
    )
