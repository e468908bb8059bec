import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { rowOf, withNames } from '../../../http/mutation.ts'
import { contains, filtersOf, ListParameters, Of } from '../../../http/paging.ts'
import { type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { Body, DateOnly, oneOf, QueryBoolean, Text, Uuid } from '../../../http/schema.ts'
import { onToday } from '../../people/organizations/store.ts'
import { Expense, ExpenseCreate, ExpensePatch, toExpense } from './model.ts'
import { EXPENSE_KINDS, EXPENSE_STATUS, expenseRule, PAYERS, taxRule } from './rules.ts'
import { cancelExpense, createExpense, updateExpense } from './service.ts'
import { getExpense, listExpenses } from './store.ts'

const Query = ListParameters({
  propertyId: Of('this property'),
  unitId: Of('this unit'),
  kind: Type.Optional(oneOf(EXPENSE_KINDS, { description: 'Only those of this kind.' })),
  paidBy: Type.Optional(oneOf(PAYERS, { description: 'Only those paid by this side.' })),
  status: Type.Optional(oneOf(EXPENSE_STATUS, { description: 'Only those with this status.' })),
  repairId: Type.Optional({ ...Uuid, description: 'Only the expense for this repair that is not cancelled.' }),
  toCharge: Type.Optional(
    QueryBoolean({ description: 'true: only chargeable ones that are not yet charged on to the tenants.' }),
  ),
  q: Type.Optional({
    ...Text({ max: 100 }),
    description: 'A part of the supplier, the note or the name of the property.',
  }),
  from: Type.Optional({ ...DateOnly, description: 'Only those paid on this day or later.' }),
  to: Type.Optional({ ...DateOnly, description: 'Only those paid on this day or earlier.' }),
})
const FILTERS = filtersOf(Query)

const view = withNames(toExpense, listExpenses.computed)

export const expenses = (deps: Deps, http: Http) =>
  new Elysia({
    prefix: '/api/v1/expenses',
    ...section(
      'Expenses',
      'The costs of properties, and the transfers of their management to their owners. Tenants do not see them.',
    ),
  })
    .use(http)
    .post('', ({ body, mutate }) => mutate({ status: 201, body, run: (ctx) => createExpense(ctx, body), view }), {
      access: LANDLORDS,
      body: ExpenseCreate,
      rules: onToday(deps, expenseRule),
      problems: ['not_found', 'quota_exceeded', 'duplicate'],
      creates: ['/api/v1/expenses/{id}'],
      answers: { 201: Expense },
      detail: {
        summary: 'Record an expense of a property',
        description:
          'If `paidBy` is omitted, an OWNER records what they paid themselves, and everybody else records what the management paid. With `repeat`, the following expenses are recorded automatically, also those whose day is past.',
        operationId: 'createExpense',
      },
    })
    .get(
      '',
      ({ many, query }) =>
        many({ name: 'expenses', query: { ...query, q: contains(query.q) }, filters: FILTERS }, (q) =>
          listExpenses(deps.db, q),
        ),
      {
        access: LANDLORDS,
        query: Query,
        answers: { 200: Type.Array(Expense) },
        detail: { summary: 'List expenses', operationId: 'listExpenses' },
      },
    )
    .get('/:id', ({ cached }) => cached(getExpense, view), {
      access: LANDLORDS,
      answers: { 200: Expense },
      detail: { summary: 'Read an expense', operationId: 'getExpense' },
    })
    .patch('/:id', ({ body, mutate }) => mutate({ body, run: updateExpense, view, current: rowOf(getExpense) }), {
      access: LANDLORDS,
      body: ExpensePatch,
      rules: onToday(deps, taxRule),
      problems: ['invalid_state'],
      answers: { 200: Expense },
      detail: {
        summary: 'Change an expense (JSON merge patch)',
        description:
          'A change to the first expense of a series applies to those still to come. An OWNER can change what they paid themselves.',
        operationId: 'updateExpense',
      },
    })
    .post('/:id/cancel', ({ body, mutate }) => mutate({ body, run: cancelExpense, view, current: rowOf(getExpense) }), {
      access: LANDLORDS,
      body: Body({}),
      problems: ['invalid_state'],
      answers: { 200: Expense },
      detail: {
        summary: 'Cancel an expense entered by mistake',
        description:
          'The expense no longer counts anywhere. Cancelling the first of a series ends the series; expenses already recorded stay.',
        operationId: 'cancelExpense',
      },
    })
