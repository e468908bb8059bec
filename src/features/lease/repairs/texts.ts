import { formatDate } from '../../../core/dates.ts'
import { quoted } from '../../../core/quoted.ts'

type Told = {
  readonly title: string
  readonly unitLabel: string
  readonly propertyName: string
  readonly urgent: boolean
  readonly plannedOn: string | null
  readonly url: string
}
type Move = 'PLANNED' | 'DONE' | 'REFUSED' | 'REOPENED'
type Words = Readonly<Record<Move | 'REPORTED' | 'NOTED' | 'MESSAGE', (told: Told) => string>>

const at = ({ unitLabel, propertyName }: Told, locale: 'fr' | 'en'): string =>
  `${quoted(unitLabel, locale)}, ${quoted(propertyName, locale)}`
const fr = (t: Told) => ({ what: quoted(t.title, 'fr'), where: at(t, 'fr') })
const en = (t: Told) => ({ what: quoted(t.title, 'en'), where: at(t, 'en') })
const on = (date: string | null, locale: 'fr' | 'en'): string => (date === null ? '' : formatDate(date, locale))

/** News of repairs, of what somebody typed the title and the place alone. NOTED: the landlord entered it for the tenant. */
export const TEXTS: Readonly<Record<'fr' | 'en', Words>> = {
  fr: {
    REPORTED: (t) =>
      `${t.urgent ? 'Urgent\u00a0: r' : 'R'}éparation demandée à ${fr(t).where}\u00a0: ${fr(t).what}. Voir la demande\u00a0: ${t.url}`,
    NOTED: (t) =>
      `Votre bailleur a noté une réparation à faire à ${fr(t).where}\u00a0: ${fr(t).what}. Suivez-la sur Loyer\u00a0: ${t.url}`,
    MESSAGE: (t) => `Nouveau message au sujet de la réparation ${fr(t).what} à ${fr(t).where}\u00a0: ${t.url}`,
    PLANNED: (t) =>
      `La réparation ${fr(t).what} à ${fr(t).where} est prévue le ${on(t.plannedOn, 'fr')}. Détails\u00a0: ${t.url}`,
    DONE: (t) =>
      `La réparation ${fr(t).what} à ${fr(t).where} est terminée. Si ce n’est pas le cas, rouvrez la demande\u00a0: ${t.url}`,
    REFUSED: (t) => `La demande de réparation ${fr(t).what} à ${fr(t).where} a été refusée. Le motif\u00a0: ${t.url}`,
    REOPENED: (t) => `La demande de réparation ${fr(t).what} à ${fr(t).where} a été rouverte\u00a0: ${t.url}`,
  },
  en: {
    REPORTED: (t) =>
      `${t.urgent ? 'Urgent: r' : 'R'}epair asked for at ${en(t).where}: ${en(t).what}. See the request: ${t.url}`,
    NOTED: (t) =>
      `Your landlord has noted a repair to be made at ${en(t).where}: ${en(t).what}. Follow it on Loyer: ${t.url}`,
    MESSAGE: (t) => `A new message about the repair ${en(t).what} at ${en(t).where}: ${t.url}`,
    PLANNED: (t) =>
      `The repair ${en(t).what} at ${en(t).where} is planned for ${on(t.plannedOn, 'en')}. Details: ${t.url}`,
    DONE: (t) => `The repair ${en(t).what} at ${en(t).where} is done. If it is not, open the request again: ${t.url}`,
    REFUSED: (t) => `The request for the repair ${en(t).what} at ${en(t).where} was refused. The reason: ${t.url}`,
    REOPENED: (t) => `The request for the repair ${en(t).what} at ${en(t).where} was opened again: ${t.url}`,
  },
}
