import { isDenied, StoreError } from '../../db/store-error.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { checkIssuer } from '../features/system/health/checks.ts'
import { buffered, createLog } from '../log.ts'
import { openLife } from './life.ts'
import { type Listening, listen } from './listen.ts'
import { type Demo, openLives } from './resets.ts'

/** After SIGTERM: timeout of the whole shutdown, ms. */
const DRAIN_MS = 10_000

type Steps = {
  /** Called before the first request is answered, and again after each reset of a demo. */
  readonly prepare: (deps: Deps) => Promise<void>
  /** Called once everything runs. */
  readonly started?: () => void
  readonly demo?: Demo
}

/** Runs until SIGTERM, SIGINT or SIGHUP: requests in flight and the jobs in hand end side by side, then the database. */
export async function run(config: Config, { prepare, started, demo }: Steps): Promise<void> {
  const { logLevel: level, logFormat } = config
  const log = createLog(
    buffered((line) => void process.stdout.write(line)),
    Date.now,
    { level, text: logFormat === undefined ? process.stdout.isTTY === true : logFormat === 'text' },
  )
  // A closed log pipe must not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('unhandledRejection', (e) => log.error('process.unhandled_rejection', e))
  process.on('uncaughtException', (e) => log.error('process.uncaught_exception', e))
  const lives = await openLives((reset) => openLife(config, log, prepare, reset), {
    log,
    limited: config.rateLimits,
    demo,
  })
  let server: Listening | undefined
  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info('server.stopping', { signal })
    const late = setTimeout(() => process.exit(1), DRAIN_MS)
    await lives.stop()
    await lives.current().end(server?.stop() ?? Promise.resolve())
    clearTimeout(late)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(signal))
  try {
    server = listen(config, log, lives.fetch)
  } catch (e) {
    if (stopping) return
    await lives.stop()
    await lives.current().end(Promise.resolve())
    if (e instanceof Error && 'code' in e && (e.code === 'EADDRNOTAVAIL' || e.code === 'ENOTFOUND'))
      // After a power cut the address may come later than the service.
      throw new StoreError(75, `HOST: this machine has no address ${config.host}`)
    if (isDenied(e))
      throw new StoreError(
        78,
        `PORT: this user may not listen on ${config.host}:${config.port}. Choose one from 1024 on; a service that is installed gets the right to this one from \`sudo loyer install\`.`,
      )
    throw new StoreError(
      75,
      `Cannot listen on ${config.host}:${config.port}: ${e instanceof Error ? e.message : String(e)} Choose another PORT.`,
    )
  }
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
    log.warn('server.no_vendor', { detail: 'MESSAGING is log: no codes or messages are sent.' })
  void checkIssuer(config).then(({ state, text }) => {
    if (state !== 'GOOD') log.warn('server.identity_provider', { detail: text.en })
  })
  // The first response comes before the first round of jobs, because people wait for it.
  await new Promise((resolve) => setTimeout(resolve, 100))
  if (stopping) return
  await lives.current().work()
  started?.()
}
