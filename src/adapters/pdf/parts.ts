import { encode } from 'uqr'
import { formatDate, localDate, localTime, spanOf } from '../../core/dates.ts'
import { formatMoney } from '../../core/money.ts'
import { formatPhone } from '../../core/phone.ts'
import type { Kit } from './kit.ts'
import { en } from './papers/labels-en.ts'
import { fr, type Labels } from './papers/labels-fr.ts'
import type { Party, Premises, Seal } from './port.ts'
import { BRAND, INK, PAGE, type Run, SOFT, WIDTH } from './style.ts'

type Locale = 'fr' | 'en'
/** Labels and formats of one language. */
export const speak = (locale: Locale) => {
  const t: Labels = locale === 'fr' ? fr : en
  return {
    t,
    locale,
    money: (amount: number): string => formatMoney(amount, locale),
    date: (date: string): string => formatDate(date, locale),
    period: (from: string, to: string): string => t.period(...spanOf(from, to, locale)),
    /** Basis points as a per cent: `19,25 %`. */
    rate: (basisPoints: number): string =>
      t.percent(String(basisPoints / 100).replace('.', locale === 'fr' ? ',' : '.')),
    /** A UTC date-time in the local time of the zone: `21 novembre 2026, 20:21:25`. */
    instant: (at: string, timeZone: string): string => {
      const ms = Date.parse(at)
      return `${formatDate(localDate(ms, timeZone), locale)}, ${localTime(ms, timeZone)}${at.slice(16, 19)}`
    },
    method: (method: string): string => t.methods[method] ?? method,
  }
}
export type Speech = ReturnType<typeof speak>

/** The UTC offset of a zone at an instant: `UTC+1`, `UTC−3:30`. */
export function offsetOf(at: string, timeZone: string): string {
  const ms = Date.parse(at)
  const local = Date.parse(`${localDate(ms, timeZone)}T${localTime(ms, timeZone)}:00Z`)
  const minutes = (local - Math.floor(ms / 60_000) * 60_000) / 60_000
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '\u2212' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** A party: heading, name, identification and contact. `gaps`: unknown details are named as missing. */
export function partyLines(
  { t }: Speech,
  role: string,
  party: Party,
  { more = [], gaps = false }: { readonly more?: readonly string[]; readonly gaps?: boolean } = {},
): Run[] {
  const id = party.idNumber && `${t.ids[party.idType ?? ''] ?? t.ids.OTHER} ${party.idNumber}`
  const { representative } = party
  const lines = [
    representative && t.represented([representative.name, representative.role].filter(Boolean).join(', ')),
    party.address ?? (gaps && t.unknown.address),
    party.phoneNumber && `${t.phone} ${formatPhone(party.phoneNumber)}`,
    // A company has no identity card: its register stands for it.
    id ?? (gaps && !representative && t.unknown.id),
    party.niu ? `${t.niu} ${party.niu}` : gaps && t.unknown.niu,
    party.rccm && `${t.rccm} ${party.rccm}`,
    ...more,
  ]
  return [
    { text: role.toUpperCase() },
    { text: party.name || t.blankName, bold: true },
    ...lines.flatMap((text) => (text ? [{ text }] : [])),
  ]
}

/** The landlord and their agent. */
export const landlordLines = (speech: Speech, { landlord, agent }: { landlord: Party; agent?: Party | undefined }) =>
  partyLines(speech, speech.t.landlord, landlord, {
    more: agent
      ? [speech.t.agent(agent.name), ...partyLines(speech, '', agent).flatMap(({ text }, i) => (i < 2 ? [] : [text]))]
      : [],
  })

/** The landlord on a paper that their agent makes out for them. */
export const onBehalfLines = ({ t }: Speech, { name, address, niu }: Party): string[] => [
  t.onBehalfOf(name),
  ...(address === undefined ? [] : [address]),
  ...(niu === undefined ? [] : [`${t.niu} ${niu}`]),
]

type Taxed = { readonly tvaBasisPoints: number; readonly tvaAmount: number; readonly tvaRegistered?: true | undefined }
/** The VAT of a rent, or that an exemption is claimed; nothing where the landlord is not registered. */
export function tvaRows({ t, money, rate }: Speech, { tvaBasisPoints, tvaAmount, tvaRegistered }: Taxed) {
  const { tva, rate: ofRent } = t.lease
  if (tvaBasisPoints > 0) return [[tva, ofRent(rate(tvaBasisPoints), money(tvaAmount))] as [string, string]]
  return tvaRegistered ? [[tva, t.exempt] as [string, string]] : []
}

/** Unit, property and place in one line each. */
export function premisesText({ t, locale }: Speech, p: Premises): string {
  const size = [
    p.areaSqm === undefined ? '' : t.area(String(p.areaSqm).replace('.', locale === 'fr' ? ',' : '.')),
    p.bedrooms ? t.bedrooms(p.bedrooms) : '',
    p.bathrooms ? t.bathrooms(p.bathrooms) : '',
  ].filter((s) => s !== '')
  const place = [p.addressLine, p.quartier, p.city, p.province].filter((s) => s !== undefined && s !== '')
  const type = t.types[p.type] ?? p.type
  // A shop called “Boutique 2” says what it is by itself.
  const named = p.unitLabel.toLowerCase().startsWith(type.toLowerCase()) ? p.unitLabel : `${type} ${p.unitLabel}`
  const what = `${named}, ${p.propertyName}`
  return [what, place.join(', '), size.join(', ')].filter((s) => s !== '').join('\n')
}

/** The issuer at the left, the kind of document at the right. */
export function masthead(
  kit: Kit,
  speech: Speech,
  head: { title: string; number: string; from: Party; issuedOn: string },
): void {
  const { doc } = kit
  const half = WIDTH / 2 - 12
  kit.put(kit.root, 'P', head.from.name, PAGE.left, PAGE.top, half, { size: 12, cut: 'bold', color: BRAND })
  const left = doc.y
  const x = PAGE.left + WIDTH - half
  kit.put(kit.root, 'P', head.number, x, PAGE.top, half, { size: 9.5, cut: 'bold', align: 'right' })
  kit.put(kit.root, 'P', speech.t.dated(speech.date(head.issuedOn)), x, doc.y, half, {
    size: 8.5,
    color: SOFT,
    align: 'right',
  })
  doc.y = Math.max(left, doc.y) + 6
  kit.rule(BRAND, 1.2)
  kit.space(14)
  doc.x = PAGE.left
  kit.heading(head.title, 'H1', { size: 17, cut: 'bold', color: INK, gap: 0 })
  kit.space(2)
}

/** A name shortened to this many letters. */
export function shortened(name: string, most: number): string {
  const letters = [...name]
  return letters.length > most ? `${letters.slice(0, most).join('').trimEnd()}…` : name
}

/** One emphasized figure with its words below. */
export function amountBox(kit: Kit, label: string, amount: string, words: string, follow = 4): void {
  const pad = 11
  const width = WIDTH - 2 * pad
  const height = 2 * pad + 22 + kit.heightOf(words, width, { size: 9 })
  kit.room(height + follow)
  const { doc } = kit
  const top = doc.y
  kit.artifact(() => doc.roundedRect(PAGE.left, top, WIDTH, height, 4).fill('#f0fdfa'))
  kit.put(kit.root, 'P', label, PAGE.left + pad, top + pad, width / 2, { size: 9.5, color: SOFT })
  kit.put(kit.root, 'P', amount, PAGE.left + pad, top + pad - 5, width, {
    size: 17,
    cut: 'bold',
    color: BRAND,
    align: 'right',
  })
  kit.put(kit.root, 'P', words, PAGE.left + pad, top + pad + 24, width, { size: 9, align: 'right' })
  doc.y = top + height
  doc.x = PAGE.left
}

/** Height of a seal in points. */
export const SEAL = 78
/** Where to verify the document: a QR code and the same address as text. */
export function sealBox(kit: Kit, { t }: Speech, seal: Seal, wide: number = WIDTH): void {
  if (!seal) return
  const side = SEAL - 10
  kit.room(SEAL)
  const { doc } = kit
  const y = doc.y + 6
  kit.squares(encode(seal.url, { ecc: 'M', border: 0 }).data, PAGE.left, y, side, t.named(t.checkAlt, seal.url))
  const x = PAGE.left + side + 12
  kit.put(kit.root, 'P', t.check, x, y + 6, wide - side - 12, { size: 8.5, cut: 'bold' })
  kit.put(kit.root, 'P', seal.url, x, doc.y, wide - side - 12, { size: 8.5, color: BRAND })
  doc.y = Math.max(doc.y, y + side)
  doc.x = PAGE.left
}

/** Number, page and digest on every page; initials where every page is signed. */
export function closing(kit: Kit, { t }: Speech, number: string, seal: Seal, initials?: string): void {
  kit.footer((page, pages, line) => {
    const y = kit.bottom + 18
    if (initials) line(initials, y, { size: 8, color: INK })
    line(t.page(page, pages), y, { align: 'right' })
    // A long name is shortened in favour of the address.
    let short = number
    const room = WIDTH - 12 - kit.widthOf(seal ? seal.url : t.preview, { size: 7.5 })
    while (kit.widthOf(short, { size: 7.5 }) > room && short.length > 1) short = shortened(short, [...short].length - 2)
    line(short, y + 13, {})
    line(seal ? seal.url : t.preview, y + 13, { align: 'right' })
    if (seal) line(t.named(t.data, seal.dataSha256), y + 24, { size: 6 })
  })
}
