// Old entries of the trail move into a signed file: what is in the file leaves, nothing else, and never before the file is safe.
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { flattenedVerify, importJWK } from 'jose'
import { diskBlobs } from '../../../../src/adapters/blobs/disk.ts'
import { makeFile, pruneTrail } from '../../../../src/features/data/audit/jobs.ts'
import { createTestApp, ORG, uuid } from '../../../support/app.ts'

type App = ReturnType<typeof createTestApp>
type Archive = {
  id: string
  before: string
  entries: number
  sha256: string
  signature: string
  previousSha256?: string
}
const ADA = 'ADMIN.ada'
const ARCHIVES = '/api/v1/admin/audit/archives'
const OTHER = uuid('elsewhere')

async function started() {
  const t = createTestApp()
  for (const who of [ADA, 'MANAGER.mia', 'OWNER.ana', 'TENANT.tom', 'ADMIN.zed~elsewhere'])
    await t.call(who, 'GET /api/v1/me')
  return t
}
let made = 0
/** Entries of an organization on a day. */
function entries(t: App, day: string, n: number, org = ORG): string[] {
  const insert = t.store.client.prepare(
    `insert into audit_entry (id, org_id, actor, action, subject_type, subject_id, request_id, created_at)
     values (?, ?, 'system', 'lease.check', 'booking', ?, 'r', ?)`,
  )
  return Array.from({ length: n }, () => {
    made += 1
    const id = uuid(`entry ${made}`)
    insert.run(id, org, uuid('booking'), `${day}T10:00:00.000Z`)
    return id
  })
}
const archive = (t: App, before: string, who = ADA, headers = {}) =>
  t.call<Archive & { code: string; errors: { path: string }[] }>(who, `POST ${ARCHIVES}`, { before }, headers)
async function fetched(t: App, id: string): Promise<Buffer> {
  const { body } = await t.call<{ url: string }>(ADA, `GET ${ARCHIVES}/${id}/download-url`)
  const answer = await t.app.handle(new Request(body.url))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip'])
  return Buffer.from(await answer.arrayBuffer())
}
const lines = (file: Buffer) =>
  gunzipSync(file)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
async function pruned(t: App): Promise<number> {
  let all = 0
  for (let n = await pruneTrail(t.deps); n > 0; n = await pruneTrail(t.deps)) all += n
  return all
}
const idsIn = (t: App, org = ORG) =>
  t.rows('select id from audit_entry where org_id = ? order by id', org).map((r) => r.id)

test('the file holds every old entry once, is signed, and names the one before', async () => {
  const t = await started()
  const old = entries(t, '2024-06-01', 1203)
  const young = entries(t, '2025-01-01', 3)
  const first = await archive(t, '2025-01-01')
  expect(first.status).toBe(201)
  expect(first.headers.get('location')).toBe(`${ARCHIVES}/${first.body.id}`)
  const file = await fetched(t, first.body.id)
  expect(createHash('sha256').update(file).digest('hex')).toBe(first.body.sha256)
  const [head, ...rest] = lines(file)
  expect(head).toEqual({
    format: 'loyer-audit-archive',
    id: first.body.id,
    organizationId: ORG,
    before: '2025-01-01',
    previousSha256: null,
  })
  expect(rest.at(-1)).toEqual({ entries: 1203 })
  expect(
    rest
      .slice(0, -1)
      .map((e) => e.id)
      .toSorted(),
  ).toEqual(old.toSorted())
  expect(first.body).toMatchObject({ before: '2025-01-01', entries: 1203 })
  expect(first.body).not.toHaveProperty('previousSha256')

  const [protectedHeader = '', , signature = ''] = first.body.signature.split('.')
  const verify = (payload: string) =>
    flattenedVerify(
      { protected: protectedHeader, payload: Buffer.from(payload).toString('base64url'), signature },
      (h) => importJWK(h?.jwk ?? {}, 'EdDSA'),
    )
  expect((await verify(first.body.sha256)).protectedHeader).toMatchObject({ alg: 'EdDSA', jwk: { crv: 'Ed25519' } })
  await expect(verify(first.body.sha256.replace(/^./, (c) => (c === '0' ? '1' : '0')))).rejects.toThrow()

  expect(await pruned(t)).toBe(1203)
  for (const id of young) expect(idsIn(t)).toContain(id)
  for (const id of old) expect(idsIn(t)).not.toContain(id)
  const second = await archive(t, '2025-03-10')
  expect([second.status, second.body.entries, second.body.previousSha256]).toEqual([201, 3, first.body.sha256])
  const again = lines(await fetched(t, second.body.id))
  expect(again[0]).toMatchObject({ previousSha256: first.body.sha256 })
  const [before] = first.body.signature.split('.')
  expect(second.body.signature.split('.')[0]).toBe(before)
  const list = await t.call<Archive[]>(ADA, `GET ${ARCHIVES}`)
  expect(list.body.map((a) => a.id)).toEqual([second.body.id, first.body.id])
  expect((await t.call(ADA, `GET ${ARCHIVES}/${first.body.id}`)).body as unknown).toEqual(first.body)
})

test('one line of the trail tells of it, one of each download', async () => {
  const t = await started()
  entries(t, '2024-06-01', 2)
  const { body } = await archive(t, '2025-01-01')
  await fetched(t, body.id)
  await pruned(t)
  const told = t.rows("select action, details from audit_entry where subject_type = 'audit_archive' order by rowid")
  expect(told.map((r) => r.action)).toEqual(['audit.archive', 'audit.archive_download'])
  expect(JSON.parse(String(told[0]?.details))).toEqual({ before: '2025-01-01', entries: 2, sha256: body.sha256 })
})

test.each([
  ['younger than twelve months', '2025-03-11'],
  ['today', '2026-03-10'],
  ['no date', 'gestern'],
])('%s is refused at /before, and nothing is kept', async (_what, before) => {
  const t = await started()
  entries(t, '2025-03-10', 2)
  const { status, body } = await archive(t, before)
  expect([status, body.errors?.[0]?.path]).toEqual([422, '/before'])
  expect(t.rows('select 1 from audit_archive')).toEqual([])
})

test.each(['MANAGER.mia', 'OWNER.ana', 'TENANT.tom'])('%s may not', async (who) => {
  const t = await started()
  entries(t, '2024-06-01', 1)
  const { body } = await archive(t, '2025-01-01')
  expect((await archive(t, '2025-01-01', who)).status).toBe(403)
  for (const path of ['', `/${body.id}`, `/${body.id}/download-url`])
    expect((await t.call(who, `GET ${ARCHIVES}${path}`)).status).toBe(403)
})

test("another organization's entries stay, and its ADMIN sees no archive of this one", async () => {
  const t = await started()
  entries(t, '2024-06-01', 2)
  const theirs = entries(t, '2024-06-01', 2, OTHER)
  const { body } = await archive(t, '2025-01-01')
  await pruned(t)
  expect(idsIn(t, OTHER)).toEqual(expect.arrayContaining(theirs))
  const zed = 'ADMIN.zed~elsewhere'
  expect((await t.call(zed, `GET ${ARCHIVES}`)).body as unknown).toEqual([])
  for (const path of [body.id, `${body.id}/download-url`])
    expect((await t.call(zed, `GET ${ARCHIVES}/${path}`)).status).toBe(404)
  for (const { id } of lines(await fetched(t, body.id))) expect(theirs).not.toContain(String(id))
})

test('twice the same: the second finds nothing; under one Idempotency-Key it is one archive and one file', async () => {
  const t = await started()
  entries(t, '2024-06-01', 2)
  const key = { 'idempotency-key': 'once' }
  const first = await archive(t, '2025-01-01', ADA, key)
  const busy = await archive(t, '2025-01-01')
  expect([busy.status, busy.body.code]).toEqual([409, 'already_running'])
  await pruned(t)
  const replayed = await archive(t, '2025-01-01', ADA, key)
  expect([replayed.status, replayed.body.id]).toEqual([201, first.body.id])
  const second = await archive(t, '2025-01-01')
  expect([second.status, second.body.code]).toEqual([409, 'invalid_state'])
  expect(t.rows('select 1 from audit_archive')).toHaveLength(1)
  await fetched(t, first.body.id)
})

test('two at once: one becomes an archive', async () => {
  const t = await started()
  const old = entries(t, '2024-06-01', 700)
  const both = await Promise.all([archive(t, '2025-01-01'), archive(t, '2025-01-01', 'ADMIN.bea')])
  expect(both.map((a) => a.status).toSorted()).toEqual([201, 409])
  expect(await pruned(t)).toBe(old.length)
})

describe('no entry leaves', () => {
  test.each([
    [
      'while the file is incomplete',
      async (t: App, { id, sha256 }: Archive) => {
        await t.deps.blobs.remove(id)
        await (await t.deps.blobs.receive(new Uint8Array(10), 100)).keep(`${id}.${sha256}`)
      },
    ],
    ['while the file is gone', async (t: App, { id }: Archive) => t.deps.blobs.remove(id)],
  ] as const)('%s', async (_what, spoil) => {
    const t = await started()
    const old = entries(t, '2024-06-01', 2)
    const { body } = await archive(t, '2025-01-01')
    await spoil(t, body)
    expect(await pruned(t)).toBe(0)
    expect(idsIn(t)).toEqual(expect.arrayContaining(old))
  })
  test('where the archive could not be entered, and its file goes', async () => {
    const t = await started()
    const old = entries(t, '2024-06-01', 2)
    t.store.client.exec("create trigger full before insert on audit_archive begin select raise(abort, 'x'); end")
    expect((await archive(t, '2025-01-01')).status).toBeGreaterThanOrEqual(500)
    expect(await pruned(t)).toBe(0)
    expect(idsIn(t)).toEqual(expect.arrayContaining(old))
  })
  test('that came after the file, whatever its time', async () => {
    const t = await started()
    entries(t, '2024-06-01', 2)
    const { body } = await archive(t, '2025-01-01')
    const late = entries(t, '2024-06-02', 1)
    expect(await pruned(t)).toBe(2)
    expect(idsIn(t)).toEqual(expect.arrayContaining(late))
    expect(lines(await fetched(t, body.id)).map((l) => l.id)).not.toContain(late[0])
  })
  test('by hand, but those of an archive whose entries are leaving', async () => {
    const t = await started()
    entries(t, '2024-06-01', 2)
    const remove = (where: string) => t.store.client.prepare(`delete from audit_entry where ${where}`).run()
    expect(() => remove("created_at < '2025'")).toThrow('append-only')
    await archive(t, '2025-01-01')
    expect(() => remove("created_at > '2025'")).toThrow('append-only')
    await pruned(t)
    entries(t, '2024-06-01', 1)
    expect(() => remove("created_at < '2025'")).toThrow('append-only')
    expect(() => t.store.client.exec('delete from audit_archive')).toThrow('stay')
    expect(() => t.store.client.exec("update audit_archive set before_day = '2030-01-01'")).toThrow('stay')
  })
})

test('a process that died in the middle goes on: 500 a write, until none is left', async () => {
  const t = await started()
  const old = entries(t, '2024-06-01', 1100)
  const { body } = await archive(t, '2025-01-01')
  const counts = [await pruneTrail(t.deps)]
  // Another process finds the rest; a write that failed leaves what it would have removed.
  const broken = { ...t.deps, write: () => Promise.reject(new Error('died')) }
  await expect(pruneTrail(broken)).rejects.toThrow('died')
  expect(idsIn(t).filter((id) => old.includes(String(id)))).toHaveLength(600)
  for (let i = 0; i < 3; i++) counts.push(await pruneTrail(t.deps))
  expect(counts).toEqual([500, 500, 100, 0])
  expect(lines(await fetched(t, body.id))).toHaveLength(1102)
})

test('on a nearly full disk an archive is stored, as it makes room; uploads are not, and on a full one neither is', async () => {
  const t = await started()
  entries(t, '2024-06-01', 3)
  const GIB = 1024 ** 3
  const on = (free: number) => diskBlobs(t.mediaFolder, { free: () => Promise.resolve({ free, total: 100 * GIB }) })
  const made = (free: number) => makeFile({ ...t.deps, blobs: on(free) }, ORG, '2025-01-01')
  expect(await made(GIB / 4)).toMatchObject({ entries: 3 })
  const little = { code: 'storage_unavailable' }
  await expect(on(GIB / 4).receive(new Uint8Array(9), 9)).rejects.toMatchObject(little)
  await expect(made(GIB / 64)).rejects.toMatchObject(little)
})
