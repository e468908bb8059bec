import type { Db } from '../../../../db/open.ts'
import type { Rest } from '../../../../db/snapshot.ts'
import { daysBetween } from '../../../core/dates.ts'
import { reachOf } from '../../../core/scope.ts'
import { monthOf } from '../reports/rules.ts'
import type { Facades } from './model.ts'
import type { Viewpoint } from './needs.ts'
import { DOOR_STATES, doorState, MOST_BUILDINGS, MOST_DOORS, naturally } from './rules.ts'
import { buildingsOf, homesOf, lateInHomes } from './store.ts'

type Building = Facades['buildings'][number]
type Home = ReturnType<ReturnType<typeof homesOf>['all']>[number]
const NONE = Object.fromEntries(DOOR_STATES.map((state) => [state, 0]))

type Late = ReturnType<typeof lateInHomes>
/** A home with what is overdue on its lease. */
function doorOf({ bookingId, tenantName, ...home }: Home, late: Late, today: string) {
  const overdue = late.reduce((sum, { grossAmount, amountPaid }) => sum + grossAmount - amountPaid, 0)
  const overduePaid = late.reduce((sum, { amountPaid }) => sum + amountPaid, 0)
  const [since] = late.map(({ dueDate }) => dueDate).sort()
  return {
    ...home,
    ...{ overdue, overdueCount: late.length, state: doorState({ ...home, bookingId, overdue, overduePaid }) },
    ...(bookingId === null ? {} : { bookingId }),
    ...(tenantName === null ? {} : { tenantName }),
    ...(since === undefined ? {} : { daysLate: daysBetween(since, today) }),
  }
}

/**
 * The homes within reach by building, how each stands this month, and its sums in francs; `propertyId`: one building, with
 * all its doors. Other requests run between the buildings.
 */
export async function facadesOf(
  db: Db,
  { org, caller, today }: Viewpoint,
  propertyId: string | undefined,
  rest: Rest,
): Promise<Facades> {
  const orgId = org.id
  const { from, to } = monthOf(`${today.slice(0, 7)}-01`)
  const within = buildingsOf(db).all({ orgId, owner: reachOf(caller.scope), limit: MOST_BUILDINGS })
  const buildings: Building[] = []
  for (const { id, name } of within.filter((one) => propertyId === undefined || one.id === propertyId)) {
    const late = Map.groupBy(lateInHomes(db, { propertyId: id, today }), ({ bookingId }) => bookingId)
    const doors = homesOf(db)
      .all({ orgId, propertyId: id, from, to })
      .map((home) => doorOf(home, late.get(home.bookingId ?? '') ?? [], today))
      .sort((a, b) => naturally(a.label, b.label))
    await rest()
    if (doors.length === 0) continue
    const sum = (of: (door: (typeof doors)[number]) => number): number => doors.reduce((all, door) => all + of(door), 0)
    const counts: Record<string, number> = { ...NONE }
    for (const { state } of doors) counts[state] = (counts[state] ?? 0) + 1
    buildings.push({
      ...{ propertyId: id, name, homes: doors.length, counts, doors },
      due: sum((door) => door.due),
      paid: sum((door) => door.paid),
      overdue: sum((door) => door.overdue),
    })
  }
  buildings.sort((a, b) => b.overdue - a.overdue || naturally(a.name, b.name))
  const homes = buildings.reduce((all, one) => all + one.homes, 0)
  const hidesDoors = propertyId === undefined && homes > MOST_DOORS
  return {
    ...{ today, month: today.slice(0, 7), homes },
    buildings: hidesDoors ? buildings.map(({ doors: _d, ...building }) => building) : buildings,
  }
}
