// A clock that was wrong: what was made by it neither hangs nor stays valid until its time comes, and books stay.
import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { keepTime } from '../../src/features/system/health/jobs.ts'
import { recoverWork } from '../../src/jobs/schedule.ts'
import { PASSWORD } from '../support/oidc.ts'
import { ADA, createStaffApp, type StaffApp } from '../support/people.ts'

const NOW = Date.parse('2026-11-22T08:00:00.000Z')
const FUTURE = Date.parse('2100-01-01T08:00:00.000Z')
/** Everything that a time stands in which counts until it comes; ms and s as numbers, ISO dates as text. */
const TIMES = [
  'oidc_payload.expires_at',
  'signing_key.use_from',
  'challenge.expires_at',
  'registration_ticket.expires_at',
  'phone_undo.expires_at',
  'code_send.sent_at',
  'budget_day.day',
  'idempotency.created_at',
  'delivery_report.created_at',
  'second_factor_try.locked_until',
  'credential.locked_until',
  'known_place.wait_until',
  'known_place.last_at',
  'app_user.not_before',
  'app_user.admin_until',
  'recovery.expires_at',
  'job.run_at',
  'job.done_at',
  'outbound_message.next_at',
  'outbound_message.expires_at',
  'document.render_at',
  'letter.render_at',
  'media_object.purge_at',
  'export_run.purge_at',
  'webhook_endpoint.paused_until',
  'webhook_endpoint.rotated_at',
  'webhook_delivery.next_attempt_at',
  'webhook_delivery.tried_until',
  'rent_message.link_expires_at',
  'organization.reminded_on',
]
const unitOf = (column: string): number =>
  /budget_day/.test(column)
    ? 86_400_000
    : /^(oidc|signing|second_factor_try|credential|app_user)/.test(column)
      ? 1000
      : 1
let app: StaffApp
let people: Record<string, string>
let earlier: { token: string; challengeId: unknown; code: string; link: string }
const from = (n: number) => ({ from: `10.77.0.${n}` })
const RESET = '/api/v1/account/password-reset'

/** Columns with a time more than 40 days ahead, and how many rows have one. */
function ahead(): string[] {
  const limit = Date.now() + 40 * 86_400_000
  return TIMES.filter((name) => {
    const [table, column] = name.split('.')
    const text = new Date(limit).toISOString()
    return app.rows(
      `select 1 from ${table} where (typeof(${column}) = 'text' and ${column} > ?) or (typeof(${column}) <> 'text' and ${column} > ?)`,
      text,
      limit / unitOf(name),
    ).length
  })
}

beforeEach(async () => {
  setSystemTime(new Date(FUTURE))
  app = await createStaffApp()
  people = { rose: app.newNumber(), new: app.newNumber() }
  const rose = String(people.rose)
  await app.invite(ADA, rose, ['OWNER'])
  await app.register(rose)
  for (let i = 0; i < 8; i++) await app.token(rose, 'faux')
  const { body } = await app.call(`POST ${RESET}/request`, { phoneNumber: rose }, from(1))
  const token = await app.token(ADA, PASSWORD)
  const link = app.deps.links.sign('GET', '/media', 'x', 900).url
  earlier = { token, challengeId: body.challengeId, code: app.lastCode(rose), link }
  // Work that a wrong clock put off; what is due in an hour by it is due in an hour.
  const put = (sql: string): unknown => app.deps.store.client.exec(sql)
  put(`insert into job(id, org_id, kind, source, payload, status, attempts, run_at) values
    ('in-an-hour', '${app.owner.orgId}', 'user.sessions', 'x', '{}', 'READY', 0, ${FUTURE + 3_600_000}),
    ('due', '${app.owner.orgId}', 'user.sessions', 'y', '{}', 'READY', 0, ${FUTURE - 1000})`)
  put(`update organization set reminded_on = '2100-01-01'`)
  put(`update app_user set not_before = ${FUTURE / 1000}`)
  put(`update credential set locked_until = ${FUTURE / 1000 + 600}`)
  put(`insert into budget_day values('password_strangers', 'z', ${(FUTURE / 86_400_000) | 0}, 50)`)
})
afterEach(async () => {
  await app.close()
  setSystemTime()
})

/** The clock is right again, and the service has seen it. */
async function righted(): Promise<void> {
  setSystemTime(new Date(NOW))
  await keepTime(app.deps)
}

test('by the wrong clock much lies ahead', async () => {
  setSystemTime(new Date(NOW))
  expect(ahead()).toEqual(
    expect.arrayContaining(['oidc_payload.expires_at', 'signing_key.use_from', 'challenge.expires_at', 'job.run_at']),
  )
})

test('once the clock is right, the next minute ends all of that, and says so; books and trail stay', async () => {
  setSystemTime(new Date(NOW))
  const kept = ['app_user', 'credential', 'organization', 'audit_entry', 'consent']
  const counts = () => kept.map((table) => app.rows(`select count(*) n from ${table}`)[0]?.n)
  const before = counts()
  expect((await app.call('GET /api/v1/me', undefined, { token: earlier.token })).status).toBe(200)
  await keepTime(app.deps)
  expect(ahead()).toEqual([])
  expect(counts()).toEqual(before)
  expect(app.deps.clock.wall()).toBeLessThan(NOW + 60_000)
  expect(app.rows(`select id, run_at - ${NOW} as late from job where id in ('due', 'in-an-hour') order by id`)).toEqual(
    [
      { id: 'due', late: expect.any(Number) },
      { id: 'in-an-hour', late: expect.any(Number) },
    ],
  )
  const [due, hour] = app.rows(`select run_at from job where id in ('due', 'in-an-hour') order by id`)
  expect(Number(due?.run_at) - NOW).toBeLessThan(60_000)
  expect(Math.abs(Number(hour?.run_at) - NOW - 3_600_000)).toBeLessThan(60_000)
})

test('token, code and link of that time open nothing', async () => {
  await righted()
  expect((await app.call('GET /api/v1/me', undefined, { token: earlier.token })).status).toBe(401)
  const { challengeId, code } = earlier
  const used = await app.call(`POST ${RESET}/complete`, { challengeId, code, newPassword: 'celle du voleur' }, from(1))
  expect([used.status, used.body.code]).toEqual([410, 'challenge_gone'])
  expect(app.deps.links.check('GET', earlier.link).kind).toBe('bad')
})

test('people sign in, are sent codes, sign up and change things at once: nothing waits for the year 2100', async () => {
  await righted()
  const rose = String(people.rose)
  const token = await app.token(rose, PASSWORD)
  expect((await app.call('GET /api/v1/me', undefined, { token })).status).toBe(200)
  const sent = app.inbox(rose).length
  expect((await app.call(`POST ${RESET}/request`, { phoneNumber: rose }, from(2))).status).toBe(202)
  expect(app.inbox(rose).length).toBe(sent + 1)
  await app.invite(ADA, String(people.new), ['OWNER'])
  expect((await app.register(String(people.new))).status).toBe(201)
  const [made] = app.rows('select id, created_at from app_user where phone_number = ?', String(people.new))
  expect(made?.created_at).toStartWith('2026-11-22')
  expect(String(made?.id) < '0200').toBe(true)
  await recoverWork(app.deps)
})

test('the minutes after that change nothing, and an hour back ends nothing', async () => {
  await righted()
  const token = await app.token(ADA, PASSWORD)
  await keepTime(app.deps)
  setSystemTime(new Date(NOW - 3_600_000))
  const before = app.deps.clock.wall()
  await keepTime(app.deps)
  expect(app.deps.clock.wall()).toBeGreaterThanOrEqual(before)
  expect((await app.call('GET /api/v1/me', undefined, { token })).status).toBe(200)
  setSystemTime(new Date(NOW))
})
