// The first moments of a service: its state and pages are there at once, and whatever comes first gets its true answer.
import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { growing, openLife } from '../src/commands/life.ts'
import { loadConfig } from '../src/config.ts'
import { addUser } from '../src/features/people/accounts/account.ts'
import { createRouteTable } from '../src/http/route-table.ts'
import { silentLog } from '../src/log.ts'
import { cleaner, temporaryFolder } from './support/folder.ts'

const machineTime = Date.now
afterAll(cleaner())
// A service replaces the clock of its process.
afterAll(() => {
  Date.now = machineTime
})

const ask = (fetch: (request: Request) => Response | Promise<Response>, line: string) => {
  const [method = 'GET', path = '/'] = line.split(' ')
  return fetch(new Request(`http://localhost${path}`, { method }))
}
/** A service that has answered nothing yet. */
async function newLife() {
  const config = loadConfig({ LOYER_DATA: join(temporaryFolder('life'), 'data'), LOYER_MODE: 'sandbox' })
  return openLife(config, silentLog, async (deps) => {
    await addUser(deps, { phone: '+237677000001', roles: ['ADMIN'], orgName: 'Agence', password: 'pignon sur rue' })
  })
}

describe.each([
  ['GET /readyz', 200],
  ['GET /api/v1/properties', 401],
  ['POST /api/v1/registration/complete', 422],
  ['OPTIONS /api/v1/bookings', 204],
  ['GET /api/v1/legal/versions', 200],
  ['GET /p/nothing', 404],
  ['POST /readyz', 401],
  ['GET /nothing', 401],
])('%s as the first request', (line, status) => {
  test('is answered as ever, also many at once', async () => {
    const life = await newLife()
    const first = await Promise.all(Array.from({ length: 5 }, () => ask(life.fetch, line)))
    expect(first.map((r) => r.status)).toEqual([status, status, status, status, status])
    expect((await ask(life.fetch, line)).status).toBe(status)
    if (line.startsWith('OPTIONS')) expect(first[0]?.headers.get('allow')).toContain('POST')
    await life.end(Promise.resolve())
  })
})

test('the document tells of all routes, also where it is asked for first', async () => {
  const life = await newLife()
  const { paths } = (await (await ask(life.fetch, 'GET /openapi.json')).json()) as { paths: object }
  expect(Object.keys(paths)).toContain('/api/v1/bookings/{id}/payments')
  expect(Object.keys(paths).length).toBeGreaterThan(150)
  await life.end(Promise.resolve())
})

test('what nobody asked for is there too once the jobs run', async () => {
  const life = await newLife()
  const before = await ask(life.fetch, 'GET /metrics')
  expect(before.status).toBe(200)
  await life.work()
  expect((await ask(life.fetch, 'GET /api/v1/properties')).status).toBe(401)
  const metrics = await (await ask(life.fetch, 'GET /metrics')).text()
  expect(metrics).toContain('route="/api/v1/properties"')
  expect(metrics).not.toContain('route="none"')
  await life.end(Promise.resolve())
})

test('features that could not be loaded are loaded again for the next request', async () => {
  let tries = 0
  const load = async () => {
    tries += 1
    if (tries < 3) throw new Error('EMFILE: too many open files')
  }
  const fetch = () => Promise.resolve(new Response('whole'))
  const life = growing({ fetch, routes: { ...createRouteTable(), routeOf: () => 'none' } }, load)
  const twins = await Promise.allSettled([1, 2].map(() => ask(life.fetch, 'GET /api/v1/properties')))
  expect(twins.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(tries).toBe(1)
  await expect(ask(life.fetch, 'GET /api/v1/properties')).rejects.toThrow('EMFILE')
  expect(await (await ask(life.fetch, 'GET /api/v1/properties')).text()).toBe('whole')
  await ask(life.fetch, 'GET /api/v1/properties')
  expect(tries).toBe(3)
})
