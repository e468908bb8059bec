import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  type: 'Type de logement',
  hint: 'Une boutique ou un bureau se loue à titre professionnel : autre bail, TVA si vous y êtes assujetti.',
  types: {
    '': 'Comme le bien',
    APARTMENT: 'Appartement',
    STUDIO: 'Studio',
    ROOM: 'Chambre',
    HOUSE: 'Maison',
    VILLA: 'Villa',
    SHOP: 'Boutique',
    OFFICE: 'Bureau',
    COMMERCIAL: 'Local commercial',
    WAREHOUSE: 'Entrepôt',
    LAND: 'Terrain',
  },
}
const en: typeof fr = {
  type: 'Type of unit',
  hint: 'A shop or an office is let for business: another lease, and VAT where you are registered for it.',
  types: {
    '': 'As the property',
    APARTMENT: 'Apartment',
    STUDIO: 'Studio',
    ROOM: 'Room',
    HOUSE: 'House',
    VILLA: 'Villa',
    SHOP: 'Shop',
    OFFICE: 'Office',
    COMMERCIAL: 'Business premises',
    WAREHOUSE: 'Warehouse',
    LAND: 'Land',
  },
}
export const unitWords = bilingual(fr, en)

type UnitType = Exclude<keyof typeof fr.types, ''>
/** A type as it was chosen; null for that of the property. */
export const typeOf = (chosen: string): UnitType | null =>
  (Object.keys(fr.types) as (keyof typeof fr.types)[]).find((one): one is UnitType => one !== '' && one === chosen) ??
  null
