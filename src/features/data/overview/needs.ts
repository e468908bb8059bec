import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import type { Caller } from '../../../context.ts'
import { addDays, DAY_MS } from '../../../core/dates.ts'
import { leastIdAt } from '../../../core/id.ts'
import { repairsWaiting } from '../../lease/repairs/store.ts'
import { DAYS } from '../../money/adjustments/rules.ts'
import { adjustedByOthers } from '../../money/adjustments/store.ts'
import { pendingRecoveries } from '../../people/codes/store.ts'
import type { OrganizationRow } from '../../people/organizations/store.ts'
import type { Need } from './model.ts'
import { ENDING_DAYS, IMPORT_MS, INSPECTION_DAYS, type NeedKind, UNDELIVERED_DAYS } from './rules.ts'
import {
  declared,
  ending,
  failedPapers,
  importsDone,
  inspectionsDue,
  inspectionsOut,
  noticed,
  requested,
  ridersOut,
  toReview,
  undelivered,
  unmatched,
  unsigned,
} from './store.ts'

/** Whose overview, on which day (in the organization's zone), at which instant. */
export type Viewpoint = {
  readonly org: OrganizationRow
  readonly caller: Caller
  readonly today: string
  readonly nowMs: number
}

/** Those that have expired are purged every hour, by real time. */
function recoveriesAsked(db: Db, orgId: string) {
  const rows = pendingRecoveries(db, { orgId, userId: null, now: 0 })
  const oldest = rows.at(-1)?.askedAt
  return { n: rows.length, oldestAt: oldest === undefined ? null : new Date(oldest).toISOString() }
}

/** What waits for a landlord, in the order of a day's work; `owner` as in reach. */
export async function needsOf(
  db: Db,
  { org, caller, today, nowMs }: Viewpoint,
  owner: string,
  rest: Rest,
): Promise<Need[]> {
  const of = { orgId: org.id, owner }
  const self = { orgId: org.id, userId: caller.userId }
  const isAdmin = caller.roles.includes('ADMIN')
  type Tally =
    | { n: number; bookingId?: string | null; oldestAt?: string | null; firstOn?: string | null; amount?: number }
    | undefined
  const questions: readonly (readonly [NeedKind, () => Tally])[] = [
    ['RECOVERY_ASKED', () => (isAdmin ? recoveriesAsked(db, org.id) : undefined)],
    ['PAYMENT_DECLARED', () => declared(db).get(of)],
    // Administrators watch over the whole organization, others over what they own.
    [
      'ADJUSTMENT_MADE',
      () =>
        adjustedByOthers(db).get({
          ...self,
          owner: isAdmin ? '' : caller.userId,
          after: leastIdAt(nowMs - DAYS * DAY_MS),
        }),
    ],
    ['MESSAGE_UNMATCHED', () => unmatched(db).get(of)],
    ['BOOKING_REQUESTED', () => requested(db).get(of)],
    ['REPAIR_REQUESTED', () => repairsWaiting(db).get({ ...of, today })],
    ['LEASE_TO_SIGN', () => unsigned(db).get(of)],
    ['RENT_CHANGE_TO_SIGN', () => ridersOut(db).get(of)],
    ['INSPECTION_TO_SIGN', () => inspectionsOut(db).get(of)],
    [
      'INSPECTION_DUE',
      () =>
        inspectionsDue(db).get({ ...of, from: addDays(today, -INSPECTION_DAYS), to: addDays(today, INSPECTION_DAYS) }),
    ],
    ['NOTICE_GIVEN', () => noticed(db).get(of)],
    ['LEASE_ENDING', () => ending(db).get({ ...of, from: today, to: addDays(today, ENDING_DAYS) })],
    ['VERIFICATION_TO_REVIEW', () => (isAdmin ? toReview(db).get(self) : undefined)],
    ['PAPER_FAILED', () => failedPapers(db).get(of)],
    ['MESSAGE_UNDELIVERED', () => undelivered(db).get({ ...of, after: leastIdAt(nowMs - UNDELIVERED_DAYS * DAY_MS) })],
    ['IMPORT_DONE', () => importsDone(db).get({ ...self, since: new Date(nowMs - IMPORT_MS).toISOString() })],
    ['SETUP', () => (isAdmin ? { n: org.name === null ? 1 : 0, oldestAt: org.createdAt } : undefined)],
  ]
  const tallies: [NeedKind, Tally][] = []
  for (const [kind, ask] of questions) {
    tallies.push([kind, ask()])
    await rest()
  }
  return tallies.flatMap(([kind, row]) =>
    row === undefined || row.n === 0
      ? []
      : [
          {
            kind,
            count: row.n,
            ...(row.oldestAt ? { oldestAt: row.oldestAt } : {}),
            ...(row.firstOn ? { firstOn: row.firstOn } : {}),
            ...(row.bookingId && row.n === 1 ? { bookingId: row.bookingId } : {}),
            ...(row.amount === undefined ? {} : { amount: row.amount }),
          },
        ],
  )
}
