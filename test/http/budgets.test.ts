// What one person may take of what all share: changes, files, papers on request, turns, and the last of the disk.
import { expect, test } from 'bun:test'
import { createRoom } from '../../src/adapters/blobs/room.ts'
import { createApp } from '../../src/app.ts'
import type { Caller } from '../../src/context.ts'
import { FILES, WRITES } from '../../src/core/budgets.ts'
import { dueDocuments } from '../../src/features/papers/documents/store.ts'
import { quotaPassed } from '../../src/features/papers/media/rules.ts'
import { createSpending } from '../../src/http/limits.ts'
import { createTestApp, ORG, uuid } from '../support/app.ts'
import { world } from '../support/world.ts'

const GIB = 2 ** 30
const PATCH = new Request('http://localhost/api/v1/me', { method: 'PATCH' })
const caller = (kind: 'tenant' | 'owner', name: string, org = 'o'): Caller => ({
  userId: name,
  orgId: org,
  roles: [kind === 'tenant' ? 'TENANT' : 'OWNER'],
  scope: { kind, userId: name },
})
const { config, store } = createTestApp({ config: { rateLimits: true } }).deps

test('a tenant has the changes of a day, a landlord more, and neither spends those of others', () => {
  const spend = createSpending({ config, store })
  for (let i = 0; i < WRITES.tenant.changes; i++) spend(PATCH, caller('tenant', 'tom'), 100)
  expect(() => spend(PATCH, caller('tenant', 'tom'), 100)).toThrow('as much today as one person may')
  expect(() => spend(PATCH, caller('tenant', 'tia'), 100)).not.toThrow()
  for (let i = 0; i < 10_000; i++) spend(PATCH, caller('owner', 'ana'), 300)
})

test('bytes count too, and an organization has a budget that its people share', () => {
  const spend = createSpending({ config, store })
  const large = WRITES.tenant.bytes / 2
  for (let i = 0; i < 2; i++) spend(PATCH, caller('tenant', 'tom'), large)
  expect(() => spend(PATCH, caller('tenant', 'tom'), large)).toThrow('as much today as one person may')
  const most = WRITES.organization.bytes / WRITES.landlord.bytes
  for (let i = 1; i <= most; i++) spend(PATCH, caller('owner', `o${i}`, 'full'), WRITES.landlord.bytes)
  expect(() => spend(PATCH, caller('owner', 'last', 'full'), 1000)).toThrow('Your organization')
  expect(() => spend(PATCH, caller('owner', 'other', 'else'), 1000)).not.toThrow()
})

test('a refusal is a 429 that says when to go on, and leaves no line of the audit trail', async () => {
  const t = createTestApp({ config: { rateLimits: true } })
  let answer = await t.call('TENANT.tom', 'PATCH /api/v1/me', { firstName: 'Tom' })
  expect(answer.status).toBe(200)
  const lines = () => Number(t.rows('select count(*) n from audit_entry')[0]?.n)
  const before = lines()
  for (let i = 0; i < 50 && answer.status !== 429; i++)
    answer = await t.call('TENANT.tom', 'PATCH /api/v1/me', { firstName: 'Tom' }, { 'content-length': '60000' })
  expect([answer.status, answer.body.code]).toEqual([429, 'too_many_requests'])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
  expect(lines()).toBe(before)
  expect((await t.call('TENANT.tom', 'GET /api/v1/me')).status).toBe(200)
})

test.each([
  ['tenant', { ownObjects: FILES.tenant.objects }, 1, 'Your files are at their most: 60 files'],
  ['tenant', { ownBytes: FILES.tenant.bytes }, 1, 'Your files are at their most'],
  ['tenant', { pending: FILES.tenant.pending }, 1, '50 uploads open'],
  ['tenant', { bytes: FILES.tenant.bytes * 2, objects: 300 }, 1, undefined],
  ['owner', { ownBytes: FILES.owner.bytes }, 1, 'Your files are at their most'],
  ['owner', { ownBytes: FILES.tenant.bytes, ownObjects: 100 }, 1, undefined],
  ['all', { ownBytes: FILES.owner.bytes, bytes: FILES.owner.bytes }, 1, undefined],
  ['all', { bytes: FILES.organization.bytes }, 1, 'The files of your organization are at their most'],
  ['all', { objects: FILES.organization.objects }, 1, 'The files of your organization are at their most'],
] as const)('files of a %s who has %p', (sees, has, size, sentence) => {
  const usage = { objects: 0, bytes: 0, ownObjects: 0, ownBytes: 0, pending: 0, ...has }
  const said = quotaPassed(sees, usage, size)?.en
  if (sentence === undefined) expect(said).toBeUndefined()
  else expect(said).toContain(sentence)
})

test("a tenant fills their own share and nobody else's; what is deleted comes back", async () => {
  const t = createTestApp()
  const announce = (who: string) =>
    t.call<{ id: string }>(who, 'POST /api/v1/media', {
      ownerType: 'USER',
      ownerId: uuid(`${who.split('.')[1]}~organization`),
      kind: 'DOCUMENT',
      filename: 'a.pdf',
      contentType: 'application/pdf',
      sizeBytes: 1000,
    })
  for (const who of ['TENANT.tom', 'TENANT.tia']) await t.call(who, 'GET /api/v1/me')
  const ids: string[] = []
  for (let i = 0; i < FILES.tenant.pending; i++) ids.push((await announce('TENANT.tom')).body.id)
  const refused = await announce('TENANT.tom')
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'quota_exceeded' }])
  expect((await announce('TENANT.tia')).status).toBe(201)
  await t.call('TENANT.tom', `DELETE /api/v1/media/${ids[0]}`)
  expect((await announce('TENANT.tom')).status).toBe(201)
})

test('of papers on request one caller has two in hand; another is not held up', async () => {
  const t = createTestApp()
  const preview = (who: string) => t.call(who, 'POST /api/v1/lease-templates/HOME/preview', {})
  for (const who of ['OWNER.ana', 'OWNER.eve']) await t.call(who, 'GET /api/v1/me')
  const [a, b, c, d] = await Promise.all(['OWNER.ana', 'OWNER.ana', 'OWNER.ana', 'OWNER.eve'].map(preview))
  expect([a?.status, b?.status, c?.status, d?.status]).toEqual([200, 200, 429, 200])
  expect(c?.headers.get('retry-after')).toBe('3')
  expect((await preview('OWNER.ana')).status).toBe(200)
}, 60_000)

test('papers are drawn by turns of organizations', async () => {
  const t = createTestApp()
  await world(t)
  await world(t, 'neighbour')
  const orgs: string[] = []
  let last = ''
  for (let i = 0; i < 4; i++) {
    const [due] = dueDocuments(t.deps.db, t.clock.wall(), last, 1)
    if (!due) break
    orgs.push(due.orgId)
    last = due.orgId
    t.store.client.prepare('update document set render_at = null where id = ?').run(due.id)
  }
  expect(new Set(orgs).size).toBe(2)
  expect(orgs[0]).toBe(String(orgs[2]))
  expect(orgs[1]).toBe(String(orgs[3]))
  expect(orgs).toContain(ORG)
})

test('on a full disk what grows is refused with a sentence; payments, reads and deletions go on', async () => {
  const t = createTestApp()
  const w = await world(t)
  const full = createApp({ ...t.deps, room: { isLow: () => true, look: async () => {} } })
  const ask = (who: string, line: string, body?: object) => {
    const [method = 'GET', path = '/'] = line.split(' ')
    const headers = { authorization: `Bearer ${who}`, 'content-type': 'application/json' }
    return full.handle(
      new Request(`http://localhost${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
    )
  }
  for (const [line, body] of [
    ['POST /api/v1/properties', { name: 'Tour', addressLine: 'Rue', city: 'Kribi' }],
    ['POST /api/v1/imports', { kind: 'properties', csv: 'a' }],
    ['POST /api/v1/exports', {}],
    ['PATCH /api/v1/me', { firstName: 'Ana' }],
  ] as const) {
    const answer = await ask(w.as.mia, line, body)
    expect(`${line} ${answer.status}`).toBe(`${line} 503`)
    expect(await answer.text()).toContain('nearly full')
  }
  const before = t.rows('select count(*) n from payment')[0]?.n
  const invoice = t.rows("select id from invoice where status in ('ISSUED','OVERDUE','DUE') limit 1")[0]?.id
  const paid = await ask(w.as.mia, `POST /api/v1/invoices/${invoice}/payments`, {
    amount: 1,
    method: 'CASH',
    paidOn: '2026-03-10',
  })
  expect(`${paid.status} ${await paid.text()}`).toStartWith('201')
  expect(Number(t.rows('select count(*) n from payment')[0]?.n)).toBe(Number(before) + 1)
  expect((await ask(w.as.mia, 'GET /api/v1/properties')).status).toBe(200)
  // Whoever misuses an account is kept out, whatever the disk.
  const disabled = await ask(w.as.ada, `PATCH /api/v1/admin/users/${w.userIds.tia}`, { status: 'DISABLED' })
  expect(await disabled.text()).not.toContain('nearly full')
})

test('the disk is looked at every few seconds, never for each request; one that tells nothing is not full', async () => {
  let at = 0
  let looked = 0
  let free = 2 * GIB
  const room = createRoom(
    '',
    async () => ({ free, total: 10 * GIB }),
    () => at,
  )
  const slow = createRoom('', () => Promise.reject(new Error('gone')))
  const isLow = async () => {
    room.isLow()
    await Promise.resolve()
    await Promise.resolve()
    await Promise.resolve()
    return room.isLow()
  }
  expect(await isLow()).toBe(false)
  free = GIB - 1
  expect(await isLow()).toBe(false)
  at += 5_000
  expect(await isLow()).toBe(true)
  free = 3 * GIB
  at += 5_000
  expect(await isLow()).toBe(false)
  await slow.look()
  expect(slow.isLow()).toBe(false)
  const counted = createRoom(
    '',
    async () => {
      looked += 1
      return { free: 0, total: 0 }
    },
    () => at,
  )
  for (let i = 0; i < 100; i++) counted.isLow()
  expect(looked).toBe(1)
})
