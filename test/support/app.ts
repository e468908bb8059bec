import { join } from 'node:path'
import Database from 'better-sqlite3'
import { attach } from '../../db/open.ts'
import { unzip } from '../../src/adapters/archive/unzip.ts'
import { zip } from '../../src/adapters/archive/zip.ts'
import { diskBlobs } from '../../src/adapters/blobs/disk.ts'
import { createLinks } from '../../src/adapters/blobs/links.ts'
import type { Claims } from '../../src/adapters/identity/verify.ts'
import { createImages } from '../../src/adapters/images/images.ts'
import type { Messenger, OutgoingMessage } from '../../src/adapters/messaging/port.ts'
import { createOutbound } from '../../src/adapters/outbound/outbound.ts'
import { createPdf } from '../../src/adapters/pdf/pool.ts'
import { createTables } from '../../src/adapters/tables/tables.ts'
import { createApp } from '../../src/app.ts'
import { listenToChanges } from '../../src/changes/record.ts'
import { listeners } from '../../src/changes/registry.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { createIdSource } from '../../src/context.ts'
import type { Role } from '../../src/core/roles.ts'
import type { Deps } from '../../src/deps.ts'
import { AppError } from '../../src/errors.ts'
import { billDueBookings } from '../../src/features/money/billing/jobs.ts'
import { repeatExpenses } from '../../src/features/money/expenses/jobs.ts'
import { markOverdueInvoices } from '../../src/features/money/invoices/jobs.ts'
import { resolveCaller } from '../../src/features/people/accounts/account.ts'
import { readLegal } from '../../src/features/people/legal/texts.ts'
import { createDispatcher } from '../../src/features/people/messages/jobs.ts'
import { createAccess } from '../../src/http/auth.ts'
import { createObserver } from '../../src/http/observe.ts'
import { handlers } from '../../src/jobs/registry.ts'
import { createWorker } from '../../src/jobs/worker.ts'
import { silentLog } from '../../src/log.ts'
import { expectDocumented } from './documented.ts'
import { temporaryFolder } from './folder.ts'

listenToChanges(listeners)
// Two folders deep, so that a test sees what would be written outside of it.
const mediaRoot = join(temporaryFolder('media'), 'files')
/** The drawing thread that all apps share; it starts with the first paper. */
const pdf = createPdf()
let apps = 0
const template = attach(new Database(':memory:')).client.serialize()

/** Fixed words make fixed UUIDs: `uuid('owner')` is the same in every test. */
export const uuid = (word: string): string => {
  const hex = new Bun.CryptoHasher('sha256').update(word).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
export const ORG = uuid('organization')

/** A test token spells its claims: `OWNER`, `TENANT.paul`, `MANAGER+OWNER.ana~otherorg`. */
export function claimsOf(word: string, wall: () => number): Claims {
  const match = /^([A-Z+]+)(?:\.([a-z0-9]+))?(?:~([a-z0-9]+))?$/.exec(word)
  if (!match) throw new AppError('unauthorized')
  const [, roles = '', name = roles.toLowerCase().replaceAll('+', ''), org = 'organization'] = match
  const iat = Math.floor(wall() / 1000)
  return {
    sub: uuid(`${name}~${org}`),
    orgId: uuid(org),
    roles: roles.split('+') as Role[],
    iat,
    exp: iat + 300,
    authTime: iat,
    username: name,
    phoneNumber: `+2376${String(Number.parseInt(uuid(name).slice(0, 7), 16))
      .padStart(8, '0')
      .slice(-8)}`,
    phoneVerified: true,
    givenName: name,
    familyName: 'Test',
  }
}

/** The body; of a stream of events its beginning, as it does not end. */
export async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return new TextDecoder().decode(value)
}

export type Answer<T = Record<string, unknown>> = {
  readonly status: number
  readonly body: T
  readonly headers: Headers
  readonly text: string
}

type Served = {
  readonly routes: readonly unknown[]
  readonly handle: (request: Request) => Promise<Response>
  readonly fetch: (request: Request) => Promise<Response>
}
export type TestApp = ReturnType<typeof createTestApp>
/** The whole app on a fresh in-memory database, with a clock that stands still until told. */
export function createTestApp(
  options: { config?: Partial<Config>; now?: string; file?: Uint8Array; newId?: () => string } = {},
) {
  const time = { now: Date.parse(options.now ?? '2026-03-10T08:00:00.000Z') }
  const clock = { now: () => time.now, wall: () => time.now }
  const config: Config = {
    ...loadConfig({ RATE_LIMITS: 'off', LOYER_MODE: 'sandbox' }),
    authUrl: 'https://id.example.cm',
    ...options.config,
  }
  const file = options.file ?? template
  const store = attach(new Database(Buffer.from(file)))
  const shared = {
    clock,
    newId: options.newId ?? createIdSource(clock.now),
    config,
    log: silentLog,
    masterKey: new Uint8Array(32),
    checkAnswers: true,
  }
  const sent: OutgoingMessage[] = []
  apps += 1
  const mediaFolder = join(mediaRoot, String(apps))
  const messenger: Messenger = {
    vendors: { WHATSAPP: 'test', SMS: 'test' },
    pausedMs: () => 0,
    async send(m) {
      sent.push(m)
      return { took: true, vendorMessageId: `test-${sent.length}` }
    },
  }
  const documents = diskBlobs(join(mediaFolder, 'documents'))
  const blobs = diskBlobs(mediaFolder)
  const links = createLinks(shared.masterKey, config.publicUrl, clock.wall)
  const base = { ...shared, store, db: store.db, write: store.write }
  const known = new Map<string, Claims>()
  const verifier = {
    cached: (token: string) => known.get(token),
    verify: async (token: string) => {
      const claims = known.get(token) ?? claimsOf(token, clock.wall)
      known.set(token, claims)
      return claims
    },
    forget: () => known.clear(),
  }
  const deps: Deps = {
    ...base,
    observer: createObserver(silentLog),
    legal: readLegal('/nowhere'),
    blobs,
    links,
    images: createImages(),
    checkDatabase: async () => [],
    stopping: new AbortController().signal,
    zip,
    unzip,
    tables: createTables(zip),
    documents,
    longReads: { run: (_read, here) => store.snapshot(here), close: async () => {} },
    pdf,
    messenger,
    outbound: createOutbound({ reach: config.webhookReach }),
    access: createAccess(verifier, resolveCaller({ ...base, messenger })),
  }
  /** Typed loosely: the full type has a member for each feature and makes the compiler too slow. */
  const app = createApp(deps) as unknown as Served
  const worker = createWorker(deps, handlers(deps))
  const dispatcher = createDispatcher(deps)
  /** Runs the scheduled work until nothing is left: jobs, then billing and overdue invoices. */
  const work = async (): Promise<void> => {
    do {
      await billDueBookings(deps)
      await markOverdueInvoices(deps)
      await repeatExpenses(deps)
      await dispatcher.drain()
    } while ((await worker.drain()) > 0)
  }
  /** One request in the process; a body that is a string goes as it is. */
  async function call<T = Record<string, unknown>>(
    as: string | undefined,
    line: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const [method = 'GET', path = '/'] = line.split(' ')
    const response = await app.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(as ? { authorization: `Bearer ${as}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
    const text = await textOf(response)
    expectDocumented(method, path, { status: response.status, headers: response.headers, text })
    return {
      status: response.status,
      text,
      headers: response.headers,
      body: (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined) as T,
    }
  }
  const advance = (days: number): void => {
    time.now += days * 86_400_000
  }
  const rows = (sql: string, ...args: unknown[]) => store.client.prepare(sql).all(...args) as Record<string, unknown>[]
  const dumps = new Map<string, { written: unknown; text: string }>()
  /** All rows of the tables as text. A write makes it read them again, also one that was rolled back. */
  const dump = (tables: readonly string[]): string => {
    const key = tables.join()
    const written = rows('select total_changes() n')[0]?.n
    const last = dumps.get(key)
    if (last && last.written === written) return last.text
    const text = JSON.stringify(tables.map((table) => [table, rows(`select * from ${table}`)]))
    dumps.set(key, { written, text })
    return text
  }
  return { ...deps, app, deps, call, time, advance, work, worker, rows, dump, sent, mediaFolder }
}
