import { afterAll, afterEach, beforeEach, setSystemTime } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { addUser } from '../../src/features/people/accounts/account.ts'
import { setPeer } from '../../src/http/request.ts'
import { handlers } from '../../src/jobs/registry.ts'
import { createWorker } from '../../src/jobs/worker.ts'
import { type Log, silentLog } from '../../src/log.ts'
import { buildDeps } from '../../src/wiring.ts'
import { PASSWORD, PHONE, type Realm } from './oidc.ts'

type Json = Record<string, unknown>
export type Told = { readonly status: number; readonly body: Json; readonly headers: Headers }

/** The service as it starts, with its own sign-in provider and files, for what strangers and account holders do. */
export async function createPeopleApp(env: Record<string, string> = {}, log: Log = silentLog) {
  const folder = mkdtempSync(join(tmpdir(), 'loyer-people-'))
  const config = loadConfig({ LOYER_DATA: folder, LOYER_MODE: 'sandbox', RATE_LIMITS: 'off', ...env })
  const { deps, close } = await buildDeps(config, log)
  const app = createApp(deps)
  const observed = deps.observer.observed((request) => app.handle(request), app.routeOf)
  const owner = await addUser(deps, {
    phone: '+237677000001',
    roles: ['OWNER'],
    orgName: 'Agence',
    password: 'pignon sur rue',
  })

  async function call(
    line: string,
    body?: unknown,
    options: { token?: string; from?: string; language?: string } = {},
  ): Promise<Told> {
    const [method = 'GET', path = '/'] = line.split(' ')
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(options.language === undefined ? {} : { 'accept-language': options.language }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const response = await send(request, options.from)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as Json }
  }
  const inbox = (to: string) =>
    deps.store.client
      .prepare('select purpose, text, code from message where recipient = ? order by id desc')
      .all(to) as { purpose: string; text: string; code: string | null }[]
  const lastCode = (to: string): string => inbox(to).find((m) => m.code !== null)?.code ?? ''
  const rows = (sql: string, ...args: unknown[]) => deps.store.client.prepare(sql).all(...args) as Json[]
  const token = async (username: string, password: string): Promise<string> =>
    String((await call('POST /api/v1/sandbox/token', { username, password })).body.access_token)
  /** Sends a request unchanged, from an address. */
  const send = (request: Request, address = '127.0.0.1'): Promise<Response> => {
    setPeer(request, address)
    return Promise.resolve(observed(request))
  }
  return {
    deps,
    send,
    /** Every method and path there is. */
    routes: () => app.routes.map(({ method, path }) => ({ method, path })),
    owner,
    call,
    inbox,
    lastCode,
    rows,
    token,
    async close() {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type PeopleApp = Awaited<ReturnType<typeof createPeopleApp>>

type Closing = { readonly close: () => Promise<void> }
/** A clock that moves only when the test moves it. */
function clockAtRest() {
  let ms = Date.parse('2026-03-10T08:00:00.000Z')
  const later = (seconds: number): void => {
    ms += seconds * 1000
    setSystemTime(new Date(ms))
  }
  return { later, now: () => ms }
}
/** An app with such a clock. Both end with the test file. */
export async function atRest<T extends Closing>(create: () => Promise<T>) {
  const clock = clockAtRest()
  clock.later(0)
  const app = await create()
  afterAll(async () => {
    await app.close()
    setSystemTime()
  })
  return { app, ...clock }
}
/** Such a clock, and before each test an app of its own. */
export function eachAtRest(create: () => Promise<Closing>) {
  const clock = clockAtRest()
  let app: Closing
  beforeEach(async () => {
    clock.later(0)
    app = await create()
  })
  afterEach(async () => {
    await app.close()
    setSystemTime()
  })
  return clock
}
/** The service and its sign-in provider, reached as over the network, with an owner who can sign in. */
export async function createRealm(env: Record<string, string> = {}) {
  const app = await createPeopleApp(env)
  const realm: Realm = { issuer: `${app.deps.config.publicUrl}/realms/svc`, fetch: app.send }
  await addUser(app.deps, { phone: PHONE, roles: ['OWNER'], password: PASSWORD })
  // The service's clock never goes back, so the clock of these tests must not either.
  afterAll(async () => {
    setSystemTime()
    await app.close()
  })
  return { app, realm }
}

/** Another code than this one. */
export const wrong = (code: string): string => (code === '000000' ? '000001' : '000000')

export const OTHER_ORG = '01985f3a-7c00-7000-8000-00000000beef'
/** Ada and Ali administer the organization, Mia manages it; Zoe administers another one. */
export const ADA = '+237677100001'
export const ALI = '+237677100002'
export const MIA = '+237677100003'
export const ZOE = '+237677100004'
export const USERS = '/api/v1/admin/users'

/** Two organizations with their administrators, on the real sign-in. */
export async function createStaffApp() {
  const app = await createPeopleApp()
  const ids: Record<string, string> = {}
  for (const [phone, roles, orgId] of [
    [ADA, ['ADMIN'], app.owner.orgId],
    [ALI, ['ADMIN', 'OWNER'], app.owner.orgId],
    [MIA, ['MANAGER'], app.owner.orgId],
    [ZOE, ['ADMIN'], OTHER_ORG],
  ] as const)
    ids[phone] = (await addUser(app.deps, { phone, roles, orgId, orgName: 'Autre', password: PASSWORD })).userId
  let next = 0
  /** Numbers of different neighbourhoods, so that the caps of one are not another's. */
  const newNumber = (): string => `+2376${String(60_000_000 + 13_457 * ++next).slice(0, 8)}`
  const newAddress = (): string => `10.2.${Math.floor(++next / 250)}.${next % 250}`
  const as = async (phone: string, line: string, body?: unknown): Promise<Told> =>
    app.call(line, body, { token: await app.token(phone, PASSWORD) })
  const invite = (by: string, phoneNumber: string, roles: string[], more = {}) =>
    as(by, `POST ${USERS}`, { phoneNumber, roles, ...more })
  async function register(phoneNumber: string): Promise<Told> {
    const { body } = await app.call('POST /api/v1/registration/otp', { phoneNumber }, { from: newAddress() })
    const given = await app.call('POST /api/v1/registration/otp/verify', {
      challengeId: body.challengeId,
      code: app.lastCode(phoneNumber),
    })
    return app.call('POST /api/v1/registration/complete', {
      ticket: given.body.ticket,
      firstName: 'Rose',
      lastName: 'Mbarga',
      password: PASSWORD,
      acceptedTermsVersion: '2026-11-23',
      acceptedPrivacyVersion: '2026-11-23',
    })
  }
  /** Asks for a reset; the challenge's id. */
  const reset = async (phoneNumber: string): Promise<unknown> =>
    (await app.call('POST /api/v1/account/password-reset/request', { phoneNumber }, { from: newAddress() })).body
      .challengeId
  const work = () => createWorker(app.deps, handlers(app.deps)).drain()
  return { ...app, ids, newNumber, as, invite, register, reset, work }
}
export type StaffApp = Awaited<ReturnType<typeof createStaffApp>>
