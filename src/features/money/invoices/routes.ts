import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { asTenant } from '../../../context.ts'
import { LISTED } from '../../../core/budgets.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { rowOf } from '../../../http/mutation.ts'
import { contains, filtersOf, ListParameters, Of } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { DateOnly, someOf, Text } from '../../../http/schema.ts'
import { filteredTenantId } from '../../lease/leases/store.ts'
import { Cancel, Charge, CreditNote, Invoice, invoiceView, toCreditNote, toInvoice } from './model.ts'
import { INVOICE_STATUS } from './rules.ts'
import { addCharge, cancelByHand } from './service.ts'
import { creditNotesOf, getInvoice, listInvoices, partyInvoice } from './store.ts'

const Query = ListParameters({
  status: Type.Optional(someOf(INVOICE_STATUS)),
  bookingId: Of('this lease'),
  tenantId: Of('leases of this tenant'),
  tenantUserId: Of("this user's leases"),
  propertyId: Of('this property'),
  dueFrom: Type.Optional({ ...DateOnly, description: 'Only those due on this day or later.' }),
  dueTo: Type.Optional({ ...DateOnly, description: 'Only those due on this day or earlier.' }),
  q: Type.Optional({
    ...Text({ max: 100 }),
    description:
      'A part of the name of the tenant, unit or property of its lease (the newest 200 leases), or the beginning of its number (the newest 2,000 invoices).',
  }),
})
const FILTERS = filtersOf(Query, 'typed')

export const invoices = (deps: Deps, http: Http) =>
  new Elysia({
    prefix: '/api/v1/invoices',
    ...section(
      'Invoices',
      'What is owed for a period of a lease: ISSUED, OVERDUE, PAID, CANCELLED. Invoices are issued automatically.',
    ),
  })
    .use(http)
    .get(
      '',
      ({ many, query }) =>
        many({ name: 'invoices', query: { ...query, q: contains(query.q), typed: query.q }, filters: FILTERS }, (q) => {
          const scope = asTenant(q.scope, filteredTenantId(deps.db, q.orgId, q.values))
          const { rows, ...about } = listInvoices(deps.db, { ...q, scope })
          return { ...about, rows: rows.map(invoiceView) }
        }),
      {
        access: EVERYONE,
        query: Query,
        answers: { 200: Type.Array(Invoice) },
        detail: { summary: 'List invoices', operationId: 'listInvoices' },
      },
    )
    .get('/:id', ({ cached }) => cached(partyInvoice, toInvoice), {
      access: EVERYONE,
      answers: { 200: Invoice },
      detail: { summary: 'Read an invoice', operationId: 'getInvoice' },
    })
    .get(
      '/:id/credit-notes',
      ({ caller, params }) => {
        const { orgId, scope } = caller
        if (!partyInvoice(deps.db, orgId, scope, params.id)) throw notFound()
        return creditNotesOf(deps.db).all({ orgId, invoiceId: params.id }).slice(-LISTED).map(toCreditNote)
      },
      {
        access: EVERYONE,
        answers: { 200: Type.Array(CreditNote) },
        detail: {
          summary: 'List the credit notes of an invoice',
          description: `Lists, oldest first, every amount taken off the invoice, by a cancellation, at the end of its lease, by a regularisation or waived. Each credit note is dated in the month in which this happened. Its paper is a document of kind INVOICE and variant CREDIT_NOTE. At most the newest ${LISTED}.`,
          operationId: 'listCreditNotes',
        },
      },
    )
    .post(
      '/:id/charges',
      ({ body, mutate }) => mutate({ body, run: addCharge, view: toInvoice, current: rowOf(getInvoice) }),
      {
        access: LANDLORDS,
        body: Charge,
        problems: ['invalid_state'],
        shows: { status: 'ISSUED', amountPaid: 0, paidAt: undefined, balanceAmount: 85_000 },
        answers: { 200: Invoice },
        detail: { summary: 'Add a charge to an ISSUED invoice without payments', operationId: 'addCharge' },
      },
    )
    .post(
      '/:id/cancel',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => cancelByHand(ctx, id, body.reason),
          view: toInvoice,
          current: rowOf(getInvoice),
        }),
      {
        access: LANDLORDS,
        body: Cancel,
        problems: ['invalid_state'],
        shows: { status: 'CANCELLED', amountPaid: 0, paidAt: undefined, cancelledAt: '2026-03-02T09:00:00.000Z' },
        answers: { 200: Invoice },
        detail: {
          summary: 'Cancel an invoice without payments',
          description: 'Everybody but the owner of the property gives a `reason` (422 at `/reason`).',
          operationId: 'cancelInvoice',
        },
      },
    )
