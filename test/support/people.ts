import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { buildDeps } from '../../src/deps.ts'
import { addUser } from '../../src/features/people/account/service.ts'
import { setPeer } from '../../src/http/gate.ts'
import { type Log, silentLog } from '../../src/log.ts'

type Json = Record<string, unknown>
export type Told = { readonly status: number; readonly body: Json; readonly headers: Headers }

/** The service as it starts, with its own sign-in provider and files, for what strangers and account holders do. */
export async function createPeopleApp(env: Record<string, string> = {}, log: Log = silentLog) {
  const folder = mkdtempSync(join(tmpdir(), 'loyer-people-'))
  const config = loadConfig({ LOYER_DATA: folder, LOYER_MODE: 'sandbox', RATE_LIMITS: 'off', ...env })
  const { deps, close } = await buildDeps(config, log)
  const app = createApp(deps)
  const observed = deps.observer.observed((request) => app.handle(request))
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
  /** A request as it is, from an address. */
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
