import type { LegalValue, Source } from './country.ts'

/** The act on leases for business use, which is law in each member state. */
const AUDCG: Source = {
  title: {
    en: 'OHADA Uniform Act relating to general commercial law',
    fr: 'Acte uniforme OHADA portant sur le droit commercial général',
  },
  short: 'AUDCG',
}
const article = (number: string): Source => ({ ...AUDCG, article: number })
/** The article that the formal notice of a business lease is given under. */
export const FORMAL_NOTICE = article('133')

export const BUSINESS_LEASES: readonly LegalValue[] = [
  {
    rule: 'FORMAL_NOTICE_BUSINESS',
    from: null,
    value: 1,
    unit: 'MONTHS',
    source: FORMAL_NOTICE,
    note: {
      en: 'At least this long before a court may be asked to end the lease.',
      fr: 'Au moins ce délai avant que la résiliation puisse être demandée en justice.',
    },
  },
  {
    rule: 'NOTICE_BUSINESS_OPEN',
    from: null,
    value: 6,
    unit: 'MONTHS',
    source: article('125'),
    note: { en: 'At least; more may be agreed.', fr: 'Au moins\u00a0; un délai plus long peut être convenu.' },
  },
  {
    rule: 'NOTICE_BUSINESS_FIXED',
    from: null,
    value: 3,
    unit: 'MONTHS',
    source: article('124'),
    note: {
      en: 'The tenant asks for the renewal at the latest this long before the end of the lease.',
      fr: 'Le locataire demande le renouvellement au plus tard ce délai avant le terme.',
    },
  },
  {
    rule: 'RENEWAL_BUSINESS',
    from: null,
    value: 2,
    unit: 'YEARS',
    source: article('123'),
    note: {
      en: 'After so long in the agreed trade the tenant has a right to renewal.',
      fr: 'Après cette durée d’exploitation conforme, le locataire a droit au renouvellement.',
    },
  },
  {
    rule: 'RENT_REVIEW_BUSINESS',
    from: null,
    value: null,
    unit: 'YEARS',
    source: null,
    note: {
      en: 'By written agreement or by the review clause of the lease; failing both, by the court.',
      fr: 'Par accord écrit ou par la clause de révision du bail\u00a0; à défaut, par le juge.',
    },
  },
  {
    rule: 'MANDATORY_BUSINESS',
    from: null,
    value: null,
    unit: 'MONTHS',
    source: null,
    note: {
      en: 'Some rules on business leases hold whatever the contract says.',
      fr: 'Certaines règles du bail à usage professionnel s’imposent malgré le contrat.',
    },
  },
]
