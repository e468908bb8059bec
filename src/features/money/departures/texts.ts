import { formatDate } from '../../../core/dates.ts'
import { quoted } from '../../../core/quoted.ts'

type Lease = { readonly unitLabel: string; readonly propertyName: string }
const fr = ({ unitLabel, propertyName }: Lease): string => `${quoted(unitLabel, 'fr')}, ${quoted(propertyName, 'fr')}`
const en = ({ unitLabel, propertyName }: Lease): string => `${quoted(unitLabel, 'en')}, ${quoted(propertyName, 'en')}`

/** What the parties are told of a notice to leave, each in their language; `account`: the tenant has one. */
export const TEXTS = {
  fr: {
    given: {
      LANDLORD: (l: Lease, day: string, account: boolean) =>
        `Votre bailleur vous donne congé pour ${fr(l)}\u00a0: le bail prend fin le ${formatDate(day, 'fr')}. ${account ? 'Le congé est dans vos documents' : 'Demandez-lui le congé écrit'}.`,
      TENANT: (l: Lease, day: string, account: boolean) =>
        `Votre congé pour ${fr(l)} est enregistré\u00a0: le bail prend fin le ${formatDate(day, 'fr')}. Ce n’est pas vous\u00a0? ${account ? 'Retirez-le' : 'Dites-le à votre bailleur'} avant cette date.`,
    },
    toOwner: (l: Lease, day: string, tenant: string) =>
      `${tenant} donne congé pour ${fr(l)}\u00a0: le bail prend fin le ${formatDate(day, 'fr')}.`,
    withdrawn: (l: Lease, day: string) =>
      `Le congé donné pour ${fr(l)} au ${formatDate(day, 'fr')} est retiré\u00a0: le bail continue.`,
  },
  en: {
    given: {
      LANDLORD: (l: Lease, day: string, account: boolean) =>
        `Your landlord gives you notice for ${en(l)}: the lease ends on ${formatDate(day, 'en')}. ${account ? 'The notice is among your papers' : 'Ask them for the written notice'}.`,
      TENANT: (l: Lease, day: string, account: boolean) =>
        `Your notice for ${en(l)} is recorded: the lease ends on ${formatDate(day, 'en')}. It was not you? ${account ? 'Withdraw it' : 'Tell your landlord'} before that day.`,
    },
    toOwner: (l: Lease, day: string, tenant: string) =>
      `${tenant} gives notice for ${en(l)}: the lease ends on ${formatDate(day, 'en')}.`,
    withdrawn: (l: Lease, day: string) =>
      `The notice given for ${en(l)} for ${formatDate(day, 'en')} is withdrawn: the lease goes on.`,
  },
} as const
