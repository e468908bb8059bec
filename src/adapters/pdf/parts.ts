import { encode } from 'uqr'
import { formatDate } from '../../core/dates.ts'
import { formatMoney } from '../../core/money.ts'
import type { Kit } from './kit.ts'
import { LABELS, type Labels } from './labels.ts'
import type { Party, Premises, Seal } from './port.ts'
import { BRAND, INK, PAGE, type Run, SOFT, WIDTH } from './style.ts'

type Locale = 'fr' | 'en'
/** The words and forms of one language. */
export const speak = (locale: Locale) => {
  const t: Labels = LABELS[locale]
  return {
    t,
    locale,
    money: (amount: number): string => formatMoney(amount, locale),
    date: (date: string): string => formatDate(date, locale),
    period: (from: string, to: string): string => t.period(formatDate(from, locale), formatDate(to, locale)),
    /** Basis points as a per cent: `19,25`. */
    rate: (basisPoints: number): string => String(basisPoints / 100).replace('.', locale === 'fr' ? ',' : '.'),
    method: (method: string): string => t.methods[method] ?? method,
  }
}
export type Speech = ReturnType<typeof speak>

/** Who a party is: heading, name, then what identifies and reaches them. */
export function partyLines({ t }: Speech, role: string, party: Party, more: readonly string[] = []): Run[] {
  const id = party.idNumber && `${t.ids[party.idType ?? ''] ?? party.idType ?? 'ID'} ${party.idNumber}`
  const lines = [
    party.address,
    party.phoneNumber && `${t.phone} ${party.phoneNumber}`,
    id,
    party.niu && `${t.niu} ${party.niu}`,
    party.rccm && `${t.rccm} ${party.rccm}`,
    ...more,
  ]
  return [
    { text: role.toUpperCase() },
    { text: party.name, bold: true },
    ...lines.flatMap((text) => (text ? [{ text }] : [])),
  ]
}

/** Unit, property and place in one line each. */
export function premisesText({ t, locale }: Speech, p: Premises): string {
  const size = [
    p.areaSqm === undefined ? '' : t.area(String(p.areaSqm).replace('.', locale === 'fr' ? ',' : '.')),
    p.bedrooms ? t.bedrooms(p.bedrooms) : '',
    p.bathrooms ? t.bathrooms(p.bathrooms) : '',
  ].filter((s) => s !== '')
  const place = [p.addressLine, p.quartier, p.city, p.province].filter((s) => s !== undefined && s !== '')
  const what = `${t.types[p.type] ?? p.type} ${p.unitLabel}, ${p.propertyName}`
  return [what, place.join(', '), size.join(', ')].filter((s) => s !== '').join('\n')
}

/** Who made it out at the left, what it is at the right. */
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
  kit.put(kit.root, 'P', speech.t.madeOn(speech.date(head.issuedOn)), x, doc.y, half, {
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

/** One figure that matters, with its words under it. */
export function amountBox(kit: Kit, label: string, amount: string, words: string): void {
  const pad = 12
  const width = WIDTH - 2 * pad
  const height = 2 * pad + 20 + kit.heightOf(words, width, { size: 9 })
  kit.room(height + 4)
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

/** Where to check the paper: a QR code and the same address in letters. */
export function sealBox(kit: Kit, { t }: Speech, seal: Seal, wide: number = WIDTH): void {
  if (!seal) return
  const side = 74
  kit.room(side + 12)
  const { doc } = kit
  const y = doc.y + 6
  kit.squares(encode(seal.url, { ecc: 'M', border: 0 }).data, PAGE.left, y, side, `${t.checkAlt} : ${seal.url}`)
  const x = PAGE.left + side + 12
  kit.put(kit.root, 'P', t.check, x, y + 6, wide - side - 12, { size: 8.5, cut: 'bold' })
  kit.put(kit.root, 'P', seal.url, x, doc.y, wide - side - 12, { size: 8.5, color: BRAND })
  kit.put(kit.root, 'P', `${t.data} : ${seal.dataSha256}`, x, doc.y + 4, wide - side - 12, { size: 7, color: SOFT })
  doc.y = Math.max(doc.y, y + side)
  doc.x = PAGE.left
}

/** Number, page and digest on every page; initials where every page is signed. */
export function closing(kit: Kit, { t }: Speech, number: string, seal: Seal, initials?: string): void {
  kit.footer((page, pages, line) => {
    const y = kit.bottom + 18
    if (initials) line(initials, y, { size: 8, color: INK })
    line(t.page(page, pages), y, { align: 'right' })
    line(number, y + 13, {})
    line(seal ? seal.url : t.preview, y + 13, { align: 'right' })
    if (seal) line(`${t.data} : ${seal.dataSha256}`, y + 24, { size: 6 })
  })
}
