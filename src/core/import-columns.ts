// The columns of the files that can be imported, with their headings in both languages.
export const IMPORT_KINDS = ['properties', 'units', 'tenants', 'leases'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

export type CellKind = 'text' | 'francs' | 'whole' | 'decimal' | 'rate' | 'date' | 'phone' | 'flag' | 'words' | 'list'
export type Column = {
  readonly kind: CellKind
  readonly required?: true
  /** The template's headings in French and English, then others that are accepted. */
  readonly names: readonly [fr: string, en: string, ...others: string[]]
  /** The value in the template's example row, by language if it differs. */
  readonly example: string | readonly [fr: string, en: string]
  /** Words that mean something else in this column than in the others. */
  readonly words?: Readonly<Record<string, string>>
}

const property = { kind: 'text', required: true, names: ['Bien', 'Property', 'Résidence', 'Immeuble'] } as const
const TENANT = {
  phoneNumber: { kind: 'phone', names: ['Téléphone', 'Phone', 'Numéro', 'Phone number'], example: '677 12 34 56' },
  idType: { kind: 'words', names: ['Type de pièce d’identité', 'ID type'], example: ['CNI', 'National ID'] },
  idNumber: { kind: 'text', names: ['Numéro de pièce d’identité', 'ID number'], example: '112233445' },
  niu: { kind: 'text', names: ['NIU', 'Tax number'], example: '' },
  address: { kind: 'text', names: ['Adresse', 'Address'], example: 'Bonamoussadi' },
  kind: {
    kind: 'words',
    names: ['Personne ou société', 'Person or company', 'Forme', 'Kind'],
    example: ['Personne', 'Person'],
    words: { personne: 'PERSON', particulier: 'PERSON', societe: 'COMPANY', entreprise: 'COMPANY' },
  },
  rccm: { kind: 'text', names: ['RCCM', 'Trade register', 'Registre du commerce'], example: '' },
  representativeName: {
    kind: 'text',
    names: ['Représentant', 'Representative', 'Nom du représentant', 'Representative name'],
    example: '',
  },
  representativeRole: {
    kind: 'text',
    names: ['Qualité du représentant', 'Representative role', 'Fonction du représentant', 'Signs as'],
    example: '',
  },
} as const satisfies Readonly<Record<string, Column>>
/** The columns about the tenant in a row of a lease. */
export const TENANT_MEMBERS: readonly string[] = Object.keys(TENANT)

/** The co-tenants and the guarantor of a lease, by the member that their columns begin with. */
export const PARTIES = [
  { at: 'coTenant', role: 'CO_TENANT', fr: ['Colocataire', 'du colocataire'], en: 'Co-tenant' },
  { at: 'coTenant2', role: 'CO_TENANT', fr: ['Colocataire 2', 'du colocataire 2'], en: 'Co-tenant 2' },
  { at: 'guarantor', role: 'GUARANTOR', fr: ['Garant', 'du garant'], en: 'Guarantor' },
] as const
/** The member of a party for each ending of a column's name: `guarantorPhone` is the `phoneNumber` of the guarantor. */
export const PARTY_MEMBERS = {
  '': 'fullName',
  Phone: 'phoneNumber',
  IdType: 'idType',
  IdNumber: 'idNumber',
  Address: 'address',
} as const
/** Both headings, and the French one with the other word that landlords use for a co-tenant. */
const namesOf = (fr: string, en: string): Column['names'] => [fr, en, fr.replace('olocataire', 'otitulaire')]
const PARTY_COLUMNS: Readonly<Record<string, Column>> = Object.fromEntries(
  PARTIES.flatMap(({ at, fr: [who, whose], en }): [string, Column][] => [
    [at, { kind: 'text', names: namesOf(who, en), example: '' }],
    [`${at}Phone`, { kind: 'phone', names: namesOf(`Téléphone ${whose}`, `${en} phone`), example: '' }],
    [`${at}IdType`, { kind: 'words', names: namesOf(`Type de pièce ${whose}`, `${en} ID type`), example: '' }],
    [`${at}IdNumber`, { kind: 'text', names: namesOf(`Numéro de pièce ${whose}`, `${en} ID number`), example: '' }],
    [`${at}Address`, { kind: 'text', names: namesOf(`Adresse ${whose}`, `${en} address`), example: '' }],
  ]),
)

const { phoneNumber, ...restOfTenant } = TENANT

/** The columns of each kind of file, by member. */
export const COLUMNS: Readonly<Record<ImportKind, Readonly<Record<string, Column>>>> = {
  properties: {
    name: { ...property, names: ['Nom', 'Name', ...property.names], example: 'Résidence Makepe' },
    addressLine: { kind: 'text', required: true, names: ['Adresse', 'Address'], example: 'Derrière le marché' },
    city: { kind: 'text', required: true, names: ['Ville', 'City'], example: 'Douala' },
    quartier: { kind: 'text', names: ['Quartier', 'Neighbourhood'], example: 'Makepe' },
    province: { kind: 'text', names: ['Région', 'Region', 'Province'], example: 'Littoral' },
    type: { kind: 'words', names: ['Type', 'Property type'], example: ['Appartement', 'Apartment'] },
    latitude: { kind: 'decimal', names: ['Latitude', 'Lat'], example: '4,0731' },
    longitude: { kind: 'decimal', names: ['Longitude', 'Lon', 'Lng'], example: '9,7411' },
    amenities: { kind: 'list', names: ['Équipements', 'Amenities'], example: 'parking, forage' },
  },
  units: {
    property: { ...property, example: 'Résidence Makepe' },
    label: { kind: 'text', required: true, names: ['Logement', 'Unit', 'Libellé', 'Label'], example: 'A1' },
    rentAmount: { kind: 'francs', names: ['Loyer', 'Rent', 'Loyer mensuel', 'Monthly rent'], example: '150 000' },
    areaSqm: { kind: 'decimal', names: ['Surface', 'Area', 'Superficie', 'Surface m2', 'Area sqm'], example: '42,5' },
    bedrooms: { kind: 'whole', names: ['Chambres', 'Bedrooms'], example: '2' },
    bathrooms: { kind: 'whole', names: ['Salles d’eau', 'Bathrooms', 'Salles de bain', 'Douches'], example: '1' },
    type: {
      kind: 'words',
      names: ['Type', 'Unit type', 'Type de logement'],
      example: ['Appartement', 'Apartment'],
      words: { boutique: 'SHOP', magasin: 'SHOP', shop: 'SHOP' },
    },
  },
  tenants: {
    fullName: {
      kind: 'text',
      required: true,
      names: ['Nom', 'Name', 'Nom complet', 'Full name', 'Locataire', 'Tenant'],
      example: 'Ngo Bassa Marie',
    },
    ...TENANT,
    locale: { kind: 'words', names: ['Langue', 'Language'], example: ['Français', 'English'] },
  },
  // First what a landlord has to fill in, also on a phone, where the rest is far to the right.
  leases: {
    property: { ...property, example: 'Résidence Makepe' },
    unit: { kind: 'text', required: true, names: ['Logement', 'Unit'], example: 'A1' },
    tenant: { kind: 'text', required: true, names: ['Locataire', 'Tenant', 'Nom', 'Name'], example: 'Ngo Bassa Marie' },
    phoneNumber,
    startDate: {
      kind: 'date',
      required: true,
      names: ['Début', 'Start', 'Date de début', 'Start date'],
      example: '01/01/2024',
    },
    activate: { kind: 'flag', names: ['En vigueur', 'In force', 'Actif', 'Active'], example: ['oui', 'yes'] },
    billFrom: { kind: 'date', names: ['Facturer dès', 'Bill from', 'Facturer à partir du'], example: '01/01/2026' },
    rentAmount: { kind: 'francs', names: ['Loyer', 'Rent', 'Loyer mensuel', 'Monthly rent'], example: '150 000' },
    depositAmount: { kind: 'francs', names: ['Caution', 'Deposit', 'Dépôt de garantie'], example: '300 000' },
    openingBalance: {
      kind: 'francs',
      names: ['Solde initial', 'Opening balance', 'Arriérés', 'Arrears'],
      example: '75 000',
    },
    endDate: { kind: 'date', names: ['Fin', 'End', 'Date de fin', 'End date'], example: '' },
    dueDay: { kind: 'whole', names: ['Jour d’échéance', 'Due day'], example: '5' },
    tvaBasisPoints: { kind: 'rate', names: ['TVA', 'VAT', 'Taux de TVA', 'TVA rate'], example: '0 %' },
    noticeMonths: { kind: 'whole', names: ['Préavis', 'Notice', 'Préavis mois', 'Notice months'], example: '3' },
    autoRenew: { kind: 'flag', names: ['Reconduction', 'Auto renew', 'Reconduction tacite'], example: ['oui', 'yes'] },
    locale: { kind: 'words', names: ['Langue', 'Language'], example: ['Français', 'English'] },
    ...restOfTenant,
    ...PARTY_COLUMNS,
  },
}
