// Figures of money have one name each: "collected" meant three of them.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'
import { FIGURE } from '../../../../src/core/figures.ts'
import { HEADINGS, WORDS } from '../../../../src/features/data/reports/texts.ts'

const SAID = /encaiss|['`][^'`\n]*\bcollected\b[^'`\n]*['`]/i
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
