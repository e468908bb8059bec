// Papers made by their events and read back: who they are of, and words that stand on each.
import { expect } from 'bun:test'
import { renderDocuments } from '../../src/features/papers/documents/jobs.ts'
import { readPdf } from './papers.ts'
import { type Json, premises, type Stage, stage } from './scenario.ts'

export type Locale = 'fr' | 'en'
/** Without blanks: where lines end is no part of what a paper says. */
export const solid = (text: string): string => text.replace(/\s/g, '')

/** What every page ends with. */
export function footer(
  locale: Locale,
  left: string,
  url: string,
  page: number,
  pages: number,
  initials: boolean,
): RegExp {
  const parts =
    locale === 'fr'
      ? [initials ? 'Paraphes : bailleur ________ locataire ________' : '', `Page ${page} sur ${pages}`]
      : [initials ? 'Initials: landlord ________ tenant ________' : '', `Page ${page} of ${pages}`]
  const digest = locale === 'fr' ? 'Empreinte des données (SHA-256) :' : 'Digest of the data (SHA-256):'
  const plain = solid([...parts, left, url, digest].join('')).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return new RegExp(`${plain}[0-9a-f]{64}$`)
}
/** The file of a document as one text, its footers checked and taken off. */
export async function read(
  s: Stage,
  where: string,
  locale: Locale,
  left: (number: string) => string,
  initials = false,
) {
  while ((await renderDocuments(s.deps)) > 0);
  const [row] = s.rows(`select * from document where ${where} order by id desc limit 1`)
  const file = await s.documents.open(`${row?.id}.${row?.sha256}`)
  const { pages } = await readPdf((await file?.bytes()) ?? new Uint8Array())
  const url = `http://localhost:3000/verify/${row?.code}`
  const bare = pages.map((page, i) => {
    const end = footer(locale, left(String(row?.number)), url, i + 1, pages.length, initials)
    expect(solid(page)).toMatch(end)
    return solid(page).replace(end, '')
  })
  return { text: bare.join(''), url, number: String(row?.number) }
}
const agency = {
  name: 'Agence Ŋgɔ',
  address: 'Rue Njo-Njo, Douala',
  niu: 'M012345678901A',
  rccm: 'RC/DLA/2019/B/1234',
  tvaRegistered: true,
}
const therese = {
  fullName: 'Thérèse Épiphanie Ɛbɔlɔwa',
  phoneNumber: '+237677000104',
  idType: 'NATIONAL_ID',
  idNumber: '112233445',
  niu: 'P012345678901B',
  address: 'Carrefour Ndokoti, Douala',
}
/** Thérèse lets A1 of Ana's villa (or office) from 10 March 2026. */
export async function begun(locale: Locale, terms: Json, type?: string): Promise<Stage> {
  const s = await stage({ settings: agency, given: premises(type) })
  await s.make('ana', 'POST /tenants', { ...therese, locale }, 'therese')
  const lease = { unitId: '{a1}', tenantId: '{therese}', startDate: '2026-03-10', locale, ...terms }
  await s.make('ana', 'POST /bookings', lease, 'lease')
  await s.make('ana', 'POST /bookings/{lease}/submit')
  return s
}
export const inForce = async (locale: Locale, terms: Json = {}, type?: string): Promise<Stage> => {
  const s = await begun(locale, terms, type)
  await s.make('ana', 'POST /bookings/{lease}/activate')
  await s.work()
  await s.make('ana', 'GET /me')
  return s
}

/** What the same people and places are called in a language; figures are given as `60,000`. */
export function wordsOf(locale: Locale) {
  const say = (fr: string, en: string): string => (locale === 'fr' ? fr : en)
  const money = (figures: string): string => say(`${figures.replaceAll(',', ' ')} FCFA`, `FCFA ${figures}`)
  const phone = say('Tél.', 'Tel.')
  const tenant = [
    'Thérèse Épiphanie Ɛbɔlɔwa',
    'Carrefour Ndokoti, Douala',
    `${phone} +237 677 00 01 04`,
    say('CNI 112233445', 'National ID 112233445'),
    'NIU P012345678901B',
  ]
  const agent = ['Rue Njo-Njo, Douala', 'NIU M012345678901A', 'RCCM RC/DLA/2019/B/1234']
  const landlord = [
    say('BAILLEUR', 'LANDLORD'),
    'ana Test',
    `${phone} +237 638 62 00 54`,
    say('Mandataire : Agence Ŋgɔ', 'Represented by Agence Ŋgɔ'),
    ...agent,
  ]
  const letter = [...agent, say('Pour le compte du bailleur : ana Test', 'On behalf of the landlord: ana Test')]
  const top = (number: string, title: string, day = say('10 mars 2026', '10 March 2026')): string[] => [
    'Agence Ŋgɔ',
    number,
    say(`Date : ${day}`, `Date: ${day}`),
    title,
  ]
  const check = (url: string): string[] => [say('Vérifier cette pièce', 'Check this document'), url]
  const place = [say('Appartement A1, Villa', 'Apartment A1, Villa'), 'Rue 1, Douala']
  const from10 = say('du 10 mars 2026 au 9 avril 2026', 'from 10 March 2026 to 9 April 2026')
  const same = (text: string, lines: readonly string[]): void => expect(text).toBe(solid(lines.join('')))
  return { say, money, tenant, landlord, letter, top, check, place, from10, same }
}
