import { Elysia } from 'elysia'
import type { Deps } from '../../../deps.ts'
import { type Http, LANDLORDS, rowOf } from '../../../http/routes.ts'
import { getBooking } from '../../lease/bookings/store.ts'
import { Invoice, toInvoice } from '../invoices/model.ts'
import { ChargesInvoice } from './model.ts'
import { issueCharges } from './service.ts'

/** Charges on an invoice of their own. */
export const charges = (_deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Invoices'] })
    .use(http)
    .post('/:id/invoices', ({ body, mutate }) => mutate(201, body, issueCharges, toInvoice, rowOf(getBooking)), {
      access: LANDLORDS,
      body: ChargesInvoice,
      problems: ['invalid_state', 'quota_exceeded'],
      creates: ['/api/v1/invoices/{id}'],
      answers: { 201: Invoice },
      detail: {
        summary: 'Issue an invoice of charges',
        description:
          'Invoices water, power, repairs and other charges of an ACTIVE or TERMINATED lease, separately from the invoices of its periods and whatever months were paid in advance. Its kind is CHARGES, and its period is the day on which it is issued. It has the VAT of the lease, and credit pays it at once. At most 20 a day for one lease, including cancelled ones.',
        operationId: 'issueCharges',
      },
    })
