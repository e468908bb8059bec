// What a client in TypeScript is told by the routes' own types: rows and lists as they are, refusals as problem documents.
import { beforeEach, expect, expectTypeOf, test } from 'bun:test'
import type { money } from '../../src/features/money.ts'
import type { Problem } from '../../src/http/problems.ts'

/** What Eden's `treaty` reads. */
type Routes = ReturnType<typeof money>['~Routes']['api']['v1']['invoices']
type Listed = Routes['get']['response']
type Read = Routes[':id']['get']['response']
type Charged = Routes[':id']['charges']['post']

// The type checker judges these; nothing is left of them at run time.
beforeEach(() => expect.assertions(0))

test('a list is an array of its rows', () => {
  expectTypeOf<Listed[200]>().toExtend<{ id: string; orgId?: string }[]>()
  expectTypeOf<Listed[200]>().not.toBeAny()
  expectTypeOf<Listed[200]>().not.toBeNever()
  expectTypeOf<Listed[200][number]['status']>().not.toBeNever()
})

test('a single resource is its row', () => {
  expectTypeOf<Read[200]['id']>().toEqualTypeOf<string>()
  expectTypeOf<Charged['response'][200]['id']>().toEqualTypeOf<string>()
  expectTypeOf<Charged['body']>().toExtend<{ label: string; amount: number }>()
})

test('each refusal is the problem document', () => {
  expectTypeOf<Listed[401]['code']>().toEqualTypeOf<Problem['code']>()
  expectTypeOf<Read[404]['requestId']>().toEqualTypeOf<string>()
  expectTypeOf<Charged['response'][409]['allowed']>().toEqualTypeOf<Problem['allowed']>()
})
