// Reports, exports and archives of the trail outside the serving thread: the same bytes and refusals, and what becomes of one that is given up.
import { afterAll, describe, expect, test } from 'bun:test'
import { EventEmitter } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { unzipSync } from 'fflate'
import { openStore } from '../../db/open.ts'
import type { LongReads } from '../../src/adapters/reads/port.ts'
import { createLongReads } from '../../src/adapters/reads/thread.ts'
import type { Caller } from '../../src/context.ts'
import { makeFile } from '../../src/features/data/audit/jobs.ts'
import { type ExportTask, runExports } from '../../src/features/data/exports/jobs.ts'
import { createTestApp, ORG, type TestApp, uuid } from '../support/app.ts'
import { sha256 } from '../support/files.ts'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { world } from '../support/world.ts'

afterAll(cleaner())
const NAMES = [
  'rent-roll',
  'arrears',
  'collection',
  'occupancy',
  'tva-journal',
  'owner-statement',
  'owner-account',
  'profit-loss',
]
const here = () => Promise.reject(new Error('made in the service itself'))

/** The app's data in a file, and the thread that reads it. */
function beside(t: TestApp, start?: () => Worker) {
  const dataDir = temporaryFolder('reads')
  const file = join(dataDir, 'loyer.db')
  writeFileSync(file, t.store.client.serialize())
  const store = openStore(file)
  const longReads = createLongReads(store, { dataDir, files: undefined }, start)
  return {
    store,
    dataDir,
    longReads,
    kept() {
      const media = join(dataDir, 'media')
      // A read that is given up early makes no folder.
      return Object.entries(existsSync(media) ? contents(media) : {}).map(([name, hash]) => ({ name, hash }))
    },
    async end() {
      await longReads.close()
      await store.close()
      // Each connection is closed, so that the file holds everything.
      expect(existsSync(`${file}-wal`)).toBe(false)
    },
  }
}
async function bytesOf(t: TestApp, who: string, path: string, coding: string) {
  const request = new Request(`http://localhost/api/v1/reports/${path}`, {
    headers: { authorization: `Bearer ${who}`, 'accept-encoding': coding },
  })
  const answer = await t.app.handle(request)
  const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id')
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (answer.status === 200) return { status: 200, headers, body: sha256(bytes) }
  const { requestId: _, ...problem } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>
  return { status: answer.status, headers, body: problem }
}

test('every report in every format has the bytes, the headers and the refusals that the service itself gives', async () => {
  const t = createTestApp()
  const w = await world(t)
  const asked = NAMES.flatMap((name) => [
    ...['json', 'csv', 'xlsx', 'pdf'].map((format) => `${name}?format=${format}&locale=en`),
    `${name}?propertyId=${w.properties.PUBLISHED}`,
    `${name}?propertyId=01900000-0000-7000-8000-000000000000`,
  ])
  const all = () =>
    Promise.all(
      [w.as.ana, w.as.ada].map(async (who) => {
        const found = []
        for (const path of asked)
          for (const coding of ['identity', 'gzip']) found.push([path, coding, await bytesOf(t, who, path, coding)])
        return found
      }),
    )
  // An organization of a few units needs no thread.
  Object.assign(t.deps, { longReads: { ...t.deps.longReads, run: here } })
  const inService = await all()
  t.store.client.prepare("update row_count set n = 1001 where kind = 'unit'").run()
  const other = beside(t)
  Object.assign(t.deps, {
    longReads: {
      ...other.longReads,
      run: (...[read, , s]: Parameters<typeof other.longReads.run>) => other.longReads.run(read, here, s),
    },
  })
  const inThread = await all()
  expect(inThread).toEqual(inService)
  const statuses = inThread.flat().map(([, , answer]) => (answer as { status: number }).status)
  expect([...new Set(statuses)].sort()).toEqual([200, 404])
  await other.end()
})

/** A world whose app leaves its exports to the thread. */
async function exporting() {
  const t = createTestApp()
  const w = await world(t)
  const made = await t.call<{ id: string }>(w.as.ana, 'POST /api/v1/exports', {})
  const other = beside(t)
  const caller: Caller = {
    userId: w.userIds.ana,
    orgId: ORG,
    roles: ['OWNER'],
    scope: { kind: 'owner', userId: w.userIds.ana },
  }
  const given: ExportTask = { id: made.body.id, caller, nowMs: t.time.now }
  return { t, w, id: made.body.id, other, given }
}

test('an export is written by the thread, and kept under its checksum', async () => {
  const { t, w, id, other } = await exporting()
  Object.assign(t.deps, { longReads: other.longReads })
  await runExports(t.deps)
  const { body } = await t.call(w.as.ana, `GET /api/v1/exports/${id}`)
  const [{ name, hash } = {}, ...more] = other.kept()
  expect([body.status, body.sha256, more]).toEqual(['SUCCEEDED', hash, []])
  const bytes = new Uint8Array(readFileSync(join(other.dataDir, 'media', String(name))))
  expect([body.sizeBytes, Object.keys(unzipSync(bytes)).includes('data/invoice.json')]).toEqual([bytes.length, true])
  await other.end()
})

test('an archive of the trail is written by the thread, with the same lines; none where no entry is that old', async () => {
  const t = createTestApp()
  const insert = t.store.client.prepare(
    `insert into audit_entry (id, org_id, actor, action, subject_type, subject_id, request_id, created_at)
     values (?, ?, 'system', 'lease.check', 'booking', 'b', 'r', '2024-06-01T10:00:00.000Z')`,
  )
  for (let i = 0; i < 1203; i++) insert.run(`entry ${i}`, ORG)
  const other = beside(t)
  const run: LongReads['run'] = (read, _here, stopping) => other.longReads.run(read, here, stopping)
  const deps = { ...t.deps, longReads: { ...other.longReads, run }, newId: () => uuid('archive') }
  const inThread = await makeFile(deps, ORG, '2025-01-01')
  expect(inThread).toMatchObject({ entries: 1203, lastRow: 1203 })
  expect(inThread).toEqual(await makeFile({ ...deps, longReads: t.deps.longReads }, ORG, '2025-01-01'))
  const kept = other.kept()
  const name = expect.stringContaining(`${uuid('archive')}.${inThread?.sha256}`)
  expect(kept).toEqual([{ name, hash: inThread?.sha256 ?? '' }])

  expect(await makeFile(deps, ORG, '2024-01-01')).toBeUndefined()
  const stopped = makeFile({ ...deps, newId: () => uuid('another'), stopping: AbortSignal.abort() }, ORG, '2025-01-01')
  await expect(stopped).rejects.toThrow()
  expect(other.kept()).toEqual(kept)
  await other.end()
})

describe('what is given up leaves no file', () => {
  test('by a service that stops: its export waits for the next start', async () => {
    const { t, w, id, other } = await exporting()
    const stopping = new AbortController()
    Object.assign(t.deps, { longReads: other.longReads, stopping: stopping.signal })
    const running = runExports(t.deps)
    await Bun.sleep(1)
    stopping.abort()
    await running
    expect([(await t.call(w.as.ana, `GET /api/v1/exports/${id}`)).body.status, other.kept()]).toEqual(['QUEUED', []])
    await other.end()
  })

  test('by the end: it is not answered later, and nothing begins any more', async () => {
    const { other, given } = await exporting()
    const running = other.longReads.run({ kind: 'export', task: given }, here).then(
      () => 'made',
      (e: Error) => e.message,
    )
    await other.longReads.close()
    expect([await running, other.kept()]).toEqual(['overloaded', []])
    expect(other.longReads.run({ kind: 'export', task: given }, here)).rejects.toMatchObject({ code: 'overloaded' })
    await other.end()
  })
})

test('a thread that ends fails what it had in hand, and the next read gets another', async () => {
  const threads: EventEmitter[] = []
  const asked: { id: number }[] = []
  const start = () => {
    const thread = Object.assign(new EventEmitter(), {
      ref: () => {},
      unref: () => {},
      terminate: async () => 0,
      postMessage(message: { id: number } | 'finish') {
        if (message === 'finish') thread.emit('message', message)
        else asked.push(message)
      },
    })
    threads.push(thread)
    return thread as unknown as Worker
  }
  const other = beside(createTestApp(), start)
  const run = () => other.longReads.run({ kind: 'report', task: {} }, here).then(String, (e: Error) => String(e.cause))
  const lost = [run(), run()]
  await Bun.sleep(1)
  threads[0]?.emit('exit', 9)
  expect(await Promise.all(lost)).toEqual(Array(2).fill('Error: the thread of long reads ended with 9'))
  const next = run()
  await Bun.sleep(1)
  threads[1]?.emit('message', { id: asked.at(-1)?.id, result: 'a report' })
  expect([await next, threads.length]).toEqual(['a report', 2])
  await other.end()
})
