import { statSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { bearerToken } from '../../http/bearer-token.ts'
import { edgeOf } from '../../http/edge.ts'
import type { Http } from '../../http/http.ts'
import { jobCounts } from '../../jobs/worker.ts'
import { operatorOrganization } from '../organizations/store.ts'
import { lastCheck } from './store.ts'

const Status = Type.Object({ status: Type.String() })
const Ready = Type.Object({
  status: Type.String(),
  database: Type.Optional(Type.Literal('damaged', { description: 'The daily check found damage: restore a backup.' })),
})
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

/** What runs the service needs to know: alive, ready, how much of what. */
export function service(deps: Deps, http: Http) {
  /** Numbers are for the machine itself, or for an administrator of the operator's organization. */
  async function authorize(request: Request): Promise<void> {
    const direct = !request.headers.has('x-forwarded-for') && !request.headers.has('forwarded')
    if (direct && LOOPBACK.test(edgeOf(request).address)) return
    const credentials = bearerToken(request)
    if (credentials.kind !== 'token') throw new AppError('unauthorized')
    const caller = await deps.access.slow(credentials.token)
    if (!caller.roles.includes('ADMIN') || caller.orgId !== operatorOrganization(deps.db)?.id)
      throw new AppError('forbidden')
  }

  function gauges(): Record<string, number> {
    const { client, file } = deps.store
    const check = lastCheck(deps.db)
    return {
      loyer_process_resident_memory_bytes: process.memoryUsage().rss,
      loyer_process_uptime_seconds: Math.round(process.uptime()),
      loyer_database_bytes:
        file === ':memory:' ? (client.pragma('page_count', { simple: true }) as number) * 4096 : statSync(file).size,
      ...Object.fromEntries(
        Object.entries(jobCounts(deps)).map(([status, n]) => [`loyer_jobs{status="${status}"}`, n]),
      ),
      ...(check?.problems && {
        loyer_database_intact: check.problems.length === 0 ? 1 : 0,
        loyer_database_checked_seconds: Math.round(check.at / 1000),
      }),
    }
  }

  return new Elysia({ tags: ['Service'] })
    .use(http)
    .get('/', () => new Response(null, { status: 302, headers: { location: '/docs' } }), {
      access: 'public',
      detail: { summary: 'The front page', operationId: 'home', hide: true },
    })
    .get('/healthz', () => ({ status: 'ok' }), {
      access: 'public',
      answers: { 200: Status },
      detail: { summary: 'The process answers', operationId: 'healthz' },
    })
    .get(
      '/readyz',
      () => {
        const problems = lastCheck(deps.db)?.problems ?? []
        return { status: 'ready', ...(problems.length > 0 ? { database: 'damaged' as const } : {}) }
      },
      {
        access: 'public',
        problems: ['storage_unavailable'],
        answers: { 200: Ready },
        detail: { summary: 'The service can do its work', operationId: 'readyz' },
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
