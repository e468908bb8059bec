import { Elysia } from 'elysia'
import { AppError } from '../errors.ts'
import { edgeOf } from './request.ts'

/** What may be reached before the server is set up. */
const FIRST_RUN =
  /^\/(?:$|setup$|api\/v1\/setup$|healthz$|readyz$|metrics$|ui\/setup\/|verify\/page\.|realms\/svc\/resources\/)/

/** Refuses everything else until the server is set up. */
export function firstRun({ setup }: { readonly setup?: { readonly isOpen: () => boolean } | undefined }) {
  const plugin = new Elysia({ name: 'first-run' })
  if (!setup) return plugin
  return plugin.onRequest(({ request }) => {
    if (setup.isOpen() && !FIRST_RUN.test(edgeOf(request).path)) throw new AppError('not_set_up')
  })
}
