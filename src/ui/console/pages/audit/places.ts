import type { Schemas } from '../../../shared/api.ts'
import { router } from '../../router.ts'

type Entry = Schemas['AuditEntry']
/** Actions after which the object no longer exists. */
const GONE = /\.(delete|withdraw|erase)$/

/** The page of the object of an entry; undefined if it has none, or no longer exists. */
export function placeOf({ action, subjectType, subjectId, details }: Entry): string | undefined {
  if (GONE.test(action)) return undefined
  const id = subjectId
  switch (subjectType) {
    case 'booking':
      return router.href('/bookings/:id', { id })
    case 'invoice':
      return router.href('/invoices/:id', { id })
    case 'tenant':
      return router.href('/tenants/:id', { id })
    case 'property':
      return router.href('/properties/:id', { id })
    case 'user':
      return router.href('/users/:id', { id })
    case 'verification':
      return router.href('/reviews/:id', { id })
    case 'webhook_endpoint':
      return router.href('/settings/webhooks/:id', { id })
    case 'organization':
      return router.href('/settings')
    case 'lease_template':
      return router.href('/settings/clauses')
    case 'rent_message':
      return typeof details?.invoiceId === 'string'
        ? router.href('/invoices/:id', { id: details.invoiceId })
        : undefined
    case 'deposit':
    case 'signature':
      return typeof details?.bookingId === 'string'
        ? router.href('/bookings/:id', { id: details.bookingId })
        : undefined
    default:
      return undefined
  }
}
