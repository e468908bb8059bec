import type { Log } from '../log.ts'
import { edgeIfAny, pathOf } from './gate.ts'

/** Upper bounds of the latency histogram, in seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5] as const
/**
 * `buckets[i]` counts answers that took at most BUCKETS[i] and more than the bound before; the last counts the rest.
 */
type Series = { count: number; seconds: number; readonly buckets: number[] }
/** The token in a message's link opens it for weeks, so it must not be logged. */
const LINK = /^\/([irsu])\/[^/]+/
const QUIET = new Set(['/healthz', '/readyz', '/metrics'])

/** Counts and logs every answer: one line of who, what and how long; never a query, a header or a body. */
export function createObserver(log: Log) {
  /** By method, then by the first digit of the status. */
  const series = new Map<string, Series[]>()

  function seen(method: string, status: number, seconds: number): void {
    const ofMethod = series.get(method) ?? []
    if (ofMethod.length === 0) series.set(method, ofMethod)
    const digit = Math.floor(status / 100)
    const s = ofMethod[digit] ?? { count: 0, seconds: 0, buckets: [...BUCKETS, 0].map(() => 0) }
    ofMethod[digit] = s
    s.count += 1
    s.seconds += seconds
    let i = 0
    while (i < BUCKETS.length && seconds > (BUCKETS[i] ?? 0)) i++
    s.buckets[i] = (s.buckets[i] ?? 0) + 1
  }

  function done(request: Request, response: Response, startedAt: number): Response {
    const ms = performance.now() - startedAt
    const edge = edgeIfAny(request)
    const path = edge?.path ?? pathOf(request.url)
    const { method } = request
    const { status } = response
    seen(method, status, ms / 1000)
    if (QUIET.has(path) && status < 400) return response
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
    /** Wraps a handler so that every answer is counted and logged. */
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
      for (const [method, ofMethod] of series)
        for (const [digit, s] of ofMethod.entries()) {
          if (s === undefined) continue
          const labels = `method="${method}",status="${digit}xx"`
          let upTo = 0
          BUCKETS.forEach((le, i) => {
            upTo += s.buckets[i] ?? 0
            lines.push(`loyer_http_request_duration_seconds_bucket{${labels},le="${le}"} ${upTo}`)
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
