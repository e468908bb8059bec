import type { Handlers } from '../../../jobs/worker.ts'
import { findBooking } from '../../lease/leases/store.ts'
import type { Portal } from '../../people/notifications/service.ts'
import { type Telling, tellTenant } from '../../people/tenants/service.ts'
import { findInvoice } from '../invoices/store.ts'
import { TEXTS } from './texts.ts'

/** Tells a tenant what was waived, and what is left to pay. */
export const waiverHandlers = (deps: Telling): Handlers => ({
  'invoice.waived': async ({ id, orgId, source, payload }) => {
    const invoice = findInvoice(deps.db, orgId ?? '', source.split(':')[0] ?? '')
    const lease = invoice && findBooking(deps.db, invoice.orgId, invoice.bookingId)
    if (!lease || invoice.status === 'CANCELLED') return
    const { number, dueDate, grossAmount, amountPaid } = invoice
    const facts = { ...lease, number, dueDate, amount: Number(payload?.amount), balance: grossAmount - amountPaid }
    const say = (locale: 'fr' | 'en', portal: Portal) => TEXTS[locale].waived({ ...facts, url: portal('papers') })
    await tellTenant(deps, lease, { id, purpose: 'invoice_waived', say })
  },
})
