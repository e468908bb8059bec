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
          description: 'The last day of the lease, as `terminate` takes it; of a TERMINATED lease without effect.',
        }),
      }),
      problems: ['invalid_state'],
      answers: { 200: Settlement },
      detail: {
        summary: 'What the end of a lease would settle',
        description: [
          'Every figure of `terminate` on that day (today when not given), without doing it: nothing is written, and what it',
          'would refuse is refused here with the same words. Of a TERMINATED lease: what its end settled, with what was paid',
          'since; its tenant reads it then, and not before (403).',
        ].join(' '),
        operationId: 'previewSettlement',
        'x-versioned': true,
      } as object,
    },
  )
