import { StoreError } from '../../db/store-error.ts'
import manifest from '../../package.json' with { type: 'json' }
import { createApp } from '../app.ts'
import { type Config, ConfigError } from '../config.ts'
import { buildDeps, type Running } from '../deps.ts'
import { recoverWork, startSchedule } from '../jobs/schedule.ts'
import { buffered, createLog } from '../log.ts'
import { type Listening, listen } from './listen.ts'

const log = createLog(
  buffered((line) => void process.stdout.write(line)),
  Date.now,
)
/** After SIGTERM: timeout of running jobs, and of the whole shutdown, ms. */
const JOBS_MS = 8_000
const DRAIN_MS = 10_000

type Steps = {
  /** Called before the first request is answered. */
  readonly prepare: (running: Running) => Promise<void>
  /** Called once everything runs. */
  readonly started?: () => void
}

/** Runs until SIGTERM, SIGINT or SIGHUP: requests in flight and the jobs in hand end side by side, then the database. */
export async function run(config: Config, { prepare, started }: Steps): Promise<void> {
  // A closed log pipe must not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('unhandledRejection', (e) => log.error('process.unhandled_rejection', e))
  process.on('uncaughtException', (e) => log.error('process.uncaught_exception', e))
  const running = await buildDeps(config, log)
  // The OpenID library reads this clock: both must agree.
  Date.now = running.deps.clock.wall
  // One commit: a process that is killed within its first minute has said what time it was, too.
  const kept = running.deps.time?.keep().catch((e: unknown) => log.error('clock.not_kept', e))
  await Promise.all([recoverWork(running.deps), kept])
  await prepare(running)
  const app = createApp(running.deps, manifest.version)
  let server: Listening
  try {
    server = listen(config, log, running.deps.observer.observed(app.fetch))
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
    // An unfinished job runs again at the next start, as after a crash.
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
  // The first response comes before the first round of jobs, because people wait for it.
  await new Promise((resolve) => setTimeout(resolve, 100))
  if (stopping) return
  schedule = startSchedule(running.deps)
  await schedule
  started?.()
}
