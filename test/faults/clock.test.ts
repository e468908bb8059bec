// A board without a battery for its clock: its first start is in another century.
import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { freePort, startServer } from '../support/server.ts'

afterAll(cleaner())
const YEAR_2100 = Date.parse('2100-01-01T08:00:00Z') - Date.now()

test('a first start in 2100, then the right clock: it says so, ends what was under way, and goes on', async () => {
  const data = temporaryFolder('clock')
  const CLOCK_FILE = join(data, '..', `${Date.now()}.clock`)
  const env = { CLOCK_FILE }
  const set = (ms: number) => writeFileSync(CLOCK_FILE, String(ms))
  const port = await freePort()
  const start = () => startServer({ data, port, env })
  set(YEAR_2100)
  const first = await start()
  const old = await first.token()
  const { status, body } = await first.call(old, 'POST /api/v1/properties', {
    name: 'Villa',
    addressLine: 'Rue Njo-Njo',
    city: 'Douala',
  })
  expect([status, String(body.createdAt).slice(0, 4)]).toEqual([201, '2100'])
  const kid = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
  await first.end('SIGTERM')

  set(0)
  const second = await start()
  const token = await second.token()
  expect(second.output()).toContain('clock.was_wrong')
  expect(kid(token)).not.toBe(kid(old))
  expect((await second.call(old, 'GET /api/v1/me')).status).toBe(401)
  expect((await second.call(token, `GET /api/v1/properties/${body.id}`)).status).toBe(200)
  const { status: made, body: property } = await second.call(token, 'POST /api/v1/properties', {
    name: 'Villa 2',
    addressLine: 'Rue Njo-Njo',
    city: 'Douala',
  })
  expect([made, String(property.createdAt).slice(0, 4)]).toEqual([201, new Date().toISOString().slice(0, 4)])

  // An hour back while it runs: nothing ends, and no time comes twice.
  set(-3_600_000)
  await Bun.sleep(300)
  const again = await second.token()
  expect((await second.call(again, 'GET /api/v1/me')).status).toBe(200)
  expect((await second.call(token, 'GET /api/v1/me')).status).toBe(200)
  const { body: later } = await second.call(again, 'POST /api/v1/properties', {
    name: 'Villa 3',
    addressLine: 'Rue Njo-Njo',
    city: 'Douala',
  })
  expect(String(later.createdAt) >= String(property.createdAt)).toBe(true)
  await second.end('SIGTERM')

  const third = await start()
  expect((await third.call(await third.token(), 'GET /api/v1/me')).status).toBe(200)
  expect(third.output()).not.toContain('clock.was_wrong')
  await third.end('SIGTERM')
}, 90_000)

test('set back while nothing runs: what had expired within the last minute before that stays expired', async () => {
  const data = temporaryFolder('expired')
  const CLOCK_FILE = join(data, '..', `${Date.now()}.expired`)
  const env = { CLOCK_FILE }
  const set = (ms: number) => writeFileSync(CLOCK_FILE, String(ms))
  const port = await freePort()
  const start = () => startServer({ data, port, env })
  set(0)
  const first = await start()
  const token = await first.token()
  expect((await first.call(token, 'GET /api/v1/me')).status).toBe(200)
  set(2 * 3_600_000)
  await Bun.sleep(300)
  expect((await first.call(token, 'GET /api/v1/me')).status).toBe(401)
  await first.end('SIGTERM')

  set(0)
  const second = await start()
  expect((await second.call(token, 'GET /api/v1/me')).status).toBe(401)
  expect((await second.call('', 'GET /readyz')).body).toEqual({ status: 'ready', clock: 'SET_BACK' })
  expect((await second.call(await second.token(), 'GET /api/v1/me')).status).toBe(200)
  expect(second.output()).not.toContain('clock.was_wrong')
  await second.end('SIGTERM')
}, 90_000)

const YEARS = 3 * 365 * 86_400_000
test('three years ahead in the middle of its life: nothing is billed by that, and the right clock ends it', async () => {
  const data = temporaryFolder('leap')
  const CLOCK_FILE = join(data, '..', `${Date.now()}.leap`)
  const env = { CLOCK_FILE }
  const set = (ms: number) => writeFileSync(CLOCK_FILE, String(ms))
  const port = await freePort()
  const start = () => startServer({ data, port, env })
  const invoices = async (server: Awaited<ReturnType<typeof start>>) =>
    (await server.call(await server.token('ADMIN'), 'GET /api/v1/invoices?count=true')).headers.get('x-total-count')
  set(0)
  const first = await start()
  // Killed at once: what time it was is known all the same.
  const billed = await invoices(first)
  expect((await first.call('', 'GET /readyz')).body).toEqual({ status: 'ready' })
  await first.end('SIGKILL')

  set(YEARS)
  const second = await start()
  // The billing clock runs every other second.
  await Bun.sleep(3000)
  expect((await second.call('', 'GET /readyz')).body).toEqual({ status: 'ready', clock: 'LEAPT' })
  expect(second.output()).toContain('clock.leapt')
  expect(await invoices(second)).toBe(billed)
  await second.end('SIGTERM')

  set(0)
  const third = await start()
  await Bun.sleep(3000)
  expect((await third.call('', 'GET /readyz')).body).toEqual({ status: 'ready' })
  expect([third.output().includes('clock.was_wrong'), await invoices(third)]).toEqual([true, billed])
  await third.end('SIGTERM')
}, 120_000)
