// Reports as papers: the figures are those of the report, in both languages, and only for who may read it.
import { describe, expect, test } from 'bun:test'
import { formatMoney } from '../../../../src/core/money.ts'
import { PAPERS } from '../../../../src/features/data/reports/rules.ts'
import { HEADINGS, SHEETS } from '../../../../src/features/data/reports/texts.ts'
import { readPdf } from '../../../support/papers.ts'
import { cash, letting, type Stage, stage } from '../../../support/scenario.ts'

type Report = { readonly rows: Record<string, string | number>[]; readonly totals: Record<string, number> }
const PERIOD = 'from=2026-02-01&to=2026-03-31'
/** What a paper shows of each row, and of the sums. */
const SHOWN = {
  'rent-roll': {
    row: ['invoiceNumber', 'tenantName', 'grossAmount', 'amountPaid'],
    totals: ['grossAmount', 'balanceAmount'],
  },
  arrears: { row: ['invoiceNumber', 'daysLate', 'balanceAmount'], totals: ['balanceAmount', 'over90DaysAmount'] },
  collection: { row: ['invoices', 'invoicedAmount', 'paidAmount'], totals: ['paidAmount'] },
  occupancy: { row: ['propertyName', 'unitDays', 'occupiedDays'], totals: ['vacantDays'] },
  'tva-journal': {
    row: ['invoiceNumber', 'netAmount', 'tvaAmount', 'standingGrossAmount'],
    totals: ['standingTvaAmount'],
  },
} as const
const names = Object.keys(SHOWN) as (keyof typeof SHOWN)[]

async function leased() {
  const s = await stage({ given: letting({ startDate: '2026-02-10', billFrom: '2026-02-10', tvaBasisPoints: 1925 }) })
  await s.make('ana', 'POST /invoices/{i1}/payments', cash(20_000))
  await s.make('eve', 'POST /properties', { name: 'Tour', addressLine: 'Rue 2', city: 'Douala' }, 'tour')
  s.t.advance(40)
  await s.t.work()
  return s
}
const paper = async (s: Stage, who: Parameters<Stage['wordOf']>[0], path: string) => {
  const headers = { authorization: `Bearer ${s.wordOf(who)}` }
  const answer = await s.t.app.handle(new Request(`http://localhost/api/v1/reports/${path}`, { headers }))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return readPdf(new Uint8Array(await answer.arrayBuffer()))
}

const s = await leased()
describe.each(names.map((name) => [name]))('%s as a paper', (name) => {
  test.each(['fr', 'en'] as const)('its figures, %s', async (locale) => {
    const { rows, totals } = (await s.ask('ana', `GET /reports/${name}?${PERIOD}`)).body as unknown as Report
    expect(rows.length).toBeGreaterThan(0)
    const { text, marked, info, roles } = await paper(s, 'ana', `${name}?${PERIOD}&format=pdf&locale=${locale}`)
    expect([marked, info.Language]).toEqual([true, locale])
    for (const role of ['H1', 'Table', 'TH', 'TD']) expect(roles).toContain(role)
    const written = (key: string, value: string | number | undefined) =>
      key.endsWith('Amount') || key === 'amountPaid'
        ? formatMoney(Number(value), locale)
            .replace(/\s?FCFA\s?/, '')
            .replace(/\s/g, ' ')
        : String(value)
    for (const row of rows)
      for (const key of SHOWN[name].row) if (row[key] !== undefined) expect(text).toContain(written(key, row[key]))
    for (const key of SHOWN[name].totals) expect(text).toContain(written(key, totals[key]))
    expect(text).toContain(SHEETS[name]?.[locale] ?? '?')
    expect(text).toContain(HEADINGS[SHOWN[name].row[1]]?.[locale] ?? '?')
    // No word of a heading is cut in two where its column is narrow.
    const headings = PAPERS[name].columns.flatMap(([, ...members]) => members)
    for (const word of headings.flatMap((member) => (HEADINGS[member]?.[locale] ?? '').split(/[\s-]/)))
      expect(text).toContain(word)
    expect(text).not.toMatch(/undefined|NaN|null/)
  })

  test('another owner finds nothing of it; a property that is not theirs is not found; a tenant may not', async () => {
    const { text } = await paper(s, 'eve', `${name}?${PERIOD}&format=pdf`)
    expect(text).not.toMatch(/Villa|Biyong|2026-00000/)
    expect((await s.ask('eve', `GET /reports/${name}?${PERIOD}&format=pdf&propertyId={villa}`)).status).toBe(404)
    expect((await s.ask('tom', `GET /reports/${name}?${PERIOD}&format=pdf`)).status).toBe(403)
  })
})
