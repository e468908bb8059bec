// What a log must never hold: tokens, queries, bodies, numbers, passwords. And what each line must.
import { beforeEach, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { createObserver } from '../../src/http/observe.ts'
import { createLog } from '../../src/log.ts'
import { worldApp } from '../support/world.ts'

const { t, w } = await worldApp()
const lines: string[] = []
beforeEach(() => {
  lines.length = 0
})
const log = createLog((line) => lines.push(line), t.clock.wall)
const app = createApp({ ...t.deps, log })
const fetch = createObserver(log).observed(async (request) => await app.handle(request))

const CANARIES = {
  token: 'eyJhbGciOiJDQU5BUlkifQ.Q0FOQVJZ.Q0FOQVJZ',
  query: 'canaryquery',
  phone: '+237699887766',
  password: 'canary-Passw0rd',
  body: 'canarybody',
  key: 'canary-key-000',
  etag: 'canaryetag',
  cookie: 'canarycookie',
}
let turn = 0
const send = (line: string, as: string | undefined, body?: unknown) => {
  const [method = '', path = ''] = line.split(' ')
  return fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(as ? { authorization: `Bearer ${as}` } : {}),
        'content-type': 'application/json',
        'idempotency-key': `${CANARIES.key}${turn++}`,
        'if-none-match': `"${CANARIES.etag}"`,
        cookie: `session=${CANARIES.cookie}`,
        'x-forwarded-for': CANARIES.query,
        'user-agent': CANARIES.body,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
}

test('no canary sings, and every request has its line', async () => {
  const { phone, password, body, query, token } = CANARIES
  const sent: [line: string, as: string | undefined, body?: unknown][] = [
    ['GET /api/v1/me', w.as.ana],
    ['GET /api/v1/me', token],
    [`GET /api/v1/me?access_token=${token}`, undefined],
    [`GET /api/v1/properties?q=${query}`, w.as.ana],
    [`GET /api/v1/properties?limit=${query}`, w.as.ana],
    ['POST /api/v1/tenants', w.as.ana, { fullName: body, phoneNumber: phone }],
    ['POST /api/v1/tenants', w.as.ana, { fullName: body, phoneNumber: phone, password }],
    ['POST /api/v1/tenants', w.as.ana, `{"fullName":"${body}"`],
    ['POST /api/v1/tenants', w.as.tom, { fullName: body }],
    ['POST /api/v1/registration/complete', undefined, { ticket: token, password, firstName: body }],
    [
      'POST /api/v1/account/password-reset/complete',
      undefined,
      { challengeId: token, code: '123456', newPassword: password },
    ],
    [`POST /webhooks/smsvendor/dlr?token=${token}`, undefined, { to: phone }],
    [`GET /api/v1/sandbox/messages?to=${encodeURIComponent(phone)}`, undefined],
    [`GET /media-files/x?sig=${token}`, undefined],
    [`GET /i/${token}?lang=en`, undefined],
    [`GET /i/${token}/invoice.pdf`, undefined],
    [`GET /r/${token}?lang=en`, undefined],
    [`GET /r/${token}/lease.pdf`, undefined],
    [`GET /a/${token}?lang=en`, undefined],
    [`POST /a/${token}/stop`, undefined],
    [`GET /u/${token}?lang=en`, undefined],
    [`POST /u/${token}/password`, undefined, `code=${password}`],
  ]
  for (const [line, as, given] of sent) await send(line, as, given)
  // A fault that carries the row along.
  t.store.client.exec('alter table tenant rename to tenant_gone')
  expect(
    (await send('POST /api/v1/tenants', w.as.ana, { fullName: body, phoneNumber: phone, idNumber: password })).status,
  ).toBe(500)
  t.store.client.exec('alter table tenant_gone rename to tenant')

  const all = lines.join('')
  for (const [name, canary] of Object.entries(CANARIES)) expect([name, all.includes(canary)]).toEqual([name, false])
  expect(all).not.toContain(encodeURIComponent(phone))
  const seen = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const requests = seen.filter(({ event }) => event === 'request')
  expect(requests).toHaveLength(sent.length + 1)
  for (const line of requests) {
    expect(Object.keys(line)).toEqual(
      expect.arrayContaining(['time', 'level', 'requestId', 'method', 'path', 'status', 'ms']),
    )
    expect(String(line.path)).not.toContain('?')
  }
  expect(requests[0]).toMatchObject({
    method: 'GET',
    path: '/api/v1/me',
    status: 200,
    userId: w.userIds.ana,
    orgId: w.orgId,
  })
  expect(seen.some(({ level, event }) => level === 'error' && event === 'request.failed')).toBe(true)
})

test('a line stays one line, whatever the path', async () => {
  for (const path of ['/api/v1/%0A%0D{"level":"error"}', `/${'x'.repeat(5_000)}`, '/%F0%9F%98%80', '/"\\'])
    await send(`GET ${path}`, w.as.ana)
  expect(lines).toHaveLength(4)
  for (const line of lines) {
    expect(line.indexOf('\n')).toBe(line.length - 1)
    expect(line.length).toBeLessThan(700)
    JSON.parse(line)
  }
})

test('a delivery-report callback that is switched off is no fault: no error, no stack', async () => {
  const answer = await send('POST /webhooks/smsvendor/dlr', undefined, {})
  expect(answer.status).toBe(503)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"level":"info"')
  expect(lines.join()).not.toMatch(/"error"|stack|\.ts:/)
})

test('a code that nobody can send is told in one line, without a stack', async () => {
  const mute = createApp({ ...t.deps, log, messenger: { ...t.deps.messenger, mute: true } })
  const answer = await createObserver(log).observed(async (request) => await mute.handle(request))(
    new Request('http://localhost/api/v1/registration/otp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phoneNumber: CANARIES.phone }),
    }),
  )
  expect([answer.status, (await answer.json()).code]).toEqual([503, 'delivery_unavailable'])
  const told = lines.map((line) => JSON.parse(line))
  expect(told.map(({ level, event }) => [level, event])).toEqual([
    ['warn', 'request.refused'],
    ['info', 'request'],
  ])
  expect(told[0]).toMatchObject({ code: 'delivery_unavailable', detail: expect.stringContaining('WhatsApp') })
  expect(lines.join()).not.toMatch(/stack|\.ts:|699887766/)
})

test('a terminal gets lines to read, and a level leaves out what is below it', () => {
  const written: string[] = []
  const at = () => Date.parse('2026-03-10T08:00:05.000Z')
  const terminal = createLog((line) => written.push(line), at, { level: 'warn', text: true })
  terminal.info('server.listening', { port: 3000 })
  terminal.warn('clock.set_back', { detail: 'an hour, "or so"', port: undefined })
  terminal.error('job.failed', new Error('no reply from +237677123456'))
  expect(written[0]).toBe('08:00:05 warn  clock.set_back detail="an hour, \\"or so\\""\n')
  expect(written[1]).toStartWith('08:00:05 error job.failed error="Error: no reply from •••" stack=')
  expect(written).toHaveLength(2)
})
