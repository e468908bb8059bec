import { quoted, readAt } from '../../../core/message-text.ts'

type Facts = {
  readonly unitLabel: string
  readonly propertyName: string
  readonly exit: boolean
  /** The inspection's page; undefined for a tenant without an account, who makes one at `home`. */
  readonly url: string | undefined
  readonly home: string
}
const at = ({ unitLabel, propertyName }: Facts, locale: 'fr' | 'en'): string =>
  `${quoted(unitLabel, locale)}, ${quoted(propertyName, locale)}`
const fr = (t: Facts): string => `L’état des lieux ${t.exit ? 'de sortie' : 'd’entrée'} pour ${at(t, 'fr')}`
const en = (t: Facts): string => `The ${t.exit ? 'move-out' : 'move-in'} inspection for ${at(t, 'en')}`
const joinFr = ({ home }: Facts): string =>
  `Demandez-le à votre bailleur, ou créez un compte avec ce numéro pour le lire et le signer\u00a0: ${home}`
const joinEn = ({ home }: Facts): string =>
  `Ask your landlord for it, or make an account with this number to read and sign it: ${home}`

/** Messages about inspections. Of the words that people typed, they quote only the place. */
export const TEXTS = {
  fr: {
    proposed: (t: Facts) =>
      `${fr(t)} est prêt. ${t.url ? `Lisez-le et signez-le sur Loyer\u00a0: ${t.url}` : joinFr(t)}`,
    turn: (t: Facts) =>
      `${fr(t)} est signé par l’autre partie. ${t.url ? `À votre tour de le lire et de le signer\u00a0: ${t.url}` : joinFr(t)}`,
    signed: (t: Facts) =>
      `${fr(t)} est signé par les deux parties. ${t.url ? `Votre exemplaire\u00a0: ${t.url}` : 'Demandez votre exemplaire à votre bailleur.'}`,
    revised: (t: Facts) =>
      `${fr(t)} est repris par le bailleur\u00a0; ce qui a été signé ne compte plus.${readAt('Détails\u00a0:', t.url)}`,
  },
  en: {
    proposed: (t: Facts) => `${en(t)} is ready. ${t.url ? `Read and sign it on Loyer: ${t.url}` : joinEn(t)}`,
    turn: (t: Facts) =>
      `${en(t)} has been signed by the other party. ${t.url ? `It is your turn to read and sign it: ${t.url}` : joinEn(t)}`,
    signed: (t: Facts) =>
      `${en(t)} has been signed by both parties. ${t.url ? `Your copy: ${t.url}` : 'Ask your landlord for your copy.'}`,
    revised: (t: Facts) =>
      `${en(t)} is being changed by the landlord; what was signed no longer counts.${readAt('Details:', t.url)}`,
  },
} as const

/** Rooms and what is looked at in each, to begin with. */
export const ROOMS = {
  fr: {
    living: 'Séjour',
    bedroom: (n: number, all: number) => (all === 1 ? 'Chambre' : `Chambre ${n}`),
    kitchen: 'Cuisine',
    bathroom: (n: number, all: number) => (all === 1 ? 'Salle d’eau' : `Salle d’eau ${n}`),
    outside: 'Extérieur',
    room: ['Sol', 'Murs', 'Plafond', 'Porte et serrure', 'Fenêtres', 'Prises et lumières'],
    water: ['Robinetterie', 'Évacuations'],
    kitchens: ['Évier', 'Placards'],
    bathrooms: ['WC', 'Douche', 'Lavabo'],
    outsides: ['Portail ou entrée', 'Boîte aux lettres', 'Cour ou balcon'],
  },
  en: {
    living: 'Living room',
    bedroom: (n: number, all: number) => (all === 1 ? 'Bedroom' : `Bedroom ${n}`),
    kitchen: 'Kitchen',
    bathroom: (n: number, all: number) => (all === 1 ? 'Bathroom' : `Bathroom ${n}`),
    outside: 'Outside',
    room: ['Floor', 'Walls', 'Ceiling', 'Door and lock', 'Windows', 'Sockets and lights'],
    water: ['Taps', 'Drains'],
    kitchens: ['Sink', 'Cupboards'],
    bathrooms: ['Toilet', 'Shower', 'Washbasin'],
    outsides: ['Gate or entrance', 'Letter box', 'Yard or balcony'],
  },
} as const
