// Which numbers have an account in another organization: told of a few a day, however they are asked for.
import { expect, test } from 'bun:test'
import { ELSEWHERE } from '../../../../src/core/budgets.ts'
import { createTestApp, type TestApp, uuid } from '../../../support/app.ts'
import { bring, told } from '../../../support/imports.ts'

const theirs = (i: number) => `+23767${String(9_000_000 + i)}`
const free = (i: number) => `+23768${String(9_000_000 + i)}`

async function world() {
  const t = createTestApp()
  for (const who of ['OWNER.zoe~neighbour', 'OWNER.ana', 'OWNER.oto', 'MANAGER.mia', 'ADMIN.ada'])
    expect((await t.call(who, 'GET /api/v1/me')).status).toBe(200)
  const insert = t.store.client.prepare(
    `insert into app_user (id, org_id, subject, phone_number, phone_verified, roles, status, created_at, updated_at)
     select ?, org_id, ?, ?, 1, roles, 'ACTIVE', created_at, updated_at from app_user where org_id = ? limit 1`,
  )
  for (let i = 0; i < 2 * ELSEWHERE.organization; i++) {
    const id = crypto.randomUUID()
    insert.run(id, id, theirs(i), uuid('neighbour'))
  }
  return t
}
const enter = (t: TestApp, phoneNumber: string, who = 'OWNER.ana') =>
  t.call(who, 'POST /api/v1/tenants', { fullName: 'Une Personne', phoneNumber })
const codeOf = async (asked: Promise<{ status: number; body: Record<string, unknown> }>) => {
  const { status, body } = await asked
  return `${status} ${body.code ?? ''}`.trim()
}
async function spend(t: TestApp, n: number, who = 'OWNER.ana', from = 0): Promise<void> {
  for (let i = from; i < from + n; i++)
    expect(`${i} ${await codeOf(enter(t, theirs(i), who))}`).toBe(`${i} 409 member_elsewhere`)
}

test('after a day’s numbers every new one waits, with an account or without; other people and things do not', async () => {
  const t = await world()
  expect(await codeOf(enter(t, free(0)))).toBe('201')
  await spend(t, ELSEWHERE.person)
  const make = async (line: string, body: object) => (await t.call('OWNER.ana', line, body)).body.id
  const propertyId = await make('POST /api/v1/properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' })
  const unitId = await make(`POST /api/v1/properties/${propertyId}/units`, { label: 'A1' })
  const tenantId = await make('POST /api/v1/tenants', { fullName: 'Connue' })
  const before = t.rows('select count(*) n from tenant')
  const ways: [line: string, body: (phoneNumber: string) => object][] = [
    ['POST /api/v1/tenants', (phoneNumber) => ({ fullName: 'Une Personne', phoneNumber })],
    [`PATCH /api/v1/tenants/${tenantId}`, (phoneNumber) => ({ phoneNumber })],
    [
      'POST /api/v1/bookings',
      (tenantPhoneNumber) => ({ unitId, tenantPhoneNumber, startDate: '2027-01-01', rentAmount: 50_000 }),
    ],
  ]
  for (const [line, body] of ways)
    for (const number of [theirs(150), free(150)]) {
      const answer = await t.call('OWNER.ana', line, body(number))
      expect(`${line} ${number} ${answer.status}`).toBe(`${line} ${number} 429`)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  expect(t.rows('select count(*) n from tenant')).toEqual(before)
  expect(await codeOf(t.call('OWNER.ana', 'POST /api/v1/tenants', { fullName: 'Sans Numéro' }))).toBe('201')
  expect(await codeOf(enter(t, free(0)))).toBe('409 duplicate')
  expect(await codeOf(enter(t, free(1), 'MANAGER.mia'))).toBe('201')
  t.advance(1)
  expect(await codeOf(enter(t, free(2)))).toBe('201')
})

test('all at once learn no more than one after the other', async () => {
  const t = await world()
  const answers = await Promise.all(
    Array.from({ length: ELSEWHERE.person + 20 }, (_, i) => codeOf(enter(t, theirs(i)))),
  )
  expect(answers.filter((a) => a === '409 member_elsewhere')).toHaveLength(ELSEWHERE.person)
  expect(answers.filter((a) => a.startsWith('429'))).toHaveLength(20)
})

test('the people of an organization together are told of so many', async () => {
  const t = await world()
  const people = ['OWNER.ana', 'MANAGER.mia', 'ADMIN.ada', 'OWNER.oto']
  const each = ELSEWHERE.organization / people.length
  for (const [n, who] of people.entries()) await spend(t, each, who, n * each)
  expect(await codeOf(enter(t, free(3)))).toBe('429 too_many_requests')
})

test('a file of numbers tells of as many, then no more is read of it', async () => {
  const t = await world()
  const csv = ['fullName,phoneNumber', ...Array.from({ length: 60 }, (_, i) => `P${i},${theirs(i)}`)].join('\n')
  const run = await bring(t, { kind: 'tenants', csv, dryRun: true })
  expect(run).toMatchObject({ status: 'FAILED', problemCount: ELSEWHERE.person + 1 })
  expect(told(run).at(-1)).toContain('Too many of the numbers')
  const mixed = ['fullName,phoneNumber', `Libre,${free(5)}`, `Pris,${theirs(99)}`].join('\n')
  expect(await bring(t, { kind: 'tenants', csv: mixed, dryRun: true })).toMatchObject({
    status: 'FAILED',
    problemCount: 1,
  })
  expect(await codeOf(enter(t, free(4)))).toBe('429 too_many_requests')
  expect(t.rows("select count(*) n from tenant where full_name in ('Libre', 'Pris', 'P0')")).toEqual([{ n: 0 }])
})
