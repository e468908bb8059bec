// A paper may be late, but what it is of never waits for it: reliability F17, and the disk and worker faults.
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { diskBlobs } from '../../../../src/adapters/blobs/disk.ts'
import type { Blobs } from '../../../../src/adapters/blobs/port.ts'
import { createPdf } from '../../../../src/adapters/pdf/pool.ts'
import type { Pdf } from '../../../../src/adapters/pdf/port.ts'
import { renderDocuments } from '../../../../src/features/papers/documents/jobs.ts'
import { createTestApp } from '../../../support/app.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { readPdf } from '../../../support/papers.ts'
import { cash, letting, type Person, type Stage, stage } from '../../../support/scenario.ts'

setDefaultTimeout(120_000)
const out = { given: letting({}, 'PENDING') }
const failing =
  (error: Error): Pdf['render'] =>
  () =>
    Promise.reject(error)
type State = { status?: string; failure?: string; attempts?: number; [key: string]: unknown }
const state = (s: { rows: (sql: string) => Record<string, unknown>[] }): State => {
  const [row = {}] = s.rows('select status, failure, attempts, sha256 from document order by id limit 1')
  return Object.fromEntries(Object.entries(row).filter(([, v]) => v !== null))
}

test('what cannot be drawn is tried again, then FAILED with its reason, then once a day; the lease goes on', async () => {
  const s = await stage(out)
  const { deps } = s
  const poison = { ...deps, pdf: { ...deps.pdf, render: failing(new Error('no glyphs')) } }
  const seen: [number, State][] = []
  for (const wait of [0, 1, 10, 60, 600]) {
    s.time.now += wait * 1000 - 1
    expect(wait === 0 || (await renderDocuments(poison)) === 0).toBe(true)
    s.time.now += 1
    await renderDocuments(poison)
    seen.push([wait, state(s)])
  }
  expect(seen).toEqual([
    [0, { status: 'PENDING', failure: 'DRAWING', attempts: 1 }],
    [1, { status: 'PENDING', failure: 'DRAWING', attempts: 2 }],
    [10, { status: 'PENDING', failure: 'DRAWING', attempts: 3 }],
    [60, { status: 'PENDING', failure: 'DRAWING', attempts: 4 }],
    [600, { status: 'FAILED', failure: 'DRAWING', attempts: 5 }],
  ])
  expect((await s.make('ana', 'POST /bookings/{lease}/activate')).status).toBe('ACTIVE')
  const [failed] = (await s.ask('tom', 'GET /documents?order=asc')).body as unknown as State[]
  expect(failed).toMatchObject({ status: 'FAILED', failure: 'DRAWING' })
  expect((await s.ask('tom', `GET /documents/${failed?.id}/download-url`)).status).toBe(409)
  // The next day a newer program may know better.
  s.advance(1)
  // A round ends after two seconds, also on a machine that needs them for the first of two papers.
  while ((await renderDocuments(deps)) > 0);
  expect(state(s)).toMatchObject({ status: 'READY' })
})

test('one that cannot be drawn holds up no other', async () => {
  const s = await stage({ given: letting() })
  const render: Pdf['render'] = (template, data, seal) =>
    template === 'lease' ? Promise.reject(new Error('poison')) : s.deps.pdf.render(template, data, seal)
  await renderDocuments({ ...s.deps, pdf: { ...s.deps.pdf, render } })
  expect(s.rows('select kind, status from document where void_reason is null order by id')).toEqual([
    { kind: 'LEASE_CONTRACT', status: 'PENDING' },
    { kind: 'INVOICE', status: 'READY' },
  ])
})

describe('a disk that cannot be written', () => {
  const FAULTS: [string, (folder: string) => Blobs][] = [
    ['full', (folder) => diskBlobs(folder, { free: async () => ({ free: 1000, total: 10 ** 12 }) })],
    [
      'its folder is a file',
      (folder) => {
        writeFileSync(folder, '')
        return diskBlobs(folder)
      },
    ],
    [
      'the last step fails',
      (folder) => {
        const blobs = diskBlobs(folder)
        const broken = (): Promise<void> => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))
        return { ...blobs, receive: async (...args) => ({ ...(await blobs.receive(...args)), keep: broken }) }
      },
    ],
  ]
  for (const [name, blobsIn] of FAULTS)
    test(name, async () => {
      const s = await stage(out)
      const folder = join(temporaryFolder('papers'), 'documents')
      mkdirSync(join(folder, '../..'), { recursive: true })
      const broken = { ...s.deps, documents: blobsIn(folder) }
      // However long it lasts: missing room is no fault of the paper.
      for (let i = 0; i < 8; i++) {
        await renderDocuments(broken)
        expect(state(s)).toEqual({ status: 'PENDING', failure: 'STORAGE', attempts: 0 })
        s.time.now += 30_000
      }
      if (name === 'the last step fails') expect(readdirSync(join(folder, 'tmp'))).toEqual([])
      await renderDocuments(s.deps)
      expect(state(s)).toMatchObject({ status: 'READY', attempts: 0 })
      expect(state(s).failure).toBeUndefined()
    })
})

test('the worker is killed in the middle of a paper: it is drawn by the next one', async () => {
  const s = await stage(out)
  const spawned: Worker[] = []
  const pdf = createPdf({
    spawn: () => {
      const worker = new Worker(new URL('../../../../src/adapters/pdf/worker.ts', import.meta.url))
      spawned.push(worker)
      return worker
    },
  })
  const drawing = renderDocuments({ ...s.deps, pdf })
  await Bun.sleep(1)
  void spawned[0]?.terminate()
  await drawing
  expect(state(s)).toMatchObject({ status: 'PENDING', failure: 'DRAWING', attempts: 1 })
  s.time.now += 1000
  await renderDocuments({ ...s.deps, pdf })
  expect(state(s)).toMatchObject({ status: 'READY' })
  await pdf.close()
})

test('died after the file was written: the same bytes take the same place', async () => {
  const s = await stage(out)
  const write = (): never => {
    throw new Error('power cut')
  }
  await expect(renderDocuments({ ...s.deps, write: write as never })).rejects.toThrow('power cut')
  expect(state(s)).toEqual({ status: 'PENDING', attempts: 0 })
  await renderDocuments(s.deps)
  const kept = [...new Bun.Glob('*/*/*.*').scanSync({ cwd: join(s.mediaFolder, 'documents') })]
  expect(kept).toHaveLength(1)
  expect(kept[0]).toContain(String(state(s).sha256))
})

test('1,000 invoices in one night: all there, in order but for the one that somebody opens; memory as for one', async () => {
  const t = createTestApp()
  const as = 'OWNER.ana'
  const id = async (line: string, body: object): Promise<string> => String((await t.call(as, line, body)).body.id)
  await t.call(as, 'GET /api/v1/me')
  const property = await id('POST /api/v1/properties', { name: 'Tour', addressLine: 'Rue 1', city: 'Douala' })
  const labels = Array.from({ length: 100 }, (_, i) => `A${i}`)
  const units: string[] = []
  const { body } = await t.call<{ id: string }[]>(as, `POST /api/v1/properties/${property}/units`, {
    labels,
    rentAmount: 50_000,
  })
  for (const unit of body) units.push(unit.id)
  const tenant = await id('POST /api/v1/tenants', { fullName: 'Une Entreprise' })
  for (const unitId of units) {
    const lease = await id('POST /api/v1/bookings', {
      unitId,
      tenantId: tenant,
      startDate: '2025-05-10',
      billFrom: '2025-05-10',
    })
    await t.call(as, `POST /api/v1/bookings/${lease}/submit`, {})
    await t.call(as, `POST /api/v1/bookings/${lease}/activate`, {})
  }
  await t.work()
  const count = (where: string): number => Number(t.rows(`select count(*) n from document where ${where}`)[0]?.n)
  expect(count("kind = 'INVOICE'")).toBeGreaterThanOrEqual(1000)
  // Leases were seen to elsewhere: here a stand-in keeps the time short and counts how many are in hand.
  let inHand = 0
  let most = 0
  const order: string[] = []
  const [opened] = t.rows('select invoice_id, number from document order by id desc limit 1')
  const pdf: Pdf = {
    ...t.deps.pdf,
    threads: 1,
    render: async (_template, data) => {
      inHand += 1
      most = Math.max(most, inHand)
      order.push(data.number)
      if (order.length === 300) await t.call(as, `GET /api/v1/documents?invoiceId=${opened?.invoice_id}`)
      inHand -= 1
      return new TextEncoder().encode(`%PDF ${data.number}`)
    },
  }
  while ((await renderDocuments({ ...t.deps, pdf })) > 0);
  expect(most).toBe(1)
  expect(count("status <> 'READY'")).toBe(0)
  expect(order.indexOf(String(opened?.number))).toBe(300)
  const invoices = order.filter((number) => !number.startsWith('L') && number !== opened?.number)
  expect(invoices).toEqual([...invoices].sort())
  expect(new Set(invoices).size).toBe(invoices.length)
})

test('a name of 200 characters in several scripts comes through to the paper', async () => {
  const s = await stage()
  await letting({}, 'DRAFT')(s)
  const fullName = `Ŋkɔŋɔ ${'Ɛ'.repeat(180)} محمد`
  const { id } = await s.make('ana', 'POST /tenants', { fullName })
  await s.make('ana', 'POST /bookings', { unitId: '{a1}', tenantId: String(id), startDate: '2026-03-10' }, 'long')
  await s.make('ana', 'POST /bookings/{long}/submit')
  await renderDocuments(s.deps)
  const [row] = s.rows('select id, sha256 from document where status = ?', 'READY')
  const bytes = await (await s.documents.open(`${row?.id}.${row?.sha256}`))?.bytes()
  const { text } = await readPdf(bytes ?? new Uint8Array())
  expect(text).toContain('Ŋkɔŋɔ')
  expect(text.replaceAll(' ', '')).toContain('Ɛ'.repeat(180))
  expect(text).toContain('mhmd')
})

test('what somebody waits for is drawn next, and a night keeps its order', async () => {
  const s = await stage({ given: letting({ startDate: '2026-03-10' }) })
  s.advance(200)
  await s.work()
  const order: string[] = []
  const pdf: Pdf = {
    ...s.deps.pdf,
    threads: 1,
    render: async (_template, data) => {
      order.push(data.number)
      // In the middle of the night somebody pays.
      if (data.number === '2026-000004') await s.make('ana', 'POST /invoices/{i1}/payments', cash(60_000))
      return new TextEncoder().encode(`%PDF ${data.number}`)
    },
  }
  while ((await renderDocuments({ ...s.deps, pdf })) > 0);
  const night = Array.from({ length: 7 }, (_, i) => `2026-00000${i + 1}`)
  expect(order).toEqual(['L-2026-000001', 'L-2026-000001-v2', ...night.slice(0, 4), 'R-2026-000001', ...night.slice(4)])
})

const looking = (path: string) => async (s: Stage) => {
  const [row] = s.rows('select id, invoice_id from document where number = ?', '2026-000006')
  const filled = path.replace('{id}', String(row?.id)).replace('{invoice}', String(row?.invoice_id))
  const [who, ...request] = filled.split(' ')
  return (await s.ask(who as Person, request.join(' '))).status
}
const LOOKS: [request: string, status: number, next: boolean][] = [
  ['ana GET /documents?invoiceId={invoice}', 200, true],
  ['ana GET /documents/{id}', 200, true],
  ['tom GET /documents/{id}/download-url', 409, true],
  // A list of all papers says of none that somebody waits for it, and neither does a stranger.
  ['ana GET /documents?kind=INVOICE', 200, false],
  ['tia GET /documents/{id}', 404, false],
  ['zoe GET /documents/{id}/download-url', 404, false],
]
describe('a paper that somebody opens in the night is drawn next', () => {
  for (const [request, status, next] of LOOKS)
    test(request, async () => {
      const s = await stage({ given: letting({ startDate: '2026-03-10' }) })
      while ((await renderDocuments(s.deps)) > 0);
      s.advance(200)
      await s.work()
      const order: string[] = []
      const pdf: Pdf = {
        ...s.deps.pdf,
        threads: 1,
        render: async (_template, data) => {
          order.push(data.number)
          if (order.length === 1) expect(await looking(request)(s)).toBe(status)
          return new TextEncoder().encode(`%PDF ${data.number}`)
        },
      }
      while ((await renderDocuments({ ...s.deps, pdf })) > 0);
      const night = [2, 3, 4, 5, 6, 7].map((n) => `2026-00000${n}`)
      expect(order).toEqual(
        next
          ? ['2026-000002', '2026-000006', ...night.filter((n) => n !== '2026-000002' && n !== '2026-000006')]
          : night,
      )
    })
  test('one that failed keeps its time', async () => {
    const s = await stage(out)
    const poison = { ...s.deps, pdf: { ...s.deps.pdf, render: failing(new Error('no glyphs')) } }
    await renderDocuments(poison)
    const [row] = s.rows('select id from document')
    await s.ask('ana', `GET /documents/${row?.id}`)
    expect(await renderDocuments(poison)).toBe(0)
    expect(state(s)).toMatchObject({ attempts: 1 })
  })
})

test('as many papers at a time as there are drawing threads, none twice', async () => {
  const s = await stage({ given: letting({ startDate: '2026-03-10' }) })
  s.advance(200)
  await s.work()
  const order: string[] = []
  let inHand = 0
  let most = 0
  const pdf: Pdf = {
    ...s.deps.pdf,
    threads: 3,
    render: async (_template, data) => {
      inHand += 1
      most = Math.max(most, inHand)
      order.push(data.number)
      await Bun.sleep(5)
      inHand -= 1
      return new TextEncoder().encode(`%PDF ${data.number}`)
    },
  }
  while ((await renderDocuments({ ...s.deps, pdf })) > 0);
  expect(most).toBe(3)
  expect(new Set(order).size).toBe(order.length)
  expect(s.rows("select count(*) n from document where status <> 'READY'")).toEqual([{ n: 0 }])
})
