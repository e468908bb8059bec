import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { rowOf, withNames } from '../../../http/mutation.ts'
import { filtersOf, ListParameters, Of } from '../../../http/paging.ts'
import { type Http, LANDLORDS, MANAGERS } from '../../../http/routes.ts'
import { Body, DateOnly, Maybe, oneOf, Text } from '../../../http/schema.ts'
import { onToday } from '../../people/organizations/store.ts'
import { OwnerTransfer, OwnerTransferCreate, toTransfer } from './model.ts'
import { TRANSFER_STATUS, transferRule } from './rules.ts'
import { cancelTransfer, createTransfer } from './service.ts'
import { getTransfer, listTransfers } from './store.ts'

const Query = ListParameters({
  propertyId: Of('this property'),
  status: Type.Optional(oneOf(TRANSFER_STATUS, { description: 'Only those with this status.' })),
  from: Type.Optional({ ...DateOnly, description: 'Only transfers of this day or later.' }),
  to: Type.Optional({ ...DateOnly, description: 'Only transfers of this day or earlier.' }),
})
const FILTERS = filtersOf(Query)

const view = withNames(toTransfer, listTransfers.computed)

export const ownerTransfers = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/owner-transfers', tags: ['Expenses'] })
    .use(http)
    .post('', ({ body, mutate }) => mutate({ status: 201, body, run: (ctx) => createTransfer(ctx, body), view }), {
      access: MANAGERS,
      body: OwnerTransferCreate,
      rules: onToday(deps, transferRule),
      problems: ['not_found', 'duplicate', 'quota_exceeded'],
      creates: ['/api/v1/owner-transfers/{id}'],
      answers: { 201: OwnerTransfer },
      detail: {
        summary: 'Record a transfer to the owner of a property',
        description: 'It appears in the owner statement of that day, and lowers the balance that is carried forward.',
        operationId: 'createOwnerTransfer',
      },
    })
    .get(
      '',
      ({ many, query }) => many({ name: 'ownerTransfers', query, filters: FILTERS }, (q) => listTransfers(deps.db, q)),
      {
        access: LANDLORDS,
        query: Query,
        answers: { 200: Type.Array(OwnerTransfer) },
        detail: { summary: 'List transfers to owners', operationId: 'listOwnerTransfers' },
      },
    )
    .get('/:id', ({ cached }) => cached(getTransfer, view), {
      access: LANDLORDS,
      answers: { 200: OwnerTransfer },
      detail: { summary: 'Read a transfer to an owner', operationId: 'getOwnerTransfer' },
    })
    .post(
      '/:id/cancel',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => cancelTransfer(ctx, id, body.reason),
          view,
          current: rowOf(getTransfer),
        }),
      {
        access: MANAGERS,
        body: Body(
          { reason: Maybe(Text({ max: 500, lines: true, description: 'Why it is cancelled.' })) },
          { examples: [{ reason: 'Saisi deux fois' }] },
        ),
        answers: { 200: OwnerTransfer },
        detail: {
          summary: 'Cancel a transfer to an owner entered by mistake',
          description:
            'The transfer no longer counts anywhere. Everybody but the owner of the property gives a `reason` (422 at `/reason`), and the owner is told.',
          operationId: 'cancelOwnerTransfer',
        },
      },
    )
