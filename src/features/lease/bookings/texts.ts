import { formatDate } from '../../../core/dates.ts'
import { quotedPlace } from '../../../core/quoted.ts'

type Lease = { readonly unitLabel: string; readonly propertyName: string; readonly endDate: string }

/** What tenants are told of their lease, in their language. */
export const TEXTS = {
  fr: {
    leaseEnded: (l: Lease) => `Votre bail pour ${quotedPlace(l, 'fr')} a pris fin le ${formatDate(l.endDate, 'fr')}.`,
    leaseReinstated: (l: Lease) =>
      `Votre bail pour ${quotedPlace(l, 'fr')} continue : sa fin au ${formatDate(l.endDate, 'fr')} est annulée.`,
  },
  en: {
    leaseEnded: (l: Lease) => `Your lease of ${quotedPlace(l, 'en')} ended on ${formatDate(l.endDate, 'en')}.`,
    leaseReinstated: (l: Lease) =>
      `Your lease of ${quotedPlace(l, 'en')} goes on: its end on ${formatDate(l.endDate, 'en')} is undone.`,
  },
} as const satisfies Record<'fr' | 'en', unknown>
