import { formatDate } from '../../../core/dates.ts'
import { quoted } from '../../../core/message-text.ts'
import { formatMoney } from '../../../core/money.ts'

type Lease = { readonly unitLabel: string; readonly propertyName: string }
/** `url`: the lease's page; undefined for a tenant without an account, who makes one at `home`. */
type At = { readonly url: string | undefined; readonly home: string }
type Change = { readonly fromDate: string; readonly rentAmount: number; readonly previousAmount: number }
const fr = ({ unitLabel, propertyName }: Lease): string => `${quoted(unitLabel, 'fr')}, ${quoted(propertyName, 'fr')}`
const en = ({ unitLabel, propertyName }: Lease): string => `${quoted(unitLabel, 'en')}, ${quoted(propertyName, 'en')}`
const de = (day: string): string => formatDate(day, 'fr')
const on = (day: string): string => formatDate(day, 'en')

/** What the parties are told of a change of the rent, each in their language. Amounts are net rents of a month. */
export const TEXTS = {
  fr: {
    announced: (l: Lease, c: Change, at: At) =>
      `Le loyer de ${fr(l)} passe de ${formatMoney(c.previousAmount, 'fr')} à ${formatMoney(c.rentAmount, 'fr')} par mois, hors taxe, à compter du ${de(c.fromDate)}. ${at.url ? 'L’avis est dans vos documents' : 'Demandez l’avis écrit à votre bailleur'}.`,
    proposed: (l: Lease, c: Change, at: At) =>
      `Votre bailleur propose de porter le loyer de ${fr(l)} de ${formatMoney(c.previousAmount, 'fr')} à ${formatMoney(c.rentAmount, 'fr')} par mois, hors taxe, à compter du ${de(c.fromDate)}. Sans votre signature, rien ne change. ${at.url ? `Lisez l’avenant et signez-le si vous êtes d’accord\u00a0: ${at.url}` : `Demandez l’avenant à votre bailleur, ou créez un compte avec ce numéro pour le lire et le signer\u00a0: ${at.home}`}`,
    agreed: (l: Lease, c: Change, _at: At) =>
      `L’avenant au bail de ${fr(l)} est signé\u00a0: le loyer est de ${formatMoney(c.rentAmount, 'fr')} par mois, hors taxe, à compter du ${de(c.fromDate)}.`,
    declined: (l: Lease, c: Change, at: At) =>
      `Le locataire ne signe pas l’avenant au bail de ${fr(l)}\u00a0: le loyer reste de ${formatMoney(c.previousAmount, 'fr')} par mois, hors taxe. Sa réponse\u00a0: ${at.url}`,
    cancelled: (l: Lease, c: Change) =>
      `Le changement de loyer prévu pour ${fr(l)} au ${de(c.fromDate)} est annulé\u00a0: le loyer reste de ${formatMoney(c.previousAmount, 'fr')} par mois, hors taxe.`,
  },
  en: {
    announced: (l: Lease, c: Change, at: At) =>
      `The rent of ${en(l)} goes from ${formatMoney(c.previousAmount, 'en')} to ${formatMoney(c.rentAmount, 'en')} a month, net, from ${on(c.fromDate)}. ${at.url ? 'The notice is among your papers' : 'Ask your landlord for the written notice'}.`,
    proposed: (l: Lease, c: Change, at: At) =>
      `Your landlord proposes to raise the rent of ${en(l)} from ${formatMoney(c.previousAmount, 'en')} to ${formatMoney(c.rentAmount, 'en')} a month, net, from ${on(c.fromDate)}. Without your signature nothing changes. ${at.url ? `Read the rider, and sign it if you agree: ${at.url}` : `Ask your landlord for the rider, or make an account with this number to read and sign it: ${at.home}`}`,
    agreed: (l: Lease, c: Change, _at: At) =>
      `The rider to the lease of ${en(l)} is signed: the rent is ${formatMoney(c.rentAmount, 'en')} a month, net, from ${on(c.fromDate)}.`,
    declined: (l: Lease, c: Change, at: At) =>
      `The tenant does not sign the rider to the lease of ${en(l)}: the rent stays at ${formatMoney(c.previousAmount, 'en')} a month, net. Their answer: ${at.url}`,
    cancelled: (l: Lease, c: Change) =>
      `The change of the rent of ${en(l)} planned for ${on(c.fromDate)} is cancelled: the rent stays at ${formatMoney(c.previousAmount, 'en')} a month, net.`,
  },
} as const
