import { parseArgs } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { openStore } from '../db/open.ts'
import { StoreError } from '../db/store-error.ts'
import manifest from '../package.json' with { type: 'json' }
import { forgetKeys } from './adapters/identity/embedded/rows/keys.ts'
import { keycloakRealm } from './adapters/identity/keycloak/realm.ts'
import { createApp } from './app.ts'
import { beginDemo, demoText, keepDemo } from './commands/demo.ts'
import { secondFolder } from './commands/folders.ts'
import { exportFile, importFile } from './commands/transfer.ts'
import { UsageError } from './commands/usage.ts'
import { createUser, dropSecondFactor, resetPassword } from './commands/user.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { buildDeps, type Running } from './deps.ts'
import { AppError } from './errors.ts'
import { askPeer, setPeer } from './http/edge.ts'
import { SENTENCES } from './http/messages.ts'
import { recoverWork, startSchedule } from './jobs/schedule.ts'
import { renewMasterKey } from './keys.ts'
import { buffered, createLog } from './log.ts'
import { openApiDocument } from './openapi.ts'

const HELP = `loyer ${manifest.version}: property rental and management from one binary

  loyer serve      run the service
  loyer demo       run a sandbox with sample data in ./loyer-demo
  loyer migrate    bring the database up to date and stop
  loyer user create --phone +237677000000 --role OWNER --first-name A --last-name B [--org ID] [--org-name NAME] [--password P]
                   make an account; without --password one is made and printed
  loyer user password --phone +237677000000 [--password P]
                   set a new password for somebody who is locked out, while the service is stopped
  loyer user second-factor --phone +237677000000 --off
                   take the second sign-in step off somebody who lost it, while the service is stopped
  loyer export FILE.zip [--org ID]
                   pack all of an organization, identity papers too, while the service is stopped
  loyer import FILE.zip [--operator]
                   bring an organization's export in; people then set a new password by phone; --operator makes it the
                   operator's, on a server that has no organization yet
  loyer keys new   make another master key when the old one is lost or known to others: everybody signs in again
  loyer openapi    print the OpenAPI document
  loyer keycloak-realm
                   print the realm for a Keycloak to import; it holds AUTH_ADMIN_CLIENT_SECRET where that is set

  --config FILE    read settings from FILE (lines KEY=value)
  --help, --version

Settings are environment variables: PORT, HOST, PUBLIC_URL, LOYER_DATA, LOYER_MODE, AUTH_URL and more, see the README.`

const options = {
  config: { type: 'string' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
  phone: { type: 'string' },
  role: { type: 'string', multiple: true },
  org: { type: 'string' },
  operator: { type: 'boolean' },
  'org-name': { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  password: { type: 'string' },
  off: { type: 'boolean' },
} as const

const print = (text: string): void => void process.stdout.write(`${text}\n`)
const complain = (text: string): void => void process.stderr.write(`${text}\n`)
const log = createLog(
  buffered((line) => void process.stdout.write(line)),
  Date.now,
)
/** After SIGTERM: how long requests in flight may take, how long the jobs beside them, and all of it. */
const REQUESTS_MS = 5_000
const JOBS_MS = 8_000
const DRAIN_MS = 10_000

type Listening = { readonly port: number; readonly stop: () => Promise<void> }
type Fetch = (request: Request) => Response | Promise<Response>

/** Listens with the runtime's own server: Bun, or Deno. */
function listen(config: Config, fetch: Fetch): Listening {
  const failed = (e: unknown): Response => {
    log.error('server.failed', e)
    return new Response(
      '{"type":"urn:loyer:problem:internal","title":"Internal Server Error","status":500,"code":"internal"}',
      { status: 500, headers: { 'content-type': 'application/problem+json; charset=utf-8' } },
    )
  }
  if (typeof Bun !== 'undefined') {
    const server = Bun.serve({
      port: config.port,
      hostname: config.host,
      maxRequestBodySize: 21 * 1024 * 1024,
      idleTimeout: 30,
      fetch: (request) => fetch(request),
      error: failed,
    })
    askPeer((request) => server.requestIP(request)?.address ?? '')
    return {
      port: server.port ?? config.port,
      async stop() {
        const slow = setTimeout(() => void server.stop(true), REQUESTS_MS)
        await server.stop()
        clearTimeout(slow)
      },
    }
  }
  const { Deno } = globalThis as unknown as { Deno: DenoServe }
  const cut = new AbortController()
  const server = Deno.serve(
    { port: config.port, hostname: config.host, signal: cut.signal, onListen: () => {}, onError: failed },
    (request, info) => {
      setPeer(request, info.remoteAddr.hostname)
      return fetch(request)
    },
  )
  return {
    port: server.addr.port,
    async stop() {
      const slow = setTimeout(() => cut.abort(), REQUESTS_MS)
      await Promise.race([server.shutdown(), server.finished])
      clearTimeout(slow)
    },
  }
}
type DenoServe = {
  serve: (
    options: {
      port: number
      hostname: string
      signal: AbortSignal
      onListen: () => void
      onError: (e: unknown) => Response
    },
    handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Response | Promise<Response>,
  ) => { addr: { port: number }; finished: Promise<void>; shutdown: () => Promise<void> }
}

/** Runs until SIGTERM, SIGINT or SIGHUP: requests in flight and the jobs in hand end side by side, then the database. */
async function run(
  config: Config,
  started: (running: Running, port: number) => Promise<void> | void,
  prepare?: (running: Running) => Promise<void>,
): Promise<void> {
  // A closed pipe at the other end of the log must not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('unhandledRejection', (e) => log.error('process.unhandled_rejection', e))
  process.on('uncaughtException', (e) => log.error('process.uncaught_exception', e))
  const running = await buildDeps(config, log)
  await recoverWork(running.deps)
  await prepare?.(running)
  const app = createApp(running.deps, manifest.version)
  let server: Listening
  try {
    server = listen(config, running.deps.observer.observed(app.fetch))
  } catch (e) {
    await running.close()
    if (e instanceof Error && 'code' in e && (e.code === 'EADDRNOTAVAIL' || e.code === 'ENOTFOUND'))
      throw new ConfigError([`HOST: this machine has no address ${config.host}`])
    throw new StoreError(
      75,
      `Cannot listen on ${config.host}:${config.port}: ${e instanceof Error ? e.message : String(e)} Choose another PORT.`,
    )
  }
  let schedule: ReturnType<typeof startSchedule> | undefined
  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info('server.stopping', { signal })
    const late = setTimeout(() => process.exit(1), DRAIN_MS)
    running.stop()
    const jobs = schedule?.then((started) => started.stop())
    // A job that does not come to its end is taken up again at the next start, as after a crash.
    await Promise.race([Promise.all([server.stop(), jobs]), new Promise((late) => setTimeout(late, JOBS_MS))])
    await running.close()
    clearTimeout(late)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal))
  log.info('server.listening', {
    host: config.host,
    port: server.port,
    mode: config.sandbox ? 'sandbox' : 'production',
    version: manifest.version,
    folder: config.dataDir,
  })
  if (config.sandbox)
    log.warn('server.sandbox', { detail: 'Anyone who reaches this server can get tokens: never put real data here.' })
  else if (config.messaging.vendor === 'log')
    log.warn('server.no_vendor', { detail: 'MESSAGING is log: codes and news are sent to nobody.' })
  // Who starts a service waits for its first answer, not for its first round of jobs.
  await new Promise((resolve) => setTimeout(resolve, 100))
  if (stopping) return
  schedule = startSchedule(running.deps)
  await schedule
  await started(running, server.port)
}

async function main(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true })
  const command = /^(im|ex)port$/.test(positionals[0] ?? '') ? positionals[0] : positionals.join(' ')
  const settings = (defaults: Parameters<typeof loadConfig>[1] = {}) =>
    loadConfig(process.env, { ...defaults, file: values.config })
  /** Settings of a command that works with the data folder. */
  const settingsOfFolder = () => {
    const config = settings()
    const notice = secondFolder(config)
    if (notice) complain(notice)
    return config
  }
  if (values.version) return print(manifest.version)
  if (values.help || command === '' || command === 'help') return print(HELP)
  switch (command) {
    case 'serve': {
      const config = settingsOfFolder()
      return run(
        config,
        () => {},
        async () => keepDemo(config),
      )
    }
    case 'demo': {
      const config = settings({ defaults: { LOYER_MODE: 'sandbox', LOYER_DATA: 'loyer-demo' } })
      beginDemo(config)
      const { DEMO_PASSWORD, DEMO_USERS, seedDemo } = await import('../db/seed.ts')
      return run(
        config,
        () => print(demoText(config, DEMO_USERS, DEMO_PASSWORD)),
        (running) => seedDemo(running.deps).then(() => keepDemo(config)),
      )
    }
    case 'migrate': {
      const { databaseFile } = settingsOfFolder()
      const store = openStore(databaseFile)
      await store.close()
      return print(`${databaseFile} is up to date.`)
    }
    case 'keys new': {
      const { databaseFile, dataDir } = settingsOfFolder()
      const store = openStore(databaseFile)
      const file = renewMasterKey(dataDir)
      await store.write(null, forgetKeys)
      await store.close()
      return print(
        `${file} is new: everybody signs in again, authenticator apps are set up again, and webhook secrets have changed.`,
      )
    }
    case 'import':
      return print(await importFile(settingsOfFolder, positionals.slice(1), values.operator ?? false))
    case 'export':
      return print(await exportFile(settingsOfFolder, positionals.slice(1), values.org))
    case 'user create':
      return print(await createUser(settingsOfFolder(), values))
    case 'user password':
      return print(await resetPassword(settingsOfFolder(), values))
    case 'user second-factor':
      return print(await dropSecondFactor(settingsOfFolder(), values))
    case 'openapi':
      return print(JSON.stringify(await openApiDocument(settings()), null, 2))
    case 'keycloak-realm':
      return print(JSON.stringify(keycloakRealm(settings()), null, 2))
    default:
      throw new UsageError(`There is no command "${command}".`)
  }
}
try {
  // The binary's importing thread is this very program: a second copy of its code would be 3 MB.
  if (isMainThread) await main(process.argv.slice(2))
  else await import('./adapters/imports/worker.ts')
} catch (e) {
  if (e instanceof ConfigError) {
    for (const problem of e.problems) complain(problem)
    process.exit(78)
  }
  if (e instanceof StoreError) {
    complain(e.message)
    process.exit(e.exitCode)
  }
  if (e instanceof AppError) {
    const members = e.details.errors ?? []
    for (const { path, message } of members) complain(`${path.replace('/', '--')}: ${message.en}`)
    if (members.length === 0) complain(e.text?.en ?? SENTENCES[e.code].en)
    process.exit(1)
  }
  complain(e instanceof Error ? e.message : String(e))
  if (e instanceof UsageError || (e instanceof TypeError && 'code' in e)) complain(`\n${HELP}`)
  process.exit(e instanceof UsageError ? 64 : 1)
}
