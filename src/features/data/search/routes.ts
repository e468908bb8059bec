import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { type Http, LANDLORDS } from '../../../http/routes.ts'
import { SearchHit, SearchQuery } from './model.ts'
import { search } from './service.ts'

const USUAL = 20

export const finding = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/search', tags: ['Search'] })
    .use(http)
    .get(
      '',
      ({ caller, query }) => search(deps.db, caller, query.q ?? '', Number(query.limit ?? USUAL), deps.clock.now()),
      {
        access: LANDLORDS,
        query: SearchQuery,
        answers: { 200: Type.Array(SearchHit) },
        detail: {
          summary: 'Search tenants, properties, units, leases, invoices, payments and documents',
          operationId: 'search',
          description:
            'Matches of whole words come first, then the newest. Owners find only what is theirs. For an owner, the beginning of a number is searched among the newest thousand invoices, payments and documents; a whole number is searched among all.',
        },
      },
    )
