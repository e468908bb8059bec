import { Elysia } from 'elysia'
import { rowOf } from '../../../http/mutation.ts'
import { type Http, LANDLORDS } from '../../../http/routes.ts'
import { Invoice, toInvoice } from '../invoices/model.ts'
import { getInvoice } from '../invoices/store.ts'
import { Waiver } from './model.ts'
import { waive } from './service.ts'

/** A part of an invoice that the landlord no longer asks for. */
export const waivers = (http: Http) =>
  new Elysia({ prefix: '/api/v1/invoices', tags: ['Invoices'] })
    .use(http)
    .post(
      '/:id/waive',
      ({ body, mutate }) => mutate({ body, run: waive, view: toInvoice, current: rowOf(getInvoice) }),
      {
        access: LANDLORDS,
        body: Waiver,
        problems: ['invalid_state'],
        shows: {
          status: 'ISSUED',
          amountPaid: 10_000,
          creditedAmount: 10_000,
          paidAt: undefined,
          balanceAmount: 75_000,
        },
        answers: { 200: Invoice },
        detail: {
          summary: 'Waive a part of an open invoice',
          description:
            'Takes up to `balanceAmount` off an ISSUED or OVERDUE invoice by a credit note with the reason WAIVED, dated today, with its share of the VAT. It is no money: reports count it in `creditedAmount` and `waivedAmount`, never as received. The tenant gets a message; if somebody other than the owner did it, the owner and the administrators are told. It cannot be undone: to ask for the amount again, issue an invoice of charges.',
          operationId: 'waiveInvoice',
        },
      },
    )
