// The columns of the files that can be imported, with their headings in both languages.
export const IMPORT_KINDS = ['properties', 'units', 'tenants', 'leases'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

export type CellKind =
  | 'text'
  | 'francs'
  | 'whole'
  | 'decimal'
  | 'rate'
  | 'date'
  /** A date, or a month, of which the first day is taken. */
  | 'start'
  /** A month, as YYYY-MM. */
  | 'month'
  | 'phone'
  | 'flag'
  | 'words'
  | 'list'
export type Column = {
  readonly kind: CellKind
  readonly required?: true
  /** Read where a sheet has it, but no part of the template. */
  readonly apart?: true
  /** The template's headings in French and English, then others that are accepted. */
  readonly names: readonly [fr: string, en: string, ...others: string[]]
  /** The value in the template's example row, by language if it differs. */
  readonly example: string | readonly [fr: string, en: string]
  /** Words that mean something else in this column than in the others. */
  readonly words?: Readonly<Record<string, string>>
}

const property = {
  kind: 'text',
  required: true,
  names: ['Bien', 'Property', 'Résidence', 'Immeuble', 'Bâtiment', 'Building', 'Cité', 'Site', 'Nom de l’immeuble'],
} as const
const UNIT = [
  ...[
    'Logement',
    'Unit',
    'Appartement',
    'Appart',
    'Appt',
    'App',
    'Apt',
    'Apartment',
    'Chambre',
    'Porte',
    'Room',
    'Door',
  ],
  ...['Studio', 'Local', 'Boutique', 'Lot', 'Flat', 'House', 'Home', 'Maison', 'Villa', 'Désignation', 'Unité'],
] as const
const PERSON = [
  ...[
    'Nom complet',
    'Full name',
    'Locataire',
    'Tenant',
    'Nom et prénom',
    'Prénom et nom',
    'Nom prénom',
    'Nom locataire',
  ],
  ...['Tenant name', 'Occupant', 'Preneur', 'Client', 'Surname', 'Last name', 'Nom de famille'],
] as const
const GIVEN: Column = {
  kind: 'text',
  apart: true,
  names: ['Prénom', 'First name', 'Given name', 'Forename'],
  example: '',
}
const TENANT = {
  phoneNumber: {
    kind: 'phone',
    names: [
      ...(['Téléphone', 'Phone', 'Numéro', 'Phone number', 'Tél', 'Contact', 'Mobile', 'Portable'] as const),
      ...[
        'WhatsApp',
        'GSM',
        'Cell',
        'Cellphone',
        'Contact téléphonique',
        'Tel number',
        'Numéro téléphone',
        'Telephone',
      ],
    ],
    example: '677 12 34 56',
  },
  idType: {
    kind: 'words',
    names: ['Type de pièce d’identité', 'ID type', 'Type de pièce'],
    example: ['CNI', 'National ID'],
  },
  idNumber: {
    kind: 'text',
    names: ['Numéro de pièce d’identité', 'ID number', 'CNI', 'Pièce d’identité', 'ID card'],
    example: '112233445',
  },
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
const CAUTION = [
  ...(['Caution', 'Deposit', 'Dépôt de garantie', 'Garantie', 'Security deposit', 'Caution versée'] as const),
  ...['Caution payée', 'Caution reçue', 'Montant caution', 'Dépôt', 'Caution loyer'],
] as const

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
    label: { kind: 'text', required: true, names: [...UNIT, 'Libellé', 'Label'], example: 'A1' },
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
      names: ['Nom', 'Name', ...PERSON],
      example: 'Ngo Bassa Marie',
    },
    givenNames: GIVEN,
    ...TENANT,
    locale: { kind: 'words', names: ['Langue', 'Language'], example: ['Français', 'English'] },
  },
  // First what a landlord has to fill in, also on a phone, where the rest is far to the right.
  leases: {
    property: { ...property, example: 'Résidence Makepe' },
    unit: { kind: 'text', required: true, names: UNIT, example: 'A1' },
    tenant: {
      kind: 'text',
      required: true,
      names: ['Locataire', 'Tenant', 'Nom', 'Name', ...PERSON],
      example: 'Ngo Bassa Marie',
    },
    givenNames: GIVEN,
    phoneNumber,
    startDate: {
      kind: 'start',
      required: true,
      names: [
        ...(['Début', 'Start', 'Date de début', 'Start date', 'Entrée', 'Date d’entrée', 'Depuis', 'Since'] as const),
        ...['Début du bail', 'Date début bail', 'Arrivée', 'Date d’arrivée', 'Move in', 'Move in date', 'Entry date'],
        ...['Entrée en', 'Lease start', 'Date d’occupation', 'Date du bail', 'Date du contrat', 'Lease date', 'Entry'],
      ],
      example: '01/01/2024',
    },
    activate: { kind: 'flag', names: ['En vigueur', 'In force', 'Actif', 'Active'], example: ['oui', 'yes'] },
    paidUntil: {
      kind: 'month',
      names: [
        ...([
          'Dernier mois payé',
          'Last month paid',
          'Payé jusqu’au',
          'Payé jusqu’à',
          'Paid until',
          'Paid to',
        ] as const),
        ...['Payé jusqu’en', 'Paid up to', 'Dernier loyer payé', 'Dernier paiement', 'Last paid'],
      ],
      example: '',
    },
    billFrom: { kind: 'date', names: ['Facturer dès', 'Bill from', 'Facturer à partir du'], example: '01/01/2026' },
    rentAmount: {
      kind: 'francs',
      names: [
        ...(['Loyer', 'Rent', 'Loyer mensuel', 'Monthly rent', 'Montant', 'Montant loyer', 'Rent amount'] as const),
        ...['Mensualité', 'Prix', 'Amount', 'Loyer actuel', 'Loyer net', 'Price'],
      ],
      example: '150 000',
    },
    depositAmount: { kind: 'francs', names: CAUTION, example: '300 000' },
    openingBalance: {
      kind: 'francs',
      names: [
        ...([
          'Solde initial',
          'Opening balance',
          'Arriérés',
          'Arrears',
          'Reste à payer',
          'Reste dû',
          'Impayé',
        ] as const),
        ...['Dette', 'Doit', 'Montant dû', 'Owed', 'Owing', 'Balance due', 'Amount due', 'Debt'],
      ],
      example: '75 000',
    },
    endDate: {
      kind: 'date',
      names: ['Fin', 'End', 'Date de fin', 'End date', 'Fin du bail', 'Sortie', 'Date de sortie'],
      example: '',
    },
    dueDay: { kind: 'whole', names: ['Jour d’échéance', 'Due day'], example: '5' },
    tvaBasisPoints: { kind: 'rate', names: ['TVA', 'VAT', 'Taux de TVA', 'TVA rate'], example: '0 %' },
    noticeMonths: { kind: 'whole', names: ['Préavis', 'Notice', 'Préavis mois', 'Notice months'], example: '3' },
    autoRenew: { kind: 'flag', names: ['Reconduction', 'Auto renew', 'Reconduction tacite'], example: ['oui', 'yes'] },
    locale: { kind: 'words', names: ['Langue', 'Language'], example: ['Français', 'English'] },
    ...restOfTenant,
    ...PARTY_COLUMNS,
  },
}
