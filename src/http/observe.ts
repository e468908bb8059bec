import type { Log } from '../log.ts'
import { edgeIfAny } from './edge.ts'

/** Upper bounds of the latency histogram, in seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5] as const
type Series = { count: number; seconds: number; readonly buckets: number[] }
const QUIET = new Set(['/healthz', '/readyz', '/metrics'])

/** Counts and logs every answer, whoever gave it: a line of who, what, how long; never a query, a header or a body. */
export function createObserver(log: Log) {
  const series = new Map<string, Series>()

  function seen(request: Request, status: number, seconds: number): void {
    const key = `method="${request.method}",status="${Math.floor(status / 100)}xx"`
    let s = series.get(key)
    if (!s) {
      s = { count: 0, seconds: 0, buckets: BUCKETS.map(() => 0) }
      series.set(key, s)
    }
    s.count += 1
    s.seconds += seconds
    for (let i = 0; i < BUCKETS.length; i++) if (seconds <= (BUCKETS[i] ?? 0)) s.buckets[i] = (s.buckets[i] ?? 0) + 1
  }

  function done(request: Request, response: Response, startedAt: number): Response {
    const ms = performance.now() - startedAt
    const path = new URL(request.url).pathname
    seen(request, response.status, ms / 1000)
    if (QUIET.has(path) && response.status < 400) return response
    const edge = edgeIfAny(request)
    log.info('request', {
      requestId: edge?.requestId,
      method: request.method,
      path: path.slice(0, 200),
      status: response.status,
      ms: Math.round(ms * 10) / 10,
      userId: edge?.caller?.userId,
      orgId: edge?.caller?.orgId,
    })
    return response
  }

  return {
    /** The same handler, with every answer counted and logged. */
    observed(fetch: (request: Request) => Response | Promise<Response>) {
      return (request: Request): Response | Promise<Response> => {
        const startedAt = performance.now()
        const answer = fetch(request)
        return answer instanceof Response
          ? done(request, answer, startedAt)
          : answer.then((r) => done(request, r, startedAt))
      }
    },
    /** Prometheus text format. */
    text(gauges: Readonly<Record<string, number>>): string {
      const lines = ['# TYPE loyer_http_request_duration_seconds histogram']
      for (const [labels, s] of series) {
        BUCKETS.forEach((le, i) => {
          lines.push(`loyer_http_request_duration_seconds_bucket{${labels},le="${le}"} ${s.buckets[i] ?? 0}`)
        })
        lines.push(`loyer_http_request_duration_seconds_bucket{${labels},le="+Inf"} ${s.count}`)
        lines.push(`loyer_http_request_duration_seconds_sum{${labels}} ${s.seconds}`)
        lines.push(`loyer_http_request_duration_seconds_count{${labels}} ${s.count}`)
      }
      for (const [name, value] of Object.entries(gauges)) {
        const [metric = name] = name.split('{')
        if (!lines.includes(`# TYPE ${metric} gauge`)) lines.push(`# TYPE ${metric} gauge`)
        lines.push(`${name} ${value}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}
export type Observer = ReturnType<typeof createObserver>
