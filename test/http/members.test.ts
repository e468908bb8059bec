// reliability T-19: members that a request has no say in, by name: of answers, of prototypes, of nothing at all.
import { describe, expect, test } from 'bun:test'
import { fill, routesOf } from '../support/routes.ts'
import { samples, traces, worldApp } from '../support/world.ts'

const { t, w } = await worldApp()
type Problem = { code: string; errors: { path: string; message: string }[] }

describe('members that are not asked for', () => {
  const PROTO = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '']
  type Properties = { properties?: Record<string, unknown>; anyOf?: Properties[] }
  const keysOf = (schema: Properties | undefined): string[] =>
    Object.keys(schema?.properties ?? schema?.anyOf?.[0]?.properties ?? {})
  for (const route of routesOf(t.app).filter(({ body, hidden }) => body && !hidden)) {
    const sample = samples(w).find(({ line }) => line === route.line)
    const known = keysOf(route.body as Properties)
    const answered = Object.values(route.answers).flatMap((schema) => keysOf(schema as Properties))
    const foreign = [...new Set([...answered, 'version', 'roles', ...PROTO])].filter((name) => !known.includes(name))
    const as = route.roles?.includes('OWNER') ? w.as.ana : route.roles?.includes('TENANT') ? w.as.tom : w.as.ada
    test(`${route.line} refuses ${foreign.length} of them by name`, async () => {
      const before = traces(t)
      for (const name of foreign) {
        const rest = JSON.stringify(sample?.body ?? {}).slice(1)
        const json = `{${JSON.stringify(name)}:{"polluted":"CANARY"}${rest === '}' ? rest : `,${rest}`}`
        const { status, body, text } = await t.call<Problem>(as, fill(route.line, sample?.mine), json)
        expect([name, status]).toEqual([name, 422])
        expect(body.errors.map(({ path }) => path)).toContain(`/${name}`)
        expect(text).not.toContain('CANARY')
      }
      expect(traces(t)).toBe(before)
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    })
  }

  test('of a name given twice the last one counts, as JSON readers do', async () => {
    const { body } = await t.call(
      w.as.ana,
      'POST /api/v1/properties',
      '{"name":"first","addressLine":"R","city":"C","name":"last"}',
    )
    expect(body.name).toBe('last')
  })
  test('a thousand of them are told of in twenty', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_x, i) => [`m${i}`, 1]))
    const { status, body } = await t.call<Problem>(w.as.ana, 'POST /api/v1/properties', many)
    expect([status, body.errors.length]).toEqual([422, 20])
  })
})
