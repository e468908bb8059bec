// Figures of money have one name each: "collected" meant three of them.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { FIGURE } from '../../../../src/core/figures.ts'
import { COLUMNS, isProvisional } from '../../../../src/features/data/reports/rules.ts'
import { HEADINGS, WORDS } from '../../../../src/features/data/reports/texts.ts'

const SAID = /encaiss(?:é|ement)|['`][^'`\n]*\bcollected\b[^'`\n]*['`]/i
test('no page, paper, report or text of the API says collected', () => {
  const files = [...new Glob('src/**/*.{ts,svelte}').scanSync('.')].filter((file) => !file.endsWith('.gen.ts'))
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => SAID.test(readFileSync(file, 'utf8')))).toEqual([])
})

test('no two figures have one name, and reports take the names from the table', () => {
  for (const locale of ['fr', 'en'] as const) {
    const names = Object.values(FIGURE).map((figure) => figure[locale])
    expect(new Set(names).size).toBe(names.length)
  }
  expect([HEADINGS.paidAmount, HEADINGS.ownerAmount, WORDS.EARNED]).toEqual([FIGURE.paid, FIGURE.earned, FIGURE.earned])
})

test('the columns of a report have names of their own', () => {
  for (const columns of Object.values(COLUMNS))
    for (const locale of ['fr', 'en'] as const) {
      const names = Object.keys(columns).map((member) => HEADINGS[member]?.[locale])
      expect([...new Set(names)]).toEqual(names)
    }
})

test('a report of a time that is not over is provisional, arrears never', () => {
  expect(isProvisional('collection', '2026-03-31', '2026-03-31')).toBe(true)
  expect(isProvisional('collection', '2026-03-31', '2026-04-01')).toBe(false)
  expect(isProvisional('arrears', '2026-03-31', '2026-03-31')).toBe(false)
})
