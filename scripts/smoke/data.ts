// Data come in from a spreadsheet, all rows or none, by a thread of their own; and out, as tables and as one ZIP.
import assert from 'node:assert/strict'
import type { Scenario, World } from './scenarios.ts'

type Json = Record<string, unknown>

/** Asks again until what was begun has ended. */
async function ended({ call, token }: World, path: string, id: unknown): Promise<Json> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const { json } = await call('GET', `${path}/${id}`, { token })
    if (['SUCCEEDED', 'FAILED', 'READY'].includes(String(json.status))) return json
    await Bun.sleep(100)
  }
  throw new Error(`${path}/${id} does not end`)
}

const bringIn = async (world: World, csv: string, dryRun: boolean): Promise<Json> => {
  const body = { kind: 'properties', dryRun, csv }
  const { status, json, text } = await world.call('POST', '/api/v1/imports', { token: world.token, body })
  assert.equal(status, 202, text)
  return ended(world, '/api/v1/imports', json.id)
}

export const dataScenarios: Scenario[] = [
  {
    name: 'import: a row that is wrong is named, and nothing comes in; mended, all do',
    run: async (world) => {
      const half = await bringIn(
        world,
        'Nom;Adresse;Ville\nVilla Ngousso;Rue 1;Yaoundé\nVilla Omnisport;;Yaoundé\n',
        false,
      )
      assert.equal(half.status, 'FAILED')
      assert.deepEqual(
        (half.problems as Json[]).map(({ row, column }) => [row, column]),
        [[3, 'Adresse']],
      )
      const named = '/api/v1/properties?q=Villa%20Ngousso'
      assert.equal((await world.call('GET', named, { token: world.token })).list.length, 0)
      const whole = await bringIn(world, 'Nom;Adresse;Ville\nVilla Ngousso;Rue 1;Yaoundé\n', false)
      assert.equal(whole.status, 'SUCCEEDED')
      assert.equal((await world.call('GET', named, { token: world.token })).list.length, 1)
    },
  },
  {
    name: 'export: one ZIP; a report as a sheet',
    run: async (world) => {
      const { call, token } = world
      const begun = await call('POST', '/api/v1/exports', { token, body: {} })
      assert.equal(begun.status, 202, begun.text)
      const done = await ended(world, '/api/v1/exports', begun.json.id)
      const { json } = await call('GET', `/api/v1/exports/${done.id}/download-url`, { token })
      const zip = new Uint8Array(await (await fetch(String(json.url))).arrayBuffer())
      assert.deepEqual([...zip.subarray(0, 2)], [0x50, 0x4b])
      const sheet = await call('GET', '/api/v1/reports/rent-roll?format=xlsx', { token })
      assert.equal(sheet.status, 200)
      assert.match(sheet.text, /^PK/)
    },
  },
]
