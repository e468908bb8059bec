import { formatDate } from '../../../core/dates.ts'
import { formatMoney } from '../../../core/money.ts'
import { quotedPlace } from '../../../core/quoted.ts'

type Lease = {
  readonly unitLabel: string
  readonly propertyName: string
  readonly startDate: string
  readonly endDate: string | null
  readonly rentAmount: number
}
const termsFr = ({ rentAmount, startDate, endDate }: Lease): string =>
  `loyer de ${formatMoney(rentAmount, 'fr')} par mois, hors taxe, du ${formatDate(startDate, 'fr')} ${endDate === null ? 'sans fin fixée' : `au ${formatDate(endDate, 'fr')}`}`
const termsEn = ({ rentAmount, startDate, endDate }: Lease): string =>
  `rent of ${formatMoney(rentAmount, 'en')} a month, net, from ${formatDate(startDate, 'en')} ${endDate === null ? 'without a fixed end' : `to ${formatDate(endDate, 'en')}`}`

/** What the parties of a lease are told when a mistake in it was put right. */
export const TEXTS = {
  fr: {
    corrected: (l: Lease) =>
      `Le bail de ${quotedPlace(l, 'fr')} est corrigé\u00a0: ${termsFr(l)}. Les factures d’avant sont annulées et refaites. Ce n’est pas ce que vous avez convenu\u00a0? Dites-le sans attendre.`,
    notYours: (l: Lease) =>
      `Un bail pour ${quotedPlace(l, 'fr')} était établi à votre nom par erreur. Il est corrigé et ne vous concerne plus\u00a0: vous ne devez rien.`,
    toSign: (l: Lease) =>
      `Le bail de ${quotedPlace(l, 'fr')} est corrigé\u00a0: ${termsFr(l)}. Il est à signer de nouveau\u00a0; les factures d’avant sont annulées.`,
  },
  en: {
    corrected: (l: Lease) =>
      `The lease of ${quotedPlace(l, 'en')} is corrected: ${termsEn(l)}. Earlier invoices are cancelled and made anew. This is not what you agreed? Say so at once.`,
    notYours: (l: Lease) =>
      `A lease of ${quotedPlace(l, 'en')} was in your name by mistake. It is corrected and no longer concerns you: you owe nothing.`,
    toSign: (l: Lease) =>
      `The lease of ${quotedPlace(l, 'en')} is corrected: ${termsEn(l)}. It is to be signed again; earlier invoices are cancelled.`,
  },
} as const satisfies Record<'fr' | 'en', unknown>
