import { purgeIdempotencyKeys } from '../../db/write/idempotency.ts'
import type { Deps } from '../deps.ts'
import { pruneTrail } from '../features/data/audit/jobs.ts'
import { purgeDeliveries, webhookHandlers } from '../features/data/events/jobs.ts'
import { runExports } from '../features/data/exports/jobs.ts'
import { runImports } from '../features/data/imports/jobs.ts'
import { personalDataHandlers } from '../features/data/personal-data/jobs.ts'
import { inspectionHandlers } from '../features/lease/inspections/jobs.ts'
import { bookingHandlers } from '../features/lease/leases/jobs.ts'
import { repairHandlers } from '../features/lease/repairs/jobs.ts'
import { signingHandlers } from '../features/lease/signing/jobs.ts'
import { adjustmentHandlers } from '../features/money/adjustments/jobs.ts'
import { billDueBookings, billingHandlers } from '../features/money/billing/jobs.ts'
import { regularisationHandlers } from '../features/money/charges/jobs.ts'
import { repeatExpenses } from '../features/money/expenses/jobs.ts'
import { markOverdueInvoices } from '../features/money/invoices/jobs.ts'
import { correctionHandlers, departureHandlers, settlementHandlers } from '../features/money/leaving/jobs.ts'
import { bookMonthlyFees } from '../features/money/ledger/jobs.ts'
import { paymentHandlers } from '../features/money/payments/jobs.ts'
import { rentChangeHandlers } from '../features/money/rents/jobs.ts'
import { waiverHandlers } from '../features/money/waivers/jobs.ts'
import { purgeSeenReports } from '../features/news/delivery-reports/jobs.ts'
import { drawLetters, reminderHandlers, remindTenants, undeliveredHandlers } from '../features/news/reminders/jobs.ts'
import { renderDocuments } from '../features/papers/documents/jobs.ts'
import { mediaHandlers, purgeStaleMedia } from '../features/papers/media/jobs.ts'
import { forgetLapsedCases, remindOfExpiries, verificationHandlers } from '../features/papers/verification/jobs.ts'
import { purgeUndoLinks, recoveryHandlers } from '../features/people/accounts/jobs.ts'
import { purgeCodes } from '../features/people/codes/jobs.ts'
import { purgeMessages } from '../features/people/messages/jobs.ts'
import { notificationHandlers } from '../features/people/notifications/jobs.ts'
import { userHandlers } from '../features/people/users/jobs.ts'
import { backUpDaily } from '../features/system/backups/jobs.ts'
import { createMender } from '../features/system/files/jobs.ts'
import { checkDaily, keepTime } from '../features/system/health/jobs.ts'
import type { Handlers } from './worker.ts'

/** The handler of every kind of job. */
export const handlers = (deps: Deps): Handlers => ({
  ...billingHandlers(deps),
  ...paymentHandlers(deps),
  ...waiverHandlers(deps),
  ...rentChangeHandlers(deps),
  ...correctionHandlers(deps),
  ...departureHandlers(deps),
  ...settlementHandlers(deps),
  ...regularisationHandlers(deps),
  ...verificationHandlers(deps),
  ...bookingHandlers(deps),
  ...adjustmentHandlers(deps),
  ...signingHandlers(deps),
  ...repairHandlers(deps),
  ...inspectionHandlers(deps),
  ...mediaHandlers(deps),
  ...webhookHandlers(deps),
  ...reminderHandlers(deps),
  ...userHandlers(deps),
  ...recoveryHandlers(deps),
  ...notificationHandlers(deps),
  ...undeliveredHandlers(deps),
  ...personalDataHandlers(deps),
})

export type Periodic = {
  readonly name: string
  /** A whole number of seconds between two rounds. */
  readonly seconds: number
  readonly work: () => Promise<unknown>
  /** While a round finds work, the next one follows at once. */
  readonly atOnce?: true
  /** It also begins after a commit: somebody may wait for what that asks for. */
  readonly prompt?: true
}
/**
 * Work that depends on the calendar waits while the clock may be wrong by months, because its effects cannot be undone.
 */
const byCalendar =
  ({ time }: Deps, work: () => Promise<unknown>) =>
  async (): Promise<unknown> =>
    time?.leap() ? undefined : work()

/** Periodic work; the calendar day is checked every other second, so that a moved clock takes effect at once. */
export const periodic = (deps: Deps): readonly Periodic[] => [
  {
    name: 'billing',
    seconds: 2,
    work: byCalendar(deps, () => billDueBookings(deps).then(() => markOverdueInvoices(deps))),
  },
  { name: 'fees', seconds: 3600, work: byCalendar(deps, () => bookMonthlyFees(deps)) },
  { name: 'expenses', seconds: 10, work: byCalendar(deps, () => repeatExpenses(deps)) },
  { name: 'documents', seconds: 1, work: () => renderDocuments(deps), atOnce: true, prompt: true },
  { name: 'letters', seconds: 1, work: () => drawLetters(deps), prompt: true },
  { name: 'document-files', seconds: 3600, work: () => deps.documents.tidy() },
  { name: 'lost-files', seconds: 600, work: createMender(deps) },
  { name: 'exports', seconds: 1, work: () => runExports(deps), prompt: true },
  { name: 'imports', seconds: 1, work: () => runImports(deps), prompt: true },
  { name: 'audit', seconds: 60, work: () => pruneTrail(deps), atOnce: true },
  { name: 'clock', seconds: 60, work: () => keepTime(deps) },
  { name: 'codes', seconds: 3600, work: () => purgeCodes(deps) },
  { name: 'undos', seconds: 3600, work: () => purgeUndoLinks(deps) },
  { name: 'verification', seconds: 60, work: byCalendar(deps, () => remindOfExpiries(deps)) },
  { name: 'lapsed', seconds: 3600, work: byCalendar(deps, () => forgetLapsedCases(deps)) },
  { name: 'media', seconds: 3600, work: () => purgeStaleMedia(deps) },
  { name: 'messages', seconds: 60, work: () => purgeMessages(deps) },
  { name: 'reminders', seconds: 10, work: byCalendar(deps, () => remindTenants(deps)) },
  { name: 'deliveries', seconds: 3600, work: () => purgeDeliveries(deps) },
  { name: 'check', seconds: 600, work: () => checkDaily(deps) },
  { name: 'backup', seconds: 60, work: () => backUpDaily(deps) },
  { name: 'reports', seconds: 3600, work: () => purgeSeenReports(deps) },
  { name: 'idempotency', seconds: 3600, work: () => purgeIdempotencyKeys(deps) },
  ...(deps.embedded ? [{ name: 'identity', seconds: 600, work: () => keepKeys(deps.embedded) }] : []),
]

const KEY_DAYS = 90
/** Rotates signing keys every quarter, and deletes expired sessions and codes. */
async function keepKeys(embedded: Deps['embedded']): Promise<void> {
  await embedded?.purgeExpired()
  if (embedded && embedded.keyAge() > KEY_DAYS * 86_400) await embedded.rotateKeys()
}
