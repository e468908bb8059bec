import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { rowOf } from '../../../http/mutation.ts'
import { ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS } from '../../../http/routes.ts'
import { getBooking } from '../../lease/leases/store.ts'
import { onToday } from '../../people/organizations/store.ts'
import { DepositCreate, DepositEntry, toDeposit, trimEntry } from './model.ts'
import { isPast } from './rules.ts'
import { enterDeposit } from './service.ts'
import { listDeposits } from './store.ts'

export const deposits = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] })
    .use(http)
    .get(
      '/:id/deposit',
      ({ caller, params, many, query }) => {
        if (!getBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        return many(
          { name: 'deposits', query: { ...query, bookingId: params.id }, filters: ['bookingId', 'updatedSince'] },
          (q) => {
            const page = listDeposits(deps.db, q)
            for (const row of page.rows) trimEntry(row)
            return page
          },
        )
      },
      {
        access: EVERYONE,
        query: ListParameters({}),
        answers: { 200: Type.Array(DepositEntry) },
        detail: { summary: "List the entries of a lease's security deposit", operationId: 'listDeposit' },
      },
    )
    .post(
      '/:id/deposit',
      ({ body, mutate }) =>
        mutate({ status: 201, body, run: enterDeposit, view: toDeposit, current: rowOf(getBooking) }),
      {
        access: LANDLORDS,
        body: DepositCreate,
        rules: onToday(deps, isPast),
        problems: ['invalid_state', 'quota_exceeded', 'deposit_exceeded', 'overpayment'],
        creates: ['/api/v1/bookings/:id/deposit'],
        answers: { 201: DepositEntry },
        detail: { summary: 'Record a deposit that was received, kept or returned', operationId: 'enterDeposit' },
      },
    )
