import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/leases/store.ts'
import type { Portal } from '../../people/notifications/service.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { getInvoice, sharesOfLease } from '../invoices/store.ts'
import { TEXTS } from './texts.ts'

const ALL = { kind: 'all', userId: '' } as const

/** Tells a tenant of their share of charges where no invoice asks for it. */
export const regularisationHandlers = (deps: Telling): Handlers => ({
  'charges.shared': async ({ id, orgId, source }) => {
    const [shareId, bookingId = ''] = source.split(':')
    const lease = findBooking(deps.db, orgId ?? '', bookingId)
    const shared = lease && sharesOfLease(deps.db, lease.orgId, bookingId).find(({ share }) => share.id === shareId)
    // The regularisation may have been undone meanwhile.
    if (!shared) return
    const { share, periodStart: from, periodEnd: to } = shared
    const invoice = share.invoiceId === null ? undefined : getInvoice(deps.db, lease.orgId, ALL, share.invoiceId)
    const credit = share.credited.reduce((sum, { amount }) => sum + amount, 0)
    const outcome = invoice ? 'PAID' : credit > 0 ? 'CREDIT' : 'EVEN'
    const facts = { ...lease, from, to, outcome, amount: invoice?.grossAmount ?? credit } as const
    const say = (locale: 'fr' | 'en', portal: Portal) =>
      TEXTS[locale].chargesShared({ ...facts, url: portal(`charges/${bookingId}`) })
    await tellTenant(deps, lease, { id, purpose: 'charges_shared', kind: 'CHARGES_SHARED', say })
  },
})
