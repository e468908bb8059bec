import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { LISTED } from '../../../core/budgets.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { rowOf } from '../../../http/mutation.ts'
import { ListParameters, Of } from '../../../http/paging.ts'
import { EVERYONE, type Http, LANDLORDS, section } from '../../../http/routes.ts'
import { oneOf } from '../../../http/schema.ts'
import { getBooking, partyBooking } from '../../lease/leases/store.ts'
import { getProperty } from '../../property/properties/store.ts'
import { Cancel, Invoice, toInvoice } from '../invoices/model.ts'
import { sharesOfLease } from '../invoices/store.ts'
import { issueCharges } from './add.ts'
import {
  ChargesInvoice,
  LeaseShare,
  Regularisation,
  RegularisationGiven,
  RegularisationHead,
  RegularisationPreview,
  toItem,
  toItemShare,
  toRegularisation,
  toShare,
  withLandlord,
} from './model.ts'
import { cancelRegularisation, issueRegularisation, previewed } from './regularise.ts'
import { REGULARISATION_STATUS } from './rules.ts'
import { getRegularisation, listRegularisations, type RegularisationRow, sharesSeen } from './store.ts'

/** Charges on an invoice of their own. */
export const charges = (http: Http) =>
  new Elysia({ prefix: '/api/v1/bookings', tags: ['Invoices'] })
    .use(http)
    .post(
      '/:id/invoices',
      ({ body, mutate }) =>
        mutate({ status: 201, body, run: issueCharges, view: toInvoice, current: rowOf(getBooking) }),
      {
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
      },
    )

const Query = ListParameters({
  propertyId: Of('this property'),
  status: Type.Optional(oneOf(REGULARISATION_STATUS, { description: 'Only those with this status.' })),
})

const seen = ({ items, shares, ...planned }: ReturnType<typeof previewed>) => ({
  ...withLandlord(planned),
  items: items.map(toItem),
  shares: shares.map(({ lease, credits, ...share }) => ({
    ...share,
    bookingId: lease.id,
    unitId: lease.unitId,
    unitLabel: lease.unitLabel,
    tenantName: lease.tenantName,
    items: share.items.map(toItemShare),
    balanceAmount: share.amount - share.provisionAmount,
    credited: credits,
    creditAmount: credits.reduce((sum, { amount }) => sum + amount, 0),
  })),
})

/** What charges really cost, shared among the leases of a property. */
export function regularisations(deps: Deps, http: Http) {
  const view = (row: RegularisationRow) => toRegularisation(row, sharesSeen(deps.db, row))
  return new Elysia(
    section(
      'Charges',
      'Sub-meters and their readings, and the regularisation of charges: their real cost over a period, shared among the leases of a property. A tenant sees their own shares, with the readings and photos behind them.',
    ),
  )
    .use(http)
    .post(
      '/api/v1/properties/:id/regularisations/preview',
      async ({ params: { id }, body, preview, set }) => {
        set.headers['cache-control'] = 'no-store'
        return seen(await preview((ctx) => previewed(ctx, id, body)))
      },
      {
        access: LANDLORDS,
        body: RegularisationGiven,
        problems: ['not_found', 'invalid_state', 'quota_exceeded'],
        answers: { 200: RegularisationPreview },
        detail: {
          summary: 'Preview a regularisation of charges',
          description: 'Returns every figure and writes nothing.',
          operationId: 'previewRegularisation',
          // it changes nothing, so there is nothing to replay
          'x-idempotent': false,
        },
      },
    )
    .post(
      '/api/v1/properties/:id/regularisations',
      ({ body, mutate }) => mutate({ status: 201, body, run: issueRegularisation, view, current: rowOf(getProperty) }),
      {
        access: LANDLORDS,
        body: RegularisationGiven,
        problems: ['not_found', 'invalid_state', 'quota_exceeded'],
        creates: ['/api/v1/regularisations/{id}'],
        answers: { 201: Regularisation },
        detail: {
          summary: 'Issue a regularisation of charges',
          description:
            'Shares the real cost of charges over a period among the leases that ran in it, by days if a lease began or ended in the period. Days without a lease stay with the landlord. The shares add up to the cost to the franc. A lease with VAT shares the costs without the VAT in them, which the landlord deducts, and its own VAT is added. Any other lease shares the costs with their VAT, and nothing is added. Provisions invoiced in the period are offset, each once. The rest is one invoice for each lease (kind CHARGES, with the VAT of the lease), or credit notes if provisions were higher. Each expense can be charged on once; readings stay as they are.',
          operationId: 'issueRegularisation',
        },
      },
    )
    .get(
      '/api/v1/regularisations',
      ({ many, query }) =>
        many({ name: 'regularisations', query, filters: ['propertyId', 'status', 'updatedSince'] }, (q) => {
          const { rows, ...rest } = listRegularisations(deps.db, q)
          return { rows: rows.map(withLandlord), ...rest }
        }),
      {
        access: LANDLORDS,
        query: Query,
        answers: { 200: Type.Array(RegularisationHead) },
        detail: { summary: 'List regularisations of charges', operationId: 'listRegularisations' },
      },
    )
    .get(
      '/api/v1/regularisations/:id',
      ({ caller, params, one }) => one(getRegularisation(deps.db, caller.orgId, caller.scope, params.id), view),
      {
        access: LANDLORDS,
        answers: { 200: Regularisation },
        detail: { summary: 'Read a regularisation with its shares', operationId: 'getRegularisation' },
      },
    )
    .post(
      '/api/v1/regularisations/:id/cancel',
      ({ body, mutate }) =>
        mutate({
          body,
          run: (ctx, id) => cancelRegularisation(ctx, id, body.reason),
          view,
          current: rowOf(getRegularisation),
        }),
      {
        access: LANDLORDS,
        body: Cancel,
        problems: ['invalid_state'],
        answers: { 200: Regularisation },
        detail: {
          summary: 'Undo a regularisation while nothing is paid',
          description:
            'Cancels its invoices, withdraws its credit notes, and returns money that was moved. Everybody but the owner of the property gives a `reason` (422 at `/reason`). Its expenses and readings can be used again.',
          operationId: 'cancelRegularisation',
        },
      },
    )
    .get(
      '/api/v1/bookings/:id/charge-shares',
      ({ caller, params, set }) => {
        if (!partyBooking(deps.db, caller.orgId, caller.scope, params.id)) throw notFound()
        set.headers['cache-control'] = 'no-store'
        return sharesOfLease(deps.db, caller.orgId, params.id)
          .toReversed()
          .slice(0, LISTED)
          .map(({ share, ...period }) => ({ ...toShare(share), ...period }))
      },
      {
        access: EVERYONE,
        answers: { 200: Type.Array(LeaseShare) },
        detail: {
          summary: "List a lease's shares in regularisations of charges",
          description: `Newest first, with the readings and photos that they are based on. Lists only the shares in force, at most ${LISTED}.`,
          operationId: 'listChargeShares',
        },
      },
    )
}
