import { formatDate } from '../../../core/dates.ts'
import { quoted, readAt } from '../../../core/message-text.ts'

type Facts = {
  readonly title: string
  readonly unitLabel: string
  readonly propertyName: string
  readonly urgent: boolean
  readonly plannedOn: string | null
  /** The request's page; undefined for a tenant without an account, who makes one at `home`. */
  readonly url: string | undefined
  readonly home: string
}
type Move = 'PLANNED' | 'DONE' | 'REFUSED' | 'REOPENED'
type Words = Readonly<Record<Move | 'REPORTED' | 'NOTED' | 'MESSAGE', (facts: Facts) => string>>

const at = ({ unitLabel, propertyName }: Facts, locale: 'fr' | 'en'): string =>
  `${quoted(unitLabel, locale)}, ${quoted(propertyName, locale)}`
const fr = (t: Facts) => ({ what: quoted(t.title, 'fr'), where: at(t, 'fr') })
const en = (t: Facts) => ({ what: quoted(t.title, 'en'), where: at(t, 'en') })
const on = (date: string | null, locale: 'fr' | 'en'): string => (date === null ? '' : formatDate(date, locale))

/** Messages about repairs. Of typed words they quote title and place only. NOTED: entered by the landlord for the tenant. */
export const TEXTS: Readonly<Record<'fr' | 'en', Words>> = {
  fr: {
    REPORTED: (t) =>
      `${t.urgent ? 'Urgent\u00a0: r' : 'R'}éparation demandée à ${fr(t).where}\u00a0: ${fr(t).what}. Voir la demande\u00a0: ${t.url}`,
    NOTED: (t) =>
      `Votre bailleur a noté une réparation à faire à ${fr(t).where}\u00a0: ${fr(t).what}.${readAt('Suivez-la sur Loyer\u00a0:', t.url)}`,
    MESSAGE: (t) =>
      `Nouveau message au sujet de la réparation ${fr(t).what} à ${fr(t).where}${t.url ? `\u00a0: ${t.url}` : `. Pour le lire, créez un compte avec ce numéro\u00a0: ${t.home}`}`,
    PLANNED: (t) =>
      `La réparation ${fr(t).what} à ${fr(t).where} est prévue le ${on(t.plannedOn, 'fr')}.${readAt('Détails\u00a0:', t.url)}`,
    DONE: (t) =>
      `La réparation ${fr(t).what} à ${fr(t).where} est terminée. Si ce n’est pas le cas, ${t.url ? `rouvrez la demande\u00a0: ${t.url}` : 'dites-le à votre bailleur.'}`,
    REFUSED: (t) =>
      `La demande de réparation ${fr(t).what} à ${fr(t).where} a été refusée. ${t.url ? `Le motif\u00a0: ${t.url}` : 'Demandez le motif à votre bailleur.'}`,
    REOPENED: (t) =>
      `La demande de réparation ${fr(t).what} à ${fr(t).where} a été rouverte.${readAt('Détails\u00a0:', t.url)}`,
  },
  en: {
    REPORTED: (t) =>
      `${t.urgent ? 'Urgent: r' : 'R'}epair asked for at ${en(t).where}: ${en(t).what}. See the request: ${t.url}`,
    NOTED: (t) =>
      `Your landlord has noted a repair to be made at ${en(t).where}: ${en(t).what}.${readAt('Follow it on Loyer:', t.url)}`,
    MESSAGE: (t) =>
      `A new message about the repair ${en(t).what} at ${en(t).where}${t.url ? `: ${t.url}` : `. To read it, make an account with this number: ${t.home}`}`,
    PLANNED: (t) =>
      `The repair ${en(t).what} at ${en(t).where} is planned for ${on(t.plannedOn, 'en')}.${readAt('Details:', t.url)}`,
    DONE: (t) =>
      `The repair ${en(t).what} at ${en(t).where} is done. If it is not, ${t.url ? `open the request again: ${t.url}` : 'tell your landlord.'}`,
    REFUSED: (t) =>
      `The request for the repair ${en(t).what} at ${en(t).where} was refused. ${t.url ? `The reason: ${t.url}` : 'Ask your landlord for the reason.'}`,
    REOPENED: (t) =>
      `The request for the repair ${en(t).what} at ${en(t).where} was opened again.${readAt('Details:', t.url)}`,
  },
}
