// What the document shows as examples is possible, not only allowed.
import { expect, test } from 'bun:test'
import { document, exampleOf } from './support/documented.ts'

test('examples tell a story: no figure is merely its lower bound, no word is a placeholder, and sums hold', () => {
  const told = JSON.stringify(Object.values(document.components.schemas ?? {}).map((schema) => schema.examples ?? []))
  expect(told).not.toMatch(/"exemple"|"string"|:-\d{6,}/)
  const { costAmount, chargedAmount, deductedAmount, landlordAmount, items } = exampleOf('Regularisation') as {
    items: { amount: number }[]
  } & Record<string, number>
  expect(landlordAmount).toBe(Number(costAmount) - Number(chargedAmount) - Number(deductedAmount))
  expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(Number(costAmount))
  // A member's own example goes before the name that it shares with others.
  expect(exampleOf('BackupFile').name).toMatch(/^loyer-.*\.tar\.zst/)
})
