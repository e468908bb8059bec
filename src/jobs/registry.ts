import type { Deps } from '../deps.ts'
import { billDueBookings, billingHandlers } from '../features/billing/jobs.ts'
import { purgeCodes } from '../features/challenges/jobs.ts'
import { contractHandlers } from '../features/contracts/jobs.ts'
import { renderDocuments } from '../features/documents/jobs.ts'
import { runExports } from '../features/exports/jobs.ts'
import { runImports } from '../features/imports/jobs.ts'
import { markOverdueInvoices } from '../features/invoices/jobs.ts'
import { mediaHandlers, purgeStaleMedia } from '../features/media/jobs.ts'
import { purgeMessages } from '../features/messages/jobs.ts'
import { noticeHandlers } from '../features/notices/jobs.ts'
import { createMender } from '../features/papers/jobs.ts'
import { personalDataHandlers } from '../features/personal-data/jobs.ts'
import { drawLetters, reminderHandlers, remindTenants } from '../features/reminders/jobs.ts'
import { forgetHalfImport } from '../features/restores/jobs.ts'
import { checkDaily } from '../features/service/jobs.ts'
import { signingHandlers } from '../features/signing/jobs.ts'
import { userHandlers } from '../features/users/jobs.ts'
import { forgetLapsedCases, remindOfExpiries } from '../features/verification/jobs.ts'
import { purgeDeliveries, webhookHandlers } from '../features/webhook-endpoints/jobs.ts'
import { purgeSeenReports } from '../features/webhooks/jobs.ts'
import { purgeIdempotencyKeys } from '../http/writes.ts'
import type { Handlers } from './worker.ts'

/** Every kind of job and who does it. */
export const handlers = (deps: Deps): Handlers => ({
  ...billingHandlers(deps),
  ...noticeHandlers(deps),
  ...contractHandlers(deps),
  ...signingHandlers(deps),
  ...mediaHandlers(deps),
  ...webhookHandlers(deps),
  ...reminderHandlers(deps),
  ...userHandlers(deps),
  ...personalDataHandlers(deps),
})

type Periodic = {
  readonly name: string
  readonly seconds: number
  readonly work: () => Promise<unknown>
  /** While it finds something to do, the next round follows at once. */
  readonly atOnce?: true
}
/** What comes round by itself; a calendar day is looked at every other second, so that a moved clock is seen at once. */
export const periodic = (deps: Deps): readonly Periodic[] => [
  { name: 'billing', seconds: 2, work: () => billDueBookings(deps).then(() => markOverdueInvoices(deps)) },
  { name: 'documents', seconds: 1, work: () => renderDocuments(deps), atOnce: true },
  { name: 'letters', seconds: 1, work: () => drawLetters(deps) },
  { name: 'document-files', seconds: 3600, work: () => deps.documents.tidy() },
  { name: 'lost-files', seconds: 600, work: createMender(deps) },
  { name: 'exports', seconds: 0.2, work: () => runExports(deps) },
  { name: 'imports', seconds: 0.2, work: () => runImports(deps) },
  { name: 'codes', seconds: 3600, work: () => purgeCodes(deps) },
  { name: 'verification', seconds: 60, work: () => remindOfExpiries(deps) },
  { name: 'lapsed', seconds: 3600, work: () => forgetLapsedCases(deps) },
  { name: 'media', seconds: 3600, work: () => forgetHalfImport(deps).then(() => purgeStaleMedia(deps)) },
  { name: 'messages', seconds: 60, work: () => purgeMessages(deps) },
  { name: 'reminders', seconds: 10, work: () => remindTenants(deps) },
  { name: 'deliveries', seconds: 3600, work: () => purgeDeliveries(deps) },
  { name: 'check', seconds: 600, work: () => checkDaily(deps) },
  { name: 'reports', seconds: 3600, work: () => purgeSeenReports(deps) },
  { name: 'idempotency', seconds: 3600, work: () => purgeIdempotencyKeys(deps) },
  ...(deps.embedded ? [{ name: 'identity', seconds: 600, work: () => keepKeys(deps.embedded) }] : []),
]

const KEY_DAYS = 90
/** Signing keys are renewed every quarter; what has expired of sessions and codes is deleted. */
async function keepKeys(embedded: Deps['embedded']): Promise<void> {
  await embedded?.purgeExpired()
  if (embedded && embedded.keyAge() > KEY_DAYS * 86_400) await embedded.rotateKeys()
}
