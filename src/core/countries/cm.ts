import type { Country, Source } from './country.ts'
import { BUSINESS_LEASES } from './ohada.ts'

const CGI: Source = { title: { en: 'General Tax Code', fr: 'Code général des impôts' }, short: 'CGI' }
const CIVIL_CODE: Source = { title: { en: 'Civil Code', fr: 'Code civil' } }
const USAGE: Source = { title: { en: 'Usage; no law sets it', fr: 'Usage\u00a0; aucune loi ne le fixe' } }
const NO_LIMIT: Source = { title: { en: 'No text sets one', fr: 'Aucun texte n’en fixe' } }

/** The law of Cameroon on rent. A value that a finance law changes gets a row of its own, below the one before it. */
export const CM: Country = {
  code: 'CM',
  name: { en: 'Cameroon', fr: 'Cameroun' },
  law: { en: 'The law of Cameroon', fr: 'Le droit camerounais' },
  currency: 'XAF',
  timeZone: 'Africa/Douala',
  // The closed plan since November 2014: mobile 6…, fixed 2….
  phone: { code: '237', national: /^[26]\d{8}$/, groups: [3, 2, 2, 2] },
  mobileMoney: ['MTN MoMo', 'Orange Money'],
  taxNumbers: { taxpayer: 'NIU', company: 'RCCM' },
  values: [
    {
      rule: 'TVA_STANDARD',
      from: null,
      value: 1925,
      unit: 'BASIS_POINTS',
      source: CGI,
      note: {
        en: '17.5%, and 10% of it for the councils.',
        fr: '17,5\u00a0%, et 10\u00a0% de ce taux pour les communes.',
      },
    },
    { rule: 'TVA_REDUCED', from: null, value: null, unit: 'BASIS_POINTS', source: CGI },
    {
      rule: 'TVA_REDUCED',
      from: '2026-01-01',
      value: 1000,
      unit: 'BASIS_POINTS',
      source: { ...CGI, year: 2026 },
      note: { en: 'Social housing, sold or let.', fr: 'Logement social, vendu ou loué.' },
    },
    {
      rule: 'WITHHOLDING_RENT',
      from: null,
      value: 1500,
      unit: 'BASIS_POINTS',
      source: { ...CGI, article: '87' },
    },
    {
      rule: 'WITHHOLDING_RENT',
      from: '2026-01-01',
      value: 1000,
      unit: 'BASIS_POINTS',
      source: { ...CGI, article: '87', year: 2026 },
      note: {
        en: 'Withheld by the State, companies and businesses under the real regime, not by private persons. Ask a lawyer whether it is counted before VAT.',
        fr: 'Retenu par l’État, les sociétés et les entreprises au régime du réel, pas par les particuliers. Base hors TVA à vérifier par un juriste.',
      },
    },
    {
      rule: 'FORMAL_NOTICE_HOME',
      from: null,
      value: 8,
      unit: 'DAYS',
      source: USAGE,
      own: { least: 1, most: 90 },
    },
    {
      rule: 'NOTICE_HOME_OPEN',
      from: null,
      value: null,
      unit: 'MONTHS',
      source: { ...CIVIL_CODE, article: '1736' },
      note: { en: 'By local usage, unless agreed.', fr: 'Selon l’usage des lieux, sauf accord.' },
    },
    {
      rule: 'NOTICE_HOME_FIXED',
      from: null,
      value: null,
      unit: 'MONTHS',
      source: null,
      note: { en: 'As agreed in the lease.', fr: 'Selon le bail.' },
    },
    { rule: 'RENT_REVIEW_HOME', from: null, value: null, unit: 'YEARS', source: NO_LIMIT },
    { rule: 'DEPOSIT_MAXIMUM', from: null, value: null, unit: 'MONTHS', source: NO_LIMIT },
    {
      rule: 'RECORDS_KEPT',
      from: null,
      value: 10,
      unit: 'YEARS',
      source: null,
      note: { en: 'Books and invoices, at least.', fr: 'Livres et factures, au moins.' },
    },
    ...BUSINESS_LEASES,
  ],
}
