// Where the product's own address leads, and the page of a sandbox that lets people in by one press.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { addUser } from '../../../../src/features/people/accounts/account.ts'
import { createPeopleApp, type PeopleApp } from '../../../support/people.ts'

const HOST = 'http://localhost:3000'
const BROWSER = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'en-GB' }
const FORM = { ...BROWSER, 'content-type': 'application/x-www-form-urlencoded', origin: HOST }
let sandbox: PeopleApp
let production: PeopleApp
const ids: Record<string, string> = {}
beforeAll(async () => {
  sandbox = await createPeopleApp()
  production = await createPeopleApp({ LOYER_MODE: 'production' })
  ids.owner = sandbox.owner.userId
  for (const [name, phone, roles] of [
    ['tenant', '+237677000004', ['TENANT']],
    ['both', '+237677000005', ['TENANT', 'OWNER']],
  ] as const)
    ids[name] = (await addUser(sandbox.deps, { phone, roles, firstName: name, lastName: '<b>' })).userId
  const other = await addUser(sandbox.deps, {
    phone: '+237677000006',
    roles: ['ADMIN'],
    orgId: '01985f3a-7c00-7000-8000-00000000beef',
    orgName: 'Autre',
  })
  ids.elsewhere = other.userId
})
afterAll(() => Promise.all([sandbox.close(), production.close()]))

const get = (app: PeopleApp, path: string, headers: Record<string, string> = {}) =>
  app.send(new Request(HOST + path, { headers: { ...BROWSER, ...headers } }))
const press = (person: string, headers: Record<string, string> = FORM) =>
  sandbox.send(new Request(`${HOST}/demo`, { method: 'POST', headers, body: new URLSearchParams({ person }) }))
const cookieOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
const leadsTo = (answer: Response) => [answer.status, answer.headers.get('location')]

test('without a session it leads to sign-in, in a sandbox to its people', async () => {
  expect(leadsTo(await get(production, '/'))).toEqual([302, '/console'])
  expect(leadsTo(await get(sandbox, '/'))).toEqual([302, '/demo'])
  expect(leadsTo(await get(sandbox, '/', { cookie: 'loyer_session=made-up' }))).toEqual([302, '/demo'])
  expect((await get(sandbox, '/')).headers.get('cache-control')).toBe('no-store')
})

test('opened under another host, it leads to PUBLIC_URL', async () => {
  for (const path of ['/', '/demo?lang=fr', '/setup'])
    expect(leadsTo(await get(sandbox, path, { host: '127.0.0.1:3000' }))).toEqual([302, HOST + path])
})

describe('one press', () => {
  test.each([
    ['owner', '/console'],
    ['tenant', '/portal'],
    ['both', '/console'],
  ])('as %s leads to %s, and so does the front page from then on', async (name, place) => {
    const answer = await press(ids[name] ?? '')
    expect(leadsTo(answer)).toEqual([303, place])
    expect(leadsTo(await get(sandbox, '/', { cookie: cookieOf(answer) }))).toEqual([302, place])
  })

  test('another press ends the session before', async () => {
    const first = cookieOf(await press(ids.owner ?? ''))
    const second = cookieOf(await press(ids.tenant ?? '', { ...FORM, cookie: first }))
    expect(leadsTo(await get(sandbox, '/', { cookie: first }))).toEqual([302, '/demo'])
    expect(leadsTo(await get(sandbox, '/', { cookie: second }))).toEqual([302, '/portal'])
  })

  test.each([
    ['somebody of another organization', 'elsewhere', FORM, 404],
    ['nobody', 'nobody', FORM, 404],
    ['a form of another site', 'owner', { ...FORM, origin: 'https://elsewhere.example' }, 403],
    ['a body that is no form', 'owner', { ...FORM, 'content-type': 'text/plain' }, 415],
  ])('%s: a page, and no session', async (_what, name, headers, status) => {
    const answer = await press(ids[name] ?? name, headers)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

test('the page names people, roles and what each sees, in both languages', async () => {
  const [en, fr] = await Promise.all([get(sandbox, '/demo'), get(sandbox, '/demo?lang=fr')])
  const text = await en.text()
  expect(en.status).toBe(200)
  expect([...text.matchAll(/<strong>([^<]*)<\/strong> <em>([^<]*)</g)].map(([, ...who]) => who)).toEqual([
    ['+237677000001', 'Owner'],
    ['tenant &lt;b&gt;', 'Tenant'],
    ['both &lt;b&gt;', 'Owner'],
  ])
  expect(await fr.text()).toContain('Propriétaire')
  expect(en.headers.get('content-security-policy')).not.toContain('script-src')
})

test('where real people are, there is no such page', async () => {
  const form = { method: 'POST', headers: FORM, body: new URLSearchParams({ person: production.owner.userId }) }
  expect((await get(production, '/demo')).status).toBe(404)
  const answer = await production.send(new Request(`${HOST}/demo`, form))
  expect([answer.status >= 400, answer.headers.getSetCookie()]).toEqual([true, []])
})

test('the ways into the provider are closed to requests', async () => {
  for (const path of ['/realms/svc/inside', '/realms/svc/inside/x']) expect((await get(sandbox, path)).status).toBe(404)
})
