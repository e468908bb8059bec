import { type BodyRule, isText, type Members, wrongAt } from '../../../core/body-rules.ts'
import type { Transitions } from '../../../core/lifecycle.ts'

export const REPAIR_STATUS = ['OPEN', 'SEEN', 'PLANNED', 'DONE', 'REFUSED'] as const
export type RepairStatus = (typeof REPAIR_STATUS)[number]
export const REPAIR_CATEGORIES = [
  'WATER',
  'ELECTRICITY',
  'LOCKS',
  'STRUCTURE',
  'APPLIANCE',
  'PESTS',
  'COMMON_PARTS',
  'OTHER',
] as const
export const URGENCIES = ['LOW', 'NORMAL', 'URGENT'] as const
export const COST_KINDS = ['LABOUR', 'MATERIALS', 'BOTH', 'OTHER'] as const
export type RepairAction = 'see' | 'plan' | 'finish' | 'refuse' | 'reopen'
/** A date may be planned again; a finished request must be opened again before any other move. */
export const repairMoves: Transitions<RepairStatus, RepairAction> = {
  see: { from: ['OPEN'], to: 'SEEN' },
  plan: { from: ['OPEN', 'SEEN', 'PLANNED'], to: 'PLANNED' },
  finish: { from: ['OPEN', 'SEEN', 'PLANNED'], to: 'DONE' },
  refuse: { from: ['OPEN', 'SEEN', 'PLANNED'], to: 'REFUSED' },
  reopen: { from: ['DONE', 'REFUSED'], to: 'OPEN' },
}

/** Limits against floods: open requests of a lease or, without one, of a unit; how often a tenant opens one again. */
export const MOST_OPEN = { TENANT: 10, LANDLORD: 50 } as const
export const MOST_REOPENED = 5
/** How many photos come with a new request. */
export const FIRST_PHOTOS = 6
/** How many days after the end of a request its tenant may open it again. */
export const REOPEN_DAYS = 30

type Costs = 'costAmount' | 'costCurrency' | 'costKind' | 'costOn'
/** A request without what it cost, which is the landlord's business. */
export function withoutCost<R extends Partial<Record<Costs, unknown>>>(row: R): Omit<R, Costs> {
  const { costAmount: _a, costCurrency: _c, costKind: _k, costOn: _o, ...rest } = row
  return rest
}

const WHERE = { en: 'Say which lease it is about.', fr: 'Indiquez le bail concerné.' }
/** A request is about a lease or a unit. */
export const placeRule = ({ bookingId, unitId }: Members): ReturnType<BodyRule> =>
  isText(bookingId) || isText(unitId) ? [] : wrongAt(WHERE, '/bookingId')

/** What stands in the thread of a request: what people wrote and sent, and each move. */
export const ENTRY_KINDS = ['MESSAGE', 'PHOTO', 'SEEN', 'PLANNED', 'DONE', 'REFUSED', 'REOPENED'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]
export const SIDES = ['LANDLORD', 'TENANT'] as const
export type Side = (typeof SIDES)[number]

/** Limits against floods: what one thread may hold. */
export const MOST_ENTRIES = 300
export const MOST_PHOTOS = 12
/** Messages and photos of one person within a day, in all threads. */
export const MOST_A_DAY = { TENANT: 60, LANDLORD: 1_000 } as const
