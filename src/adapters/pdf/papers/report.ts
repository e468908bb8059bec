import { createKit } from '../kit.ts'
import { amountBox, masthead, speak } from '../parts.ts'
import type { ReportData } from '../port.ts'
import { SOFT, WIDTH } from '../style.ts'
import { table } from '../tables.ts'

const WORDS = {
  fr: {
    all: 'Ensemble',
    none: 'Rien à signaler pour cette période.',
    on: (date: string) => `au ${date}`,
    unit: 'Montants en francs CFA.',
  },
  en: {
    all: 'All together',
    none: 'Nothing to report for this period.',
    on: (date: string) => `as of ${date}`,
    unit: 'Amounts in CFA francs.',
  },
}

/** A report as one table for each property; the totals come last. */
export function drawReport(data: ReportData): Promise<Uint8Array<ArrayBuffer>> {
  const speech = speak(data.locale)
  const words = WORDS[data.locale]
  const period =
    'on' in data.period ? words.on(speech.date(data.period.on)) : speech.period(data.period.from, data.period.to)
  const kit = createKit({ title: `${data.title} – ${data.number}`, locale: data.locale, issuedOn: data.issuedOn })
  masthead(kit, speech, { title: data.title, number: period, from: data.landlord, issuedOn: data.issuedOn })
  kit.space(4)
  amountBox(kit, data.headline.label, data.headline.value, data.headline.notes.join(' · '))
  const columns = data.columns.map(({ label, share, right }) => ({
    label,
    share,
    ...(right ? { align: 'right' as const } : {}),
  }))
  const note = `${data.basis} ${words.unit}`
  const small = { size: 8, color: SOFT } as const
  /** The note below is never alone on a page. */
  const after = 8 + kit.heightOf(note, WIDTH, small)
  const titled = (heading: string | undefined) =>
    heading === undefined ? {} : { under: (follow: number) => kit.section(heading, follow) }
  const filled = data.groups.filter(({ rows }) => rows.length > 0)
  kit.space(8)
  if (filled.length === 0) kit.text(words.none)
  for (const { heading, rows, totals } of filled) {
    const last = totals ?? (filled.length === 1 ? data.totals : undefined)
    const lines = [...rows.map((cells) => ({ cells })), ...(last ? [{ cells: last, strong: true }] : [])]
    table(kit, columns, lines, true, { ...titled(heading), after })
  }
  if (filled.length > 1)
    table(kit, columns, [{ cells: data.totals, strong: true }], true, { ...titled(words.all), after })
  if (data.ages && filled.length > 0) {
    const shares = [
      { label: '', share: 0.72 },
      { label: '', share: 0.28, align: 'right' as const },
    ]
    table(
      kit,
      shares,
      data.ages.lines.map((cells) => ({ cells })),
      false,
      { ...titled(data.ages.title), after },
    )
  }
  kit.space(8)
  kit.text(note, small)
  kit.footer((page, pages, put) => {
    put(`${data.title}, ${period}`, kit.bottom + 18, {})
    put(speech.t.page(page, pages), kit.bottom + 18, { align: 'right' })
  })
  return kit.finish()
}
