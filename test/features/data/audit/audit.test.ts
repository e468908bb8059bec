// The trail: who changed what, from which row to which, under which request; and `GET /me`, whose rows tokens make.
import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { createTestApp, ORG } from '../../../support/app.ts'
import { type Json, letting, type Person, premises, scenario, stage, userId } from '../../../support/scenario.ts'

const digest = (row: unknown): string => createHash('sha256').update(JSON.stringify(row)).digest('base64url')

test('an entry says who, what, the row before and after, and the request', async () => {
  const s = await stage({ given: premises() })
  const row = () => {
    const found = s.rows('select * from unit where label = ?', 'A1')[0] ?? {}
    const names: Json = {}
    for (const [k, v] of Object.entries(found)) names[k.replace(/_(\w)/g, (_, c: string) => c.toUpperCase())] = v
    return names
  }
  const before = row()
  await s.ask('mia', 'PATCH /units/{a1}', { bedrooms: 4 }, { 'x-request-id': 'request-0001' })
  const [entry] = (await s.t.call<Json[]>(s.wordOf('ada'), 'GET /api/v1/admin/audit?limit=1')).body
  expect(entry).toMatchObject({
    actorUserId: userId('mia'),
    actor: 'MANAGER',
    action: 'unit.update',
    subjectType: 'unit',
    subjectId: s.names.get('a1'),
    beforeDigest: digest(before),
    afterDigest: digest(row()),
    requestId: 'request-0001',
    createdAt: '2026-03-10T08:00:00.000Z',
  })
})

test('an entry names the members that changed, with their values; of numbers and names of persons only traces', async () => {
  const s = await stage({ given: letting() })
  const changes = async (who: Person, call: string, body: Json) => {
    expect(await s.ask(who, call, body)).toMatchObject({ status: 200 })
    const { body: entries } = await s.t.call<Json[]>(s.wordOf('ada'), 'GET /api/v1/admin/audit?limit=1')
    return entries[0]?.changes
  }
  expect(await changes('mia', 'PATCH /units/{a1}', { bedrooms: 4 })).toEqual([{ member: 'bedrooms', after: 4 }])
  const payTo = [{ method: 'MTN_MOMO', number: '+237677000001', holder: 'Ana' }]
  expect(await changes('ana', 'PATCH /properties/{villa}', { payTo })).toEqual([
    { member: 'payTo', after: [{ method: 'MTN_MOMO', number: '+237•••••••01', holder: 'Ana' }] },
  ])
  const paul = (await s.ask('ana', 'POST /tenants', { fullName: 'Paul Mbarga', phoneNumber: '+237677000002' })).body.id
  expect(await changes('ana', `PATCH /tenants/${paul}`, { fullName: 'Paul Atangana', niu: 'P0123456789X' })).toEqual([
    { member: 'fullName', before: 'P… M…', after: 'P… A…' },
    { member: 'niu', after: '••••••••••9X' },
  ])
  // What is created or deleted has no members that changed.
  const created = (await s.ask('ada', 'GET /admin/audit?action=unit.create&limit=1')).body[0] as Json
  expect(created).not.toHaveProperty('changes')
  const whole = JSON.stringify(s.rows('select changes from audit_entry'))
  for (const word of ['Atangana', 'Mbarga', 'P0123456789X', '677000001']) expect(whole).not.toContain(word)
})

test('what the service does by itself is told as such', async () => {
  const s = await stage({ given: letting() })
  const entries = (await s.t.call<Json[]>(s.wordOf('ada'), 'GET /api/v1/admin/audit?action=invoice.issue')).body
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({ actor: 'system', requestId: `billing-${s.names.get('lease')}` })
  expect(entries[0]?.actorUserId).toBeUndefined()
  expect(entries[0]?.beforeDigest).toBeUndefined()
})

scenario('administrators read it, by subject, actor and action; nobody writes it', { given: letting({}, 'DRAFT') }, [
  ['ada', 'GET /admin/audit?subjectId={lease}', undefined, 200, [{ action: 'booking.create', actorUserId: '{ana}' }]],
  ['ana', 'POST /bookings/{lease}/submit', {}, 200, {}, { audit: 'booking.submit' }],
  ['ana', 'POST /bookings/{lease}/submit', {}, 200, {}],
  ['ana', 'POST /bookings/{lease}/renew', {}, 409],
  [
    'ada',
    'GET /admin/audit?subjectId={lease}',
    undefined,
    200,
    [{ action: 'booking.submit' }, { action: 'booking.create' }],
  ],
  ['ada', 'GET /admin/audit?actorUserId={tom}', undefined, 200, [{ action: 'user.create' }]],
  ['ada', 'GET /admin/audit?action=property.publish', undefined, 200, [{ subjectId: '{villa}' }]],
  ['mia', 'GET /admin/audit', undefined, 403],
  ['ana', 'GET /admin/audit', undefined, 403],
])

test('the last day of the calendar bounds it as any other does', async () => {
  const s = await stage({ given: premises() })
  const all = (await s.ask('ada', 'GET /admin/audit')).body.length
  expect(all).toBeGreaterThan(0)
  for (const [days, count] of [
    ['to=9999-12-31', all],
    ['from=9999-12-31&to=9999-12-31', 0],
    ['from=0001-01-01&to=9999-12-30', all],
    ['to=0001-01-01', 0],
  ]) {
    const { status, body } = await s.ask('ada', `GET /admin/audit?${days}`)
    expect([days, status, body.length]).toEqual([days, 200, count])
  }
})

test('nobody can change it, not even in the database', async () => {
  const { store } = (await stage()).t
  expect(() => store.client.exec("update audit_entry set action = 'x'")).toThrow('append-only')
  expect(() => store.client.exec('delete from audit_entry')).toThrow('append-only')
})

test('the first sight of a token makes organization and user, once, however many come at a time', async () => {
  const t = createTestApp()
  const answers = await Promise.all(Array.from({ length: 20 }, () => t.call('OWNER.ana', 'GET /api/v1/me')))
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.body).toMatchObject({
    id: userId('ana'),
    subject: userId('ana'),
    orgId: ORG,
    username: 'ana',
    firstName: 'ana',
    phoneVerified: true,
    roles: ['OWNER'],
  })
  expect(t.rows('select action from audit_entry')).toEqual([
    { action: 'organization.create' },
    { action: 'user.create' },
  ])
})

scenario('one changes one’s own names, e-mail and language, and nothing else', {}, [
  [
    'tom',
    'PATCH /me',
    { firstName: 'Thomas', locale: 'en', email: 'tom@example.cm' },
    200,
    { firstName: 'Thomas', locale: 'en' },
    { audit: 'user.update' },
  ],
  ['tom', 'PATCH /me', { email: null }, 200, {}, { audit: 'user.update', lacks: ['email'] }],
  ['tom', 'PATCH /me', { email: 'no address' }, 422],
  ['tom', 'PATCH /me', { roles: ['ADMIN'] }, 422],
  ['tom', 'PATCH /me', { phoneNumber: '+237600000000' }, 422],
])
