import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { Http } from './http.ts'

/** What runs the service needs to know: alive, ready. */
export const service = (deps: Deps, http: Http) =>
  new Elysia({ tags: ['Service'] })
    .use(http)
    .get('/healthz', () => ({ status: 'ok' }), {
      access: 'public',
      detail: { summary: 'The process answers', operationId: 'healthz' },
    })
    .get(
      '/readyz',
      () => {
        deps.store.client.prepare('select 1').get()
        return { status: 'ready' }
      },
      { access: 'public', detail: { summary: 'The service can do its work', operationId: 'readyz' } },
    )
