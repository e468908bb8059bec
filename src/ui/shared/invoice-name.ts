import type { Schemas } from './api.ts'
import { language } from './words.svelte.ts'

/** What a paper of either language calls lines that no landlord wrote. */
const MADE = {
  fr: {
    rent: 'Loyer',
    provisions: 'Provisions déjà facturées',
    before: 'Solde antérieur',
    share: '\u00a0: quote-part',
  },
  en: { rent: 'Rent', provisions: 'Provisions already invoiced', before: 'Balance brought forward', share: ': share' },
} as const

/** A line of charges: the landlord's own words, and those of the program in the reader's language. */
const chargeName = (label: string): string =>
  label.replace(/(?:\u00a0: quote-part|: share)$/, MADE[language.locale].share)

/** A line beside the others of its invoice, which says its period below. */
export function lineName({ kind, label, amount }: Schemas['Invoice']['lines'][number]): string {
  const names = MADE[language.locale]
  if (kind === 'CHARGE') return amount < 0 ? names.provisions : chargeName(label)
  return kind === 'RENT' ? names.rent : names.before
}

/** What an invoice is called beside others: the month of its rent, or what else it asks for. */
export function invoiceName(
  { kind, lines, periodStart }: Pick<Schemas['Invoice'], 'kind' | 'lines' | 'periodStart'>,
  month: (day: string) => string,
): string {
  const [first] = lines
  if (!first || lines.some((line) => line.kind === 'RENT')) return month(periodStart)
  if (first.kind === 'OPENING_BALANCE') return MADE[language.locale].before
  // the word is the same in both languages
  return kind === 'CHARGES' ? `Charges (${chargeName(first.label)})` : first.label
}
