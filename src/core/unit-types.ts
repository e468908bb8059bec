/** What is let, as papers and public pages name it. */
export const UNIT_TYPE_NAMES = {
  fr: {
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
  en: {
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
} as const
