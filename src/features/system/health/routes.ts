import { statfsSync, statSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { isLoopbackAddress } from '../../../core/addresses.ts'
import { isSameSecret } from '../../../core/seal.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { bearerToken } from '../../../http/auth.ts'
import { LOOPBACK_HOST } from '../../../http/host.ts'
import { edgeOf } from '../../../http/request.ts'
import { ADMINS, type Http, section } from '../../../http/routes.ts'
import { oneOf } from '../../../http/schema.ts'
import { jobCounts } from '../../../jobs/worker.ts'
import { operatorOrganization } from '../../people/organizations/store.ts'
import { lastGood } from '../backups/rules.ts'
import { checkService } from './checks.ts'
import { CHECKS, STATES } from './rules.ts'
import { lateness, probe, waiting } from './store.ts'

const Status = Type.Object({ status: Type.String({ description: 'Always `ok`.', examples: ['ok'] }) })
const Ready = Type.Object({
  status: Type.String({ description: 'Always `ready`.', examples: ['ready'] }),
  clock: Type.Optional(
    oneOf(['SET_BACK', 'LEAPT'], {
      description:
        'Absent while the clock of the machine is right. SET_BACK: the clock was set back; time runs more slowly until it has caught up. LEAPT: the clock jumped ahead by more than 100 days; billing, reminders and ends of leases wait until the operator confirms it (`loyer clock confirm`), or for one day.',
    }),
  ),
})
/**
 * Ms after a refused write before the disk is tried again; the size, because a small write may fit where a request
 * does not.
 */
const PROBE_MS = 1000
const PROBE_BYTES = 256 * 1024
/** A proxy on this machine comes from loopback too: it adds one of these, or passes the public name on. */
const PROXIED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const

/** For whoever monitors the service: liveness, readiness, metrics. */
export function health(deps: Deps, http: Http) {
  const delay = loopDelay()
  /** Metrics are for local requests, a monitor with METRICS_TOKEN, or an administrator of the operator's organization. */
  async function authorize(request: Request): Promise<void> {
    const { headers, url } = request
    const direct = LOOPBACK_HOST.test(headers.get('host') ?? new URL(url).host) && !PROXIED.some((h) => headers.has(h))
    if (direct && isLoopbackAddress(edgeOf(request).address)) return
    const credentials = bearerToken(request)
    if (credentials.kind !== 'token') throw new AppError('unauthorized')
    const { metricsToken } = deps.config
    if (metricsToken !== undefined && isSameSecret(credentials.token, metricsToken)) return
    const caller = await deps.access.verify(credentials.token)
    if (!caller.roles.includes('ADMIN') || caller.orgId !== operatorOrganization(deps.db)?.id)
      throw new AppError('forbidden')
  }

  /** Omits a gauge that cannot be read, because monitoring must go on while the service fails. */
  function measured(read: () => Record<string, number | undefined>): Record<string, number | undefined> {
    try {
      return read()
    } catch (e) {
      deps.log.warn('metrics.incomplete', { detail: e instanceof Error ? e.message : String(e) })
      return {}
    }
  }

  function gauges(): Record<string, number> {
    const { client, file, health } = deps.store
    const inMemory = file === ':memory:'
    const problems = health.problems()
    const all = [
      {
        loyer_process_uptime_seconds: Math.round(process.uptime()),
        loyer_clock_lead_seconds: deps.time && Math.round(deps.time.lead() / 1000),
        loyer_clock_leap_seconds: deps.time && leapSeconds(deps.time.leap()),
        loyer_event_loop_delay_max_seconds: delay.take(),
        loyer_storage_refused_writes: health.refused(),
        loyer_storage_writable: isReady() ? 1 : 0,
        loyer_database_intact: problems && (problems.length === 0 ? 1 : 0),
      },
      measured(() => {
        const backupAt = deps.backupState && lastGood(deps.backupState(), deps.clock.wall())
        return { loyer_backup_last_timestamp_seconds: backupAt && backupAt / 1000 }
      }),
      measured(() => ({ loyer_process_resident_memory_bytes: process.memoryUsage().rss })),
      measured(() => ({
        loyer_database_bytes: inMemory
          ? (client.pragma('page_count', { simple: true }) as number) * 4096
          : statSync(file).size,
        loyer_database_wal_bytes: inMemory ? 0 : statSync(`${file}-wal`, { throwIfNoEntry: false })?.size,
      })),
      measured(() => {
        if (inMemory) return {}
        const { bavail, blocks, bsize } = statfsSync(deps.config.dataDir)
        return { loyer_disk_free_bytes: bavail * bsize, loyer_disk_bytes: blocks * bsize }
      }),
      measured(() => {
        const { papers, messages, webhooks } = waiting(deps.db)
        return { loyer_papers_waiting: papers, loyer_messages_waiting: messages, loyer_webhooks_waiting: webhooks }
      }),
      measured(() =>
        Object.fromEntries(
          Object.entries(lateness(deps.db, deps.clock)).map(([queue, ms]) => [
            `loyer_queue_oldest_seconds{queue="${queue}"}`,
            ms / 1000,
          ]),
        ),
      ),
      measured(() =>
        Object.fromEntries(Object.entries(jobCounts(deps)).map(([status, n]) => [`loyer_jobs{status="${status}"}`, n])),
      ),
    ]
    return Object.fromEntries(
      all.flatMap((some) => Object.entries(some).filter((entry): entry is [string, number] => entry[1] !== undefined)),
    )
  }

  const isReady = (): boolean => {
    try {
      deps.store.health.checkReady()
      return true
    } catch {
      return false
    }
  }

  /** A second after a refused write, a test write checks whether the disk works again. @throws storage_unavailable */
  async function checkReady(): Promise<void> {
    const { health } = deps.store
    if ((health.failingFor() ?? 0) > PROBE_MS) {
      await deps.write(null, (tx) => probe(tx, PROBE_BYTES))
      await deps.write(null, (tx) => probe(tx, 0))
    }
    health.checkReady()
  }

  return new Elysia(section('Service', 'Health, backups and settings of the server, for its operator.'))
    .use(http)
    .get('/healthz', () => ({ status: 'ok' }), {
      access: 'public',
      answers: { 200: Status },
      detail: { summary: 'Check that the process answers', operationId: 'healthz' },
    })
    .get(
      '/readyz',
      async () => {
        await checkReady()
        const clock = deps.time?.trouble()
        return {
          status: 'ready',
          ...(clock ? { clock } : {}),
        }
      },
      {
        access: 'public',
        problems: ['storage_unavailable'],
        answers: { 200: Ready },
        detail: { summary: 'Check that the service is ready to work', operationId: 'readyz' },
      },
    )
    .get(
      '/metrics',
      async ({ request, set }) => {
        await authorize(request)
        set.headers['content-type'] = 'text/plain; version=0.0.4; charset=utf-8'
        return deps.observer.text(gauges())
      },
      {
        access: 'public',
        detail: {
          summary: 'Counts and times in Prometheus text format; from loopback, or with a token',
          operationId: 'metrics',
          hide: true,
        },
      },
    )
}

const leapSeconds = (leap: { from: number; to: number } | undefined): number =>
  leap ? Math.round((leap.to - leap.from) / 1000) : 0

const TICK_MS = 100
/**
 * The longest delay of a timer since the last reading, in seconds: how long one task blocked the event loop. The first
 * reading starts the timer, and has no value.
 */
function loopDelay() {
  let longest = 0
  let due: number | undefined
  const late = (): number => (due === undefined ? 0 : Math.max(0, performance.now() - due))
  const tick = (): void => {
    longest = Math.max(longest, late())
    due = performance.now() + TICK_MS
  }
  return {
    take(): number | undefined {
      if (due === undefined) {
        due = performance.now() + TICK_MS
        setInterval(tick, TICK_MS).unref()
        return undefined
      }
      const delay = Math.max(longest, late())
      longest = 0
      return delay / 1000
    },
  }
}

const Finding = Type.Object({
  check: oneOf(CHECKS, {
    description:
      'SETTINGS: mode, address, limits. CLOCK: the clock of the machine. DISK: free space. PERMISSIONS: of the data folder. INTEGRITY: of the database. JOBS: work that failed or is late. MESSAGING: the messaging vendor. ISSUER: the identity provider. PROXY: whether PUBLIC_URL leads here. TIME_ZONE: of new organizations. BACKUPS: the age of the last good one.',
  }),
  state: oneOf(STATES, { description: 'GOOD, WARNING (works, but should be changed), BAD (something does not work).' }),
  text: Type.Object(
    {
      en: Type.String({ description: 'In English.', examples: ['6 GB of disk are free.'] }),
      fr: Type.String({ description: 'In French.', examples: ['6 Go de disque sont libres.'] }),
    },
    { description: 'The result of the check; if it is not good, also what to do.' },
  ),
})
const Checkup = Type.Object(
  {
    checkedAt: Type.String({ format: 'date-time', description: 'When the server was checked.' }),
    state: oneOf(STATES, { description: 'The worst of the findings.' }),
    findings: Type.Array(Finding, { description: 'One for each check, in a fixed order.' }),
  },
  { $id: 'Checkup' },
)

export const checks = (deps: Deps, http: Http) =>
  new Elysia({ prefix: '/api/v1/admin/health', tags: ['Service'] }).use(http).get(
    '',
    async ({ caller, inTurn }) => {
      if (caller.orgId !== operatorOrganization(deps.db)?.id) throw new AppError('forbidden')
      const findings = await inTurn(() => checkService(deps))
      const state = STATES.findLast((worst) => findings.some((finding) => finding.state === worst)) ?? 'GOOD'
      return { checkedAt: new Date(deps.clock.wall()).toISOString(), state, findings }
    },
    {
      access: ADMINS,
      problems: ['forbidden'],
      answers: { 200: Checkup },
      detail: {
        summary: 'Check the server and list what is wrong',
        operationId: 'checkup',
        description:
          'Checks settings, clock, disk, folder, database, waiting jobs, messaging vendor, issuer, address, time zone, backups and processes, as `loyer doctor` does, and says what to do. Takes up to 4 s if another server does not answer. For an ADMIN of the organization that operates the server; others get 403.',
      },
    },
  )
