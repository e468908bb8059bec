import { formatDate } from '../../../core/dates.ts'
import { quotedPlace } from '../../../core/message-text.ts'

type Lease = { readonly unitLabel: string; readonly propertyName: string; readonly endDate: string }
type RequestFacts = { readonly unitLabel: string; readonly propertyName: string; readonly url: string }

type Term = Omit<Lease, 'endDate'> & { readonly endDate: string | null; readonly autoRenew: boolean }
/** What tenants are told of their lease, in their language. */
export const TEXTS = {
  fr: {
    requested: (l: RequestFacts) =>
      `Une demande est arrivée pour ${quotedPlace(l, 'fr')}. Acceptez-la ou refusez-la\u00a0: ${l.url}`,
    leaseReinstated: (l: Lease) =>
      `Votre bail pour ${quotedPlace(l, 'fr')} continue\u00a0: la fin prévue le ${formatDate(l.endDate, 'fr')} est annulée.`,
    leaseTerm: ({ endDate, autoRenew, ...l }: Term) =>
      endDate === null
        ? `Votre bail pour ${quotedPlace(l, 'fr')} n’a pas de terme fixé.`
        : `Votre bail pour ${quotedPlace(l, 'fr')} va jusqu’au ${formatDate(endDate, 'fr')}${autoRenew ? ', puis de mois en mois' : ' et s’arrête à cette date'}.`,
  },
  en: {
    requested: (l: RequestFacts) => `Someone has asked to rent ${quotedPlace(l, 'en')}. Accept or refuse: ${l.url}`,
    leaseReinstated: (l: Lease) =>
      `Your lease for ${quotedPlace(l, 'en')} continues: the end planned for ${formatDate(l.endDate, 'en')} is cancelled.`,
    leaseTerm: ({ endDate, autoRenew, ...l }: Term) =>
      endDate === null
        ? `Your lease for ${quotedPlace(l, 'en')} has no fixed end.`
        : `Your lease for ${quotedPlace(l, 'en')} runs until ${formatDate(endDate, 'en')}${autoRenew ? ', then month by month' : ' and ends on that day'}.`,
  },
} as const satisfies Record<'fr' | 'en', unknown>
