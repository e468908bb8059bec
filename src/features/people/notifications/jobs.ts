import type { Handlers } from '../../../jobs/worker.ts'
import { sendDigest } from './service.ts'

/** Sends the digests of the morning. */
export const notificationHandlers = (deps: Parameters<typeof sendDigest>[0]): Handlers => ({
  'news.digest': ({ id, orgId, payload }) =>
    sendDigest(deps, { id, orgId: orgId ?? '', userId: String(payload?.userId) }),
})
