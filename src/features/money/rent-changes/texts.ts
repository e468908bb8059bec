import { formatDate } from '../../../core/dates.ts'
import { formatMoney } from '../../../core/money.ts'
import { quoted } from '../../../core/quoted.ts'

type Lease = { readonly unitLabel: string; readonly propertyName: string }
type Change = { readonly fromDate: string; readonly rentAmount: number; readonly previousAmount: number }
const fr = ({ unitLabel, propertyName }: Lease): string => `${quoted(unitLabel, 'fr')}, ${quoted(propertyName, 'fr')}`
const en = ({ unitLabel, propertyName }: Lease): string => `${quoted(unitLabel, 'en')}, ${quoted(propertyName, 'en')}`
const de = (day: string): string => formatDate(day, 'fr')
const on = (day: string): string => formatDate(day, 'en')

/** What the parties are told of a change of the rent, each in their language. Amounts are net rents of a month. */
export const TEXTS = {
  fr: {
    announced: (l: Lease, c: Change) =>
      `Le loyer de ${fr(l)} passe de ${formatMoney(c.previousAmount, 'fr')} à ${formatMoney(c.rentAmount, 'fr')} par mois, hors taxe, à compter du ${de(c.fromDate)}. L’avis est dans vos documents.`,
    proposed: (l: Lease, c: Change, url: string) =>
      `Votre bailleur propose de porter le loyer de ${fr(l)} de ${formatMoney(c.previousAmount, 'fr')} à ${formatMoney(c.rentAmount, 'fr')} par mois, hors taxe, à compter du ${de(c.fromDate)}. Sans votre signature, rien ne change. Lisez l’avenant et signez-le si vous êtes d’accord\u00a0: ${url}`,
    agreed: (l: Lease, c: Change, _url: string) =>
      `L’avenant au bail de ${fr(l)} est signé\u00a0: le loyer est de ${formatMoney(c.rentAmount, 'fr')} par mois, hors taxe, à compter du ${de(c.fromDate)}.`,
    declined: (l: Lease, c: Change, url: string) =>
      `Le locataire ne signe pas l’avenant au bail de ${fr(l)}\u00a0: le loyer reste de ${formatMoney(c.previousAmount, 'fr')} par mois, hors taxe. Sa réponse\u00a0: ${url}`,
    cancelled: (l: Lease, c: Change) =>
      `Le changement de loyer prévu pour ${fr(l)} au ${de(c.fromDate)} est annulé\u00a0: le loyer reste de ${formatMoney(c.previousAmount, 'fr')} par mois, hors taxe.`,
  },
  en: {
    announced: (l: Lease, c: Change) =>
      `The rent of ${en(l)} goes from ${formatMoney(c.previousAmount, 'en')} to ${formatMoney(c.rentAmount, 'en')} a month, net, from ${on(c.fromDate)}. The notice is among your papers.`,
    proposed: (l: Lease, c: Change, url: string) =>
      `Your landlord proposes to raise the rent of ${en(l)} from ${formatMoney(c.previousAmount, 'en')} to ${formatMoney(c.rentAmount, 'en')} a month, net, from ${on(c.fromDate)}. Without your signature nothing changes. Read the rider, and sign it if you agree: ${url}`,
    agreed: (l: Lease, c: Change, _url: string) =>
      `The rider to the lease of ${en(l)} is signed: the rent is ${formatMoney(c.rentAmount, 'en')} a month, net, from ${on(c.fromDate)}.`,
    declined: (l: Lease, c: Change, url: string) =>
      `The tenant does not sign the rider to the lease of ${en(l)}: the rent stays at ${formatMoney(c.previousAmount, 'en')} a month, net. Their answer: ${url}`,
    cancelled: (l: Lease, c: Change) =>
      `The change of the rent of ${en(l)} planned for ${on(c.fromDate)} is cancelled: the rent stays at ${formatMoney(c.previousAmount, 'en')} a month, net.`,
  },
} as const
