// Which group of features may import which, and that no two features need each other. Each rule is shown what it must catch.
import { expect, test } from 'bun:test'
import { featureOf, heightOf } from './support/directions.ts'
import { cycle, merge, parse, type Source, sources } from './support/sources.ts'

const files = sources().filter(({ path }) => heightOf(path) !== undefined)

/** What is imported from a group above, types too. */
const upwards = ({ path, imports }: Source): string[] =>
  imports
    .filter(({ to, relative }) => relative && (heightOf(path) ?? 0) < (heightOf(to) ?? 0))
    .map(({ to }) => `${path}: ${to}`)
/** The first features that import each other, types too, or nothing. */
const circle = (all: readonly Source[]): string[] | undefined => cycle(merge(all, featureOf))

test('groups follow their order', () => {
  expect(files.flatMap(upwards)).toEqual([])
})

test.each([
  ['src/features/lease/leases/service.ts', `import { issueInvoice } from '../../money/invoices/service.ts'`],
  ['src/features/people/users/service.ts', `import { remind } from '../../news/reminders/service.ts'`],
  ['src/features/papers/documents/routes.ts', `import { findBooking } from '../../lease/bookings/store.ts'`],
])('groups follow their order: caught in %s', (path, code) => {
  expect(upwards(parse(path, code))).not.toEqual([])
  expect(upwards(parse(path, code.replace('import', 'import type')))).not.toEqual([])
})

test('features have no cycle', () => {
  expect(circle(files)).toBeUndefined()
})

test('a cycle of features is caught, though no file is in one; one of types too', () => {
  const units = (code: string): Source => parse('src/features/property/units/service.ts', code)
  const properties = parse('src/features/property/properties/service.ts', `import { unitsOf } from '../units/store.ts'`)
  const needs = units(`import { propertyOf } from '../properties/service.ts'`)
  expect(circle([needs, properties])).toEqual(['property/units', 'property/properties', 'property/units'])
  expect(circle([units(`import type { P } from '../properties/service.ts'`), properties])).toBeDefined()
  expect(circle([units(''), properties])).toBeUndefined()
})
