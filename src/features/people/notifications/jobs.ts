import type { Handlers } from '../../../jobs/worker.ts'
import { type PayToChange, sendDigest, tellOfPayTo } from './service.ts'

/** Sends the digests of the morning, and what people are told whatever they chose. */
export const notificationHandlers = (deps: Parameters<typeof sendDigest>[0]): Handlers => ({
  'news.digest': ({ id, orgId, payload }) =>
    sendDigest(deps, { id, orgId: orgId ?? '', userId: String(payload?.userId) }),
  'payTo.changed': ({ id, orgId, payload }) =>
    tellOfPayTo(deps, { id, orgId: orgId ?? '', change: payload as unknown as PayToChange }),
})
