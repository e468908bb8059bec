import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { CURRENCY } from '../../../core/money.ts'
import type { Deps } from '../../../deps.ts'
import { rowOf, withNames } from '../../../http/mutation.ts'
import { filtersOf, ListParameters } from '../../../http/paging.ts'
import { type Http, LANDLORDS, MANAGERS } from '../../../http/routes.ts'
import { oneOf, QueryBoolean } from '../../../http/schema.ts'
import { onToday } from '../../people/organizations/store.ts'
import { TRANSFER_STATE } from '../allocations/rules.ts'
import { getTransfer } from '../allocations/store.ts'
import { isPast } from '../deposits/rules.ts'
import { Decision } from '../payments/model.ts'
import { Transfer, TransferAttribution, TransferCreate, toTransfer } from './model.ts'
import { attributeTransfer, recordTransfer, reverseTransfer } from './service.ts'
import { listTransfers } from './store.ts'

const Query = ListParameters({
  state: Type.Optional(oneOf(TRANSFER_STATE, { description: 'Only those in this state.' })),
  unattributed: Type.Optional(
    QueryBoolean({
      description: 'true: only those that count with a part that nobody is named for yet; false: only the others.',
    }),
  ),
})
const FILTERS = filtersOf(Query)

const view = withNames(toTransfer, listTransfers.computed)

/** Money that changed hands once. */
export const transfers = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/transfers', tags: ['Payments'] })
    .use(http)
    .post('', ({ body, mutate }) => mutate({ status: 201, body, run: (ctx) => recordTransfer(ctx, body), view }), {
      access: LANDLORDS,
      body: TransferCreate,
      rules: onToday(deps, isPast),
      problems: ['not_found', 'invalid_state', 'duplicate', 'maybe_known', 'overpayment', 'quota_exceeded'],
      creates: ['/api/v1/transfers/{id}'],
      answers: { 201: Transfer },
      detail: {
        summary: 'Record one transfer that is for several things',
        description:
          'Invoices of one lease or several, advances and deposits, in one write: a payment with its receipt for each lease, an entry for each deposit. The parts add up to the amount, with `unattributedAmount` for what nobody is named for yet; otherwise 422 at `/parts` says what is missing.',
        operationId: 'recordTransfer',
      },
    })
    .get(
      '',
      ({ many, query }) =>
        many({ name: 'transfers', query, filters: FILTERS }, (q) => {
          const page = listTransfers(deps.db, q)
          return { ...page, rows: page.rows.map((row) => ({ ...row, currency: CURRENCY })) }
        }),
      {
        access: LANDLORDS,
        query: Query,
        answers: { 200: Type.Array(Transfer) },
        detail: {
          summary: 'List transfers',
          description: 'Those all of whose shares the caller sees.',
          operationId: 'listTransfers',
        },
      },
    )
    .get('/:id', ({ cached }) => cached(getTransfer, view), {
      access: LANDLORDS,
      answers: { 200: Transfer },
      detail: { summary: 'Read a transfer', operationId: 'getTransfer' },
    })
    .post(
      '/:id/attribute',
      ({ body, mutate }) => mutate({ body, run: attributeTransfer, view, current: rowOf(getTransfer) }),
      {
        access: { roles: MANAGERS, whole: true },
        body: TransferAttribution,
        problems: ['not_found', 'invalid_state', 'overpayment', 'quota_exceeded'],
        answers: { 200: Transfer },
        detail: {
          summary: 'Say whom money is for that nobody was named for',
          description:
            'Makes payments and deposit entries of the part that waits, dated as the transfer: the rest goes on waiting. A mistake is mended by reversing the transfer.',
          operationId: 'attributeTransfer',
        },
      },
    )
    .post(
      '/:id/reverse',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => reverseTransfer(ctx, id, body.reason ?? null),
          view,
          current: rowOf(getTransfer),
        }),
      {
        access: LANDLORDS,
        body: Decision,
        problems: ['invalid_state', 'deposit_exceeded'],
        shows: { state: 'REVERSED' },
        answers: { 200: Transfer },
        detail: {
          summary: 'Reverse a transfer with all of its shares',
          description:
            'All of its payments are reversed, and what it brought into deposits goes out again, or nothing changes. Everybody but the owner of the property gives a `reason` (422 at `/reason`).',
          operationId: 'reverseTransfer',
        },
      },
    )
