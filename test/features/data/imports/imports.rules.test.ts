// What people write in cells, and what it is read as.
import { describe, expect, test } from 'bun:test'
import { readCell } from '../../../../src/features/data/imports/rules.ts'

describe('cells', () => {
  test.each([
    ['francs', '150 000', 150_000],
    ['francs', '150\u202f000\u00a0FCFA', 150_000],
    ['francs', '1 150 000 FCFA', 1_150_000],
    ['francs', '150.000', 150_000],
    ['francs', '150,000', 150_000],
    ['francs', '150000,00', 150_000],
    ['francs', '150 000,50', undefined],
    ['francs', '-5', undefined],
    ['francs', '1e6', undefined],
    ['francs', '15 00', undefined],
    ['francs', '150 0000', undefined],
    ['date', '31/12/2026', '2026-12-31'],
    ['date', '1/2/2026', '2026-02-01'],
    ['date', '2026-12-31', '2026-12-31'],
    ['date', '12/31/2026', undefined],
    ['date', '29/02/2026', undefined],
    ['date', '46387', undefined],
    ['rate', '19,25 %', 1925],
    ['rate', '19.25', 1925],
    ['rate', '0.1925', 1925],
    ['rate', '0', 0],
    ['flag', 'Oui', true],
    ['flag', 'NON', false],
    ['flag', '?', undefined],
    ['words', 'Carte nationale', 'NATIONAL_ID'],
    ['words', 'residence permit', 'RESIDENCE_PERMIT'],
    ['phone', '677.12.34.56', '+237677123456'],
    ['phone', '+33 6 12 34 56 78', '+33612345678'],
  ] as const)('%s: %s', (kind, text, value) => {
    const read = readCell(kind, text)
    expect('value' in read ? read.value : undefined).toBe(value as never)
  })

  test.each(['rate', 'francs'] as const)('%s: a cell full of blanks is refused at once, however long', (kind) => {
    const began = performance.now()
    for (let n = 0; n < 5; n++) expect(readCell(kind, `1${' '.repeat(32_765)}x`)).toHaveProperty('message')
    expect(performance.now() - began).toBeLessThan(1000)
  })
})
