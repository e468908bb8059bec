import { formatDate } from '../../../core/dates.ts'
import { beforeVat, quotedPlace } from '../../../core/message-text.ts'
import { formatMoney } from '../../../core/money.ts'

type Lease = { readonly unitLabel: string; readonly propertyName: string; readonly tvaBasisPoints: number }
/** `url`: the lease's page; undefined for a tenant without an account, who makes one at `home`. */
type At = { readonly url: string | undefined; readonly home: string }
type Change = { readonly fromDate: string; readonly rentAmount: number; readonly previousAmount: number }
const fr = (l: Lease): string => quotedPlace(l, 'fr')
const en = (l: Lease): string => quotedPlace(l, 'en')
/** A month's rent, as the lease has it. */
const parMois = ({ tvaBasisPoints }: Lease, rent: number): string =>
  `${formatMoney(rent, 'fr')} par mois${beforeVat(tvaBasisPoints, 'fr')}`
const aMonth = ({ tvaBasisPoints }: Lease, rent: number): string =>
  `${formatMoney(rent, 'en')} a month${beforeVat(tvaBasisPoints, 'en')}`
const de = (day: string): string => formatDate(day, 'fr')
const on = (day: string): string => formatDate(day, 'en')

/** What the parties are told of a change of the rent, each in their language. Amounts are rents of a month without VAT. */
export const TEXTS = {
  fr: {
    announced: (l: Lease, c: Change, at: At) =>
      `Le loyer pour ${fr(l)} passera de ${formatMoney(c.previousAmount, 'fr')} à ${parMois(l, c.rentAmount)} à compter du ${de(c.fromDate)}. ${at.url ? 'L’avis est dans vos documents' : 'Demandez l’avis écrit à votre bailleur'}.`,
    proposed: (l: Lease, c: Change, at: At) =>
      `Votre bailleur propose de porter le loyer pour ${fr(l)} de ${formatMoney(c.previousAmount, 'fr')} à ${parMois(l, c.rentAmount)} à compter du ${de(c.fromDate)}. Sans votre signature, rien ne change. ${at.url ? `Lisez l’avenant et signez-le si vous êtes d’accord\u00a0: ${at.url}` : `Demandez l’avenant à votre bailleur, ou créez un compte avec ce numéro pour le lire et le signer\u00a0: ${at.home}`}`,
    agreed: (l: Lease, c: Change, _at: At) =>
      `L’avenant au bail pour ${fr(l)} est signé\u00a0: le loyer sera de ${parMois(l, c.rentAmount)} à compter du ${de(c.fromDate)}.`,
    declined: (l: Lease, c: Change, at: At) =>
      `Le locataire ne signe pas l’avenant au bail pour ${fr(l)}\u00a0: le loyer reste de ${parMois(l, c.previousAmount)}. Sa réponse\u00a0: ${at.url}`,
    cancelled: (l: Lease, c: Change) =>
      `Le changement de loyer prévu pour ${fr(l)} au ${de(c.fromDate)} est annulé\u00a0: le loyer reste de ${parMois(l, c.previousAmount)}.`,
  },
  en: {
    announced: (l: Lease, c: Change, at: At) =>
      `The rent for ${en(l)} will change from ${formatMoney(c.previousAmount, 'en')} to ${aMonth(l, c.rentAmount)} from ${on(c.fromDate)}. ${at.url ? 'The notice is among your documents' : 'Ask your landlord for the written notice'}.`,
    proposed: (l: Lease, c: Change, at: At) =>
      `Your landlord proposes to raise the rent for ${en(l)} from ${formatMoney(c.previousAmount, 'en')} to ${aMonth(l, c.rentAmount)} from ${on(c.fromDate)}. Without your signature nothing changes. ${at.url ? `Read the amendment, and sign it if you agree: ${at.url}` : `Ask your landlord for the amendment, or make an account with this number to read and sign it: ${at.home}`}`,
    agreed: (l: Lease, c: Change, _at: At) =>
      `The amendment to the lease for ${en(l)} has been signed: the rent will be ${aMonth(l, c.rentAmount)} from ${on(c.fromDate)}.`,
    declined: (l: Lease, c: Change, at: At) =>
      `The tenant has not agreed to the amendment to the lease for ${en(l)}: the rent remains ${aMonth(l, c.previousAmount)}. Their answer: ${at.url}`,
    cancelled: (l: Lease, c: Change) =>
      `The rent change for ${en(l)} planned for ${on(c.fromDate)} has been cancelled: the rent remains ${aMonth(l, c.previousAmount)}.`,
  },
} as const
