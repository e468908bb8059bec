import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { ListParameters } from '../../../http/paging.ts'
import { EVERYONE, type Http } from '../../../http/routes.ts'
import { partyBooking } from '../../lease/bookings/store.ts'
import { toSignature } from '../../lease/contracts/model.ts'
import { toRepair } from '../../lease/repairs/model.ts'
import { withoutCost } from '../../lease/repairs/rules.ts'
import { toInvoice } from '../../money/invoices/model.ts'
import { toPayment } from '../../money/payments/model.ts'
import { toNotice } from '../../news/reminders/model.ts'
import { toDocument } from '../../papers/documents/model.ts'
import { TimelineEntry } from './model.ts'
import { type Happening, timelineOf } from './service.ts'

function viewOf(happening: Happening) {
  switch (happening.kind) {
    case 'SIGNATURE':
      return { signature: toSignature(happening.row) }
    case 'INVOICE':
      return { invoice: toInvoice(happening.row) }
    case 'PAYMENT':
      return { payment: toPayment(happening.row) }
    case 'NOTICE':
      return { notice: toNotice(happening.row) }
    case 'DOCUMENT':
      return { document: toDocument(happening.row) }
    case 'REPAIR':
      return { repair: withoutCost(toRepair(happening.row)) }
  }
}
/** An entry as the list of its own kind answers it. */
const toEntry = (happening: Happening) => {
  const { kind, row } = happening
  return { id: row.id, kind, at: row.createdAt, ...viewOf(happening) }
}

/** What happened in a lease, in one list. */
export const timeline = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Bookings'] }).use(http).get(
    '/:id/timeline',
    ({ caller, params, many, query }) => {
      if (!partyBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
      return many('timeline', { ...query, bookingId: params.id }, ['bookingId', 'updatedSince'], (q) => {
        const page = timelineOf(deps.db, q)
        return { ...page, rows: page.rows.map(toEntry) }
      })
    },
    {
      access: EVERYONE,
      query: ListParameters({}),
      answers: { 200: Type.Array(TimelineEntry) },
      detail: {
        summary: 'List the events of a lease',
        description:
          'Lists signatures, invoices, payments, notices, papers and repairs, newest first. Tenants and landlords each see what is theirs. The cost of a repair is on the repair itself.',
        operationId: 'listTimeline',
      },
    },
  )
