// Everything of an organization in one file, and out of it again elsewhere: equal, to the franc.
import { describe, expect, test } from 'bun:test'
import { unzipSync } from 'fflate'
import { restoreExport, runExports } from '../../src/features/exports/jobs.ts'
import { createTestApp } from '../support/app.ts'
import { world } from '../support/world.ts'

type App = ReturnType<typeof createTestApp>
async function pack(t: App, who: string): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = await t.call<{ id: string }>(who, 'POST /api/v1/exports', {})
  await runExports(t.deps)
  const link = await t.call<{ url: string }>(who, `GET /api/v1/exports/${body.id}/download-url`)
  const file = await t.app.handle(new Request(link.body.url))
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/zip'])
  return new Uint8Array(await file.arrayBuffer())
}
async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000)
}
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes)
/** What an archive holds, but for the time and what an export itself leaves in the trail. */
const contents = (bytes: Uint8Array) =>
  Object.fromEntries(
    Object.entries(unzipSync(bytes))
      .filter(([name]) => name !== 'manifest.json')
      .map(([name, file]) => {
        if (!name.endsWith('.json')) return [name, name.startsWith('files/') ? file.length : text(file)]
        const rows = JSON.parse(text(file)) as Record<string, unknown>[]
        const kept = rows.filter((r) => !String(r.action).startsWith('export.'))
        return [name, name === 'data/organization.json' ? kept.map(({ version: _v, ...r }) => r) : kept]
      }),
  )
const REPORTS = ['rent-roll', 'arrears', 'collection', 'occupancy', 'tva-journal', 'owner-statement']

test('an export brought into an empty database gives the same export and the same reports', async () => {
  const t = createTestApp()
  const w = await world(t)
  await t.call(w.as.ana, `POST /api/v1/bookings/${w.bookings.ENDING}/payments`, {
    amount: 123_456,
    method: 'CASH',
    paidOn: '2026-03-09',
  })
  await t.work()
  const first = await pack(t, w.as.ada)
  const there = createTestApp()
  const done = await restoreExport(there.deps, piecesOf(first))
  expect(done.organizationId).toBe(w.orgId)
  const second = await pack(there, w.as.ada)
  expect(contents(second)).toEqual(contents(first))
  for (const name of REPORTS)
    for (const who of [w.as.ana, w.as.mia]) {
      const query = `GET /api/v1/reports/${name}?from=2025-12-01&to=2026-06-30`
      expect((await there.call(who, query)).body).toEqual((await t.call(who, query)).body)
    }
  expect(there.rows('pragma foreign_key_check')).toEqual([])
  // Life goes on there: the next invoice has the next number.
  there.advance(40)
  await there.work()
  expect(there.rows('select number from invoice group by number having count(*) > 1')).toEqual([])
})

test('secrets and what is of this machine alone stay behind', async () => {
  const t = createTestApp()
  const w = await world(t)
  const names = Object.keys(unzipSync(await pack(t, w.as.ada)))
  for (const table of [
    'credential',
    'oidc_payload',
    'signing_key',
    'challenge',
    'idempotency',
    'webhook_endpoint',
    'job',
  ])
    expect(names).not.toContain(`data/${table}.json`)
  expect(names).toContain('csv/invoice.csv')
})

test("an owner's export holds what is theirs, and cannot be brought in", async () => {
  const t = createTestApp()
  const w = await world(t)
  const bytes = await pack(t, w.as.ana)
  const files = unzipSync(bytes)
  const of = (name: string) => JSON.parse(text(files[`data/${name}.json`])) as Record<string, unknown>[]
  expect(new Set(of('property').map((p) => p.owner_user_id))).toEqual(new Set([w.userIds.ana]))
  expect(of('app_user').map((u) => u.id)).toEqual([w.userIds.ana])
  const all = text(Buffer.concat(Object.values(files)))
  for (const id of [w.hers.property, w.hers.unit, w.hers.booking, w.hers.invoice, w.hers.payment])
    expect(all).not.toContain(id)
  expect(Object.keys(files)).not.toContain('data/audit_entry.json')
  await expect(restoreExport(createTestApp().deps, piecesOf(bytes))).rejects.toThrow("owner's part only")
})

describe('what cannot be brought in changes nothing', async () => {
  const t = createTestApp()
  const w = await world(t)
  const good = await pack(t, w.as.ada)
  const nothing = (there: App) => expect(there.rows('select id from organization')).toEqual([])
  test('an organization that is there already', async () => {
    await expect(restoreExport(t.deps, piecesOf(good))).rejects.toThrow('there already')
  })
  test('a file cut in the middle', async () => {
    const there = createTestApp()
    await expect(restoreExport(there.deps, piecesOf(good.subarray(0, good.length / 2)))).rejects.toThrow()
    nothing(there)
  })
  test('no export at all', async () => {
    const there = createTestApp()
    await expect(restoreExport(there.deps, piecesOf(Buffer.from('PK no zip')))).rejects.toThrow()
    nothing(there)
  })
})

test('the file goes after a day', async () => {
  const t = createTestApp()
  const w = await world(t)
  t.advance(2)
  await runExports(t.deps)
  const answer = await t.call(w.as.ana, `GET /api/v1/exports/${w.exports.MINE}`)
  expect(answer.body).toMatchObject({ status: 'EXPIRED' })
  expect((await t.call(w.as.ana, `GET /api/v1/exports/${w.exports.MINE}/download-url`)).status).toBe(409)
})
