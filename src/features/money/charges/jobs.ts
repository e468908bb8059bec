import type { LongChange } from '../../../adapters/imports/port.ts'
import type { Ctx } from '../../../context.ts'
import { etagOf } from '../../../http/cache.ts'
import { answerLong, type LongWork, undoneLong } from '../../../jobs/long.ts'
import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/leases/store.ts'
import type { Portal } from '../../people/notifications/service.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { propertyOf } from '../../property/properties/service.ts'
import { getInvoice, sharesOfLease } from '../invoices/store.ts'
import type { RegularisationGiven } from './model.ts'
import { toRegularisation } from './model.ts'
import { cancelRegularisation, issueRegularisation, previewed, regularisationOf } from './regularise.ts'
import { type RegularisationRow, sharesSeen } from './store.ts'
import { TEXTS } from './texts.ts'

type Work = Parameters<typeof answerLong>[0]
const answered = ({ tx }: Ctx, { epoch }: LongChange, status: number, row: RegularisationRow) => ({
  value: toRegularisation(row, sharesSeen(tx, row)),
  status,
  etag: etagOf(epoch, row.version),
})
// Regularisations of many leases, in the thread of long writes: each answers what its route does, and throws what its use
// case throws, and precondition_failed for a version not `seen`.
export const regulariseLong = (work: Work, change: LongChange) =>
  answerLong(work, change, propertyOf, (ctx) =>
    answered(ctx, change, 201, issueRegularisation(ctx, change.id, change.given as RegularisationGiven)),
  )
export const unregulariseLong = (work: Work, change: LongChange) =>
  answerLong(work, change, regularisationOf, (ctx) => answered(ctx, change, 200, cancelRegularisation(ctx, change.id)))
export const sharesLong = (work: LongWork, change: LongChange) =>
  undoneLong(work, change, (ctx) => previewed(ctx, change.id, change.given as RegularisationGiven))

const ALL = { kind: 'all', userId: '' } as const

/** Tells a tenant of their share of charges where no invoice asks for it. */
export const regularisationHandlers = (deps: Telling): Handlers => ({
  'charges.shared': async ({ id, orgId, source }) => {
    const [shareId, bookingId = ''] = source.split(':')
    const lease = findBooking(deps.db, orgId ?? '', bookingId)
    const found = lease && sharesOfLease(deps.db, lease.orgId, bookingId).find(({ share }) => share.id === shareId)
    // The regularisation may have been undone meanwhile.
    if (!found) return
    const { share, periodStart: from, periodEnd: to } = found
    const invoice = share.invoiceId === null ? undefined : getInvoice(deps.db, lease.orgId, ALL, share.invoiceId)
    const credit = share.credited.reduce((sum, { amount }) => sum + amount, 0)
    const outcome = invoice ? 'PAID' : credit > 0 ? 'CREDIT' : 'EVEN'
    const told = { ...lease, from, to, outcome, amount: invoice?.grossAmount ?? credit } as const
    const say = (locale: 'fr' | 'en', portal: Portal) =>
      TEXTS[locale].chargesShared({ ...told, url: portal(`charges/${bookingId}`) })
    await tellTenant(deps, lease, { id, purpose: 'charges_shared', kind: 'CHARGES_SHARED', say })
  },
})
