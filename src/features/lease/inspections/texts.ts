import { quoted } from '../../../core/quoted.ts'

type Told = { readonly unitLabel: string; readonly propertyName: string; readonly exit: boolean; readonly url: string }
const at = ({ unitLabel, propertyName }: Told, locale: 'fr' | 'en'): string =>
  `${quoted(unitLabel, locale)}, ${quoted(propertyName, locale)}`
const fr = (t: Told): string => `L’état des lieux ${t.exit ? 'de sortie' : 'd’entrée'} de ${at(t, 'fr')}`
const en = (t: Told): string => `The inspection at the ${t.exit ? 'end' : 'beginning'} of the lease of ${at(t, 'en')}`

/** News of inspections, of what somebody typed the place alone. */
export const TEXTS = {
  fr: {
    proposed: (t: Told) => `${fr(t)} est prêt. Lisez-le et signez-le sur Loyer\u00a0: ${t.url}`,
    turn: (t: Told) => `${fr(t)} est signé par l’autre partie. À votre tour de le lire et de le signer\u00a0: ${t.url}`,
    signed: (t: Told) => `${fr(t)} est signé par les deux parties. Votre exemplaire\u00a0: ${t.url}`,
    revised: (t: Told) =>
      `${fr(t)} est repris par le bailleur\u00a0; ce qui a été signé ne compte plus\u00a0: ${t.url}`,
  },
  en: {
    proposed: (t: Told) => `${en(t)} is ready. Read and sign it on Loyer: ${t.url}`,
    turn: (t: Told) => `${en(t)} is signed by the other party. It is your turn to read and sign it: ${t.url}`,
    signed: (t: Told) => `${en(t)} is signed by both parties. Your copy: ${t.url}`,
    revised: (t: Told) => `${en(t)} is being changed by the landlord; what was signed no longer counts: ${t.url}`,
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
