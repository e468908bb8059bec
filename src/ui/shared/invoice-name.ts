import type { Schemas } from './api.ts'

/** What an invoice is called beside others: the month of its rent, or what else it asks for. */
export function invoiceName(
  { kind, lines, periodStart }: Pick<Schemas['Invoice'], 'kind' | 'lines' | 'periodStart'>,
  month: (day: string) => string,
): string {
  const [first] = lines
  if (!first || lines.some((line) => line.kind === 'RENT')) return month(periodStart)
  // the word is the same in both languages
  return kind === 'CHARGES' ? `Charges (${first.label})` : first.label
}
