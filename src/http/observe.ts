import type { Traces } from '../adapters/tracing/port.ts'
import type { Log } from '../log.ts'
import { edgeIfAny, pathOf } from './request.ts'

/** What each metric says: its # HELP line. */
const HELP: Readonly<Record<string, string>> = {
  loyer_http_request_duration_seconds: 'Time to answer, by method, route and status.',
  loyer_messages_total: 'Messages tried since the start: taken, put off or refused by the vendor.',
  loyer_message_parts_total: 'Parts of the messages that a vendor took.',
  loyer_message_cost_xaf_total: 'Cost of the messages that a vendor took, in CFA francs.',
  loyer_process_uptime_seconds: 'Time since the process started.',
  loyer_process_resident_memory_bytes: 'Memory of the process.',
  loyer_clock_lead_seconds: 'How far the time of the service is ahead of the clock of the machine.',
  loyer_clock_leap_seconds: 'How far the clock went ahead at once, until that is confirmed.',
  loyer_event_loop_delay_max_seconds: 'Longest that one piece of work held up all others since the last reading.',
  loyer_storage_writable: 'Whether writes succeed: 1 or 0.',
  loyer_storage_refused_writes: 'Writes that the disk refused since the start.',
  loyer_database_intact: 'Whether the last daily check found the database whole: 1 or 0.',
  loyer_database_bytes: 'Size of the database file.',
  loyer_database_wal_bytes: 'Size of the write-ahead log.',
  loyer_disk_bytes: 'Size of the disk that holds the data.',
  loyer_disk_free_bytes: 'Free space on that disk.',
  loyer_papers_waiting: 'Papers still to be drawn.',
  loyer_messages_waiting: 'Messages still to be sent.',
  loyer_webhooks_waiting: 'Webhook deliveries still to be made.',
  loyer_queue_oldest_seconds: 'For how long the oldest entry of a queue has been due.',
  loyer_jobs: 'Jobs by status; a failed one was tried five times.',
  loyer_backup_last_timestamp_seconds: 'When the last good backup was made, in seconds since 1970.',
}

/** The lines of the Prometheus text format that stand before the values of a metric. */
const headOf = (metric: string, type: 'histogram' | 'counter' | 'gauge'): string[] => [
  `# HELP ${metric} ${HELP[metric] ?? ''}`,
  `# TYPE ${metric} ${type}`,
]

/** Upper bounds of the latency histogram, in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5] as const
/**
 * `buckets[i]` counts answers that took at most BUCKETS[i] and more than the bound before; the last counts the rest.
 */
type Series = { count: number; seconds: number; readonly buckets: number[] }
type RouteOf = (method: string, path: string) => string
/** The token in a message's link opens it for weeks, so it must not be logged. */
const LINK = /^\/([airsu])\/[^/]+/
const QUIET = new Set(['/healthz', '/readyz', '/metrics'])

/** Counts, logs and traces every answer: user, route, status and time; never a query, a header or a body. */
export function createObserver(log: Log, traces?: Traces) {
  /** By the labels of a series: method, route, status. Routes and statuses are the app's own, so there are few. */
  const series = new Map<string, Series>()
  const counters = new Map<string, number>()
  let isBehindStranger = false

  function seen(labels: string, seconds: number): void {
    let s = series.get(labels)
    if (s === undefined) {
      s = { count: 0, seconds: 0, buckets: [...BUCKETS, 0].map(() => 0) }
      series.set(labels, s)
    }
    s.count += 1
    s.seconds += seconds
    let i = 0
    while (i < BUCKETS.length && seconds > (BUCKETS[i] ?? 0)) i++
    s.buckets[i] = (s.buckets[i] ?? 0) + 1
  }

  function done(request: Request, response: Response, startedAt: number, routeOf: RouteOf): Response {
    const ms = performance.now() - startedAt
    const edge = edgeIfAny(request)
    const path = edge?.path ?? pathOf(request.url)
    const { method } = request
    const { status } = response
    const route = routeOf(method, path)
    seen(`method="${knownMethod(method)}",route="${route}",status="${status}"`, ms / 1000)
    if (QUIET.has(path) && status < 400) return response
    traces?.answered(request, { method: knownMethod(method), route, status, requestId: edge?.requestId, ms })
    log.info('request', {
      requestId: edge?.requestId,
      method,
      path: path.replace(LINK, '/$1/*').slice(0, 200),
      status,
      ms: Math.round(ms * 10) / 10,
      userId: edge?.caller?.userId,
      orgId: edge?.caller?.orgId,
    })
    return response
  }

  return {
    /** Wraps a handler so that every answer is counted and logged. `routeOf`: the path of the route, as it is written. */
    observed(fetch: (request: Request) => Response | Promise<Response>, routeOf: RouteOf = () => 'none') {
      return (request: Request): Response | Promise<Response> => {
        const startedAt = performance.now()
        const answer = fetch(request)
        return answer instanceof Response
          ? done(request, answer, startedAt, routeOf)
          : answer.then((r) => done(request, r, startedAt, routeOf))
      }
    },
    /** Records a job that has ended; `startedAt`: performance.now at its start. */
    worked(kind: string, startedAt: number, failed: boolean): void {
      traces?.worked(kind, performance.now() - startedAt, failed)
    },
    /** Counts an event, or `n` of something. `name`: of a counter with its labels, of which there are few. */
    count(name: string, n = 1): void {
      counters.set(name, (counters.get(name) ?? 0) + n)
    },
    /** Notes that a proxy on this machine, which TRUSTED_PROXIES does not name, passes requests on. */
    untrustedProxy(): void {
      isBehindStranger = true
      log.warn('proxy.untrusted', {
        detail:
          'Forwarded requests arrive from this machine, and TRUSTED_PROXIES does not name it: all clients share one limit, and no sign-in knows its network. Set TRUSTED_PROXIES=127.0.0.1,::1 if the proxy is yours.',
      })
    },
    /** Whether one does since the start. */
    hasUntrustedProxy: (): boolean => isBehindStranger,
    /** Prometheus text format. */
    text(gauges: Readonly<Record<string, number>>): string {
      const lines = headOf('loyer_http_request_duration_seconds', 'histogram')
      for (const [labels, s] of series) {
        let upTo = 0
        BUCKETS.forEach((le, i) => {
          upTo += s.buckets[i] ?? 0
          lines.push(`loyer_http_request_duration_seconds_bucket{${labels},le="${le}"} ${upTo}`)
        })
        lines.push(`loyer_http_request_duration_seconds_bucket{${labels},le="+Inf"} ${s.count}`)
        lines.push(`loyer_http_request_duration_seconds_sum{${labels}} ${s.seconds}`)
        lines.push(`loyer_http_request_duration_seconds_count{${labels}} ${s.count}`)
      }
      write(lines, 'counter', counters)
      write(lines, 'gauge', Object.entries(gauges))
      return `${lines.join('\n')}\n`
    },
  }
}
export type Observer = ReturnType<typeof createObserver>

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** A client may invent methods, and each would be a series. */
const knownMethod = (method: string): string => (METHODS.has(method) ? method : 'other')

/** The lines of a metric stand together, after its head. */
function write(lines: string[], type: 'counter' | 'gauge', values: Iterable<readonly [string, number]>): void {
  for (const [metric = '', ofMetric] of Map.groupBy(values, ([name]) => name.split('{')[0])) {
    lines.push(...headOf(metric, type))
    for (const [name, value] of ofMetric) lines.push(`${name} ${value}`)
  }
}
