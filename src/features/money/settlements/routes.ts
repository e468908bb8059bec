import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { DateOnly } from '../../../http/schema.ts'
import { hasManyInvoices } from '../invoices/store.ts'
import { Settlement } from './model.ts'
import { settlementSeen } from './service.ts'

/** What the end of a lease settles, and settled. */
export const settlements = ({ db, importThread }: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] }).use(http).get(
    '/:id/settlement',
    ({ caller: { orgId }, params: { id }, query, undone }) => {
      const isLong = importThread && hasManyInvoices(db, orgId, id, query.endDate)
      const long = isLong ? ({ kind: 'settlement', id, given: query } as const) : undefined
      return undone((ctx) => settlementSeen(ctx, id, query.endDate), long)
    },
    {
      access: EVERYONE,
      query: Type.Object({
        endDate: Type.Optional({
          ...DateOnly,
          description: 'The last day of the lease, as for `terminate`; has no effect for a TERMINATED lease.',
        }),
      }),
      problems: ['invalid_state'],
      answers: { 200: Settlement },
      detail: {
        summary: 'Preview the settlement of a lease',
        description: [
          'Returns every figure of `terminate` for the given day (today if omitted), and writes nothing. What',
          '`terminate` would refuse is refused here with the same words. For a TERMINATED lease, returns what',
          'its end settled, and what was paid since. The tenant can read it only then (403 before).',
        ].join(' '),
        operationId: 'previewSettlement',
        'x-versioned': true,
      } as object,
    },
  )
