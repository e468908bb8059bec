import { and, asc, desc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import { fullName } from '../../../../db/list/filters.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query, readingAll, readingBy } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { rowCount } from '../../../../db/schema/operations.ts'
import { organization } from '../../../../db/schema/organizations.ts'
import { property } from '../../../../db/schema/properties.ts'
import { appUser } from '../../../../db/schema/users.ts'
import type { Caller } from '../../../context.ts'
import type { BodyRule, Members } from '../../../core/body-rules.ts'
import { localDate } from '../../../core/dates.ts'
import type { Deps } from '../../../deps.ts'

export type OrganizationRow = typeof organization.$inferSelect
export const insertOrganization = inserting('organization.insert', organization)

export const findOrganization = readingBy('organization.byId', organization, organization.id)

const first = query('organization.first', [], (db) => db.select().from(organization).orderBy(sql`rowid`).limit(1))
const nextZone = query('organization.nextZone', ['after'], (db, p) =>
  db
    .select({ timeZone: organization.timeZone })
    .from(organization)
    .where(gt(organization.timeZone, p.after))
    .orderBy(asc(organization.timeZone))
    .limit(1),
)
/** The time zones that organizations use, each found in the index after the one before: there are few. */
export function timeZones(db: Db): string[] {
  const next = nextZone(db)
  const zones: string[] = []
  for (let row = next.get({ after: '' }); row; row = next.get({ after: row.timeZone })) zones.push(row.timeZone)
  return zones
}

/**
 * `version` changes with every write in the organization, so the time of change identifies the state of its settings.
 */
export const revisionOf = (row: OrganizationRow): number => Date.parse(row.updatedAt)

/** The operator's organization: the first one made. */
export const operatorOrganization = (db: Db): OrganizationRow | undefined => first(db).get({})

const SETTINGS = [
  'name',
  'address',
  'niu',
  'rccm',
  'tvaRegistered',
  'tvaChanges',
  'timeZone',
  'locale',
  'dueDay',
  'issueDaysBefore',
  'requireProof',
  'reminderSchedule',
  'quietFrom',
  'quietTo',
  'secondFactor',
  'payTo',
  'payToChangedAt',
  'phoneNumber',
  'messagesPerDay',
  'confirmCash',
  'formalNoticeDays',
  'updatedAt',
] as const
const save = query('organization.save', [...SETTINGS, 'id'], (db, p) =>
  db
    .update(organization)
    // The write itself increments the version.
    .set(Object.fromEntries(SETTINGS.map((k) => [k, sql`${sql.param(p[k], organization[k])}`])))
    .where(eq(organization.id, p.id)),
)
export const saveOrganization = (tx: Tx, row: OrganizationRow): void => void save(tx).run(row)

const MOST_TEAM = 50
const team = query('organization.team', ['orgId', 'limit'], (db, p) =>
  db
    .select({ userId: appUser.id, name: sql<string | null>`${fullName(appUser)}`, roles: appUser.roles })
    .from(appUser)
    .where(and(eq(appUser.orgId, p.orgId), eq(appUser.status, 'ACTIVE'), sql`${appUser.roles} <> '["TENANT"]'`))
    .orderBy(asc(appUser.id))
    .limit(p.limit),
)
/** The staff of the organization, and with `owners` its owners too. */
export const teamOf = (db: Db, orgId: string, owners: boolean) =>
  team(db)
    .all({ orgId, limit: MOST_TEAM })
    .flatMap(({ userId, name, roles }) =>
      roles.some((role) => role === 'MANAGER' || role === 'ADMIN' || (owners && role === 'OWNER'))
        ? [{ userId, name: name ?? '' }]
        : [],
    )

/** More leases than any one person lives in. */
const MOST_LEASES = 50
const rented = readingAll(
  'organization.rentedBy',
  ['orgId', 'userId'],
  {
    propertyId: booking.propertyId,
    propertyName: booking.propertyName,
    payTo: property.payTo,
    payToChangedAt: property.payToChangedAt,
  },
  (db, columns, p) =>
    db
      .select(columns)
      .from(booking)
      .innerJoin(property, and(eq(property.orgId, booking.orgId), eq(property.id, booking.propertyId)))
      .where(
        and(
          eq(booking.orgId, p.orgId),
          eq(booking.tenantUserId, p.userId),
          or(
            inArray(sql`+${booking.status}`, ['PENDING', 'ACTIVE']),
            sql`exists (select 1 from ${invoice} where ${invoice.bookingId} = ${booking.id} and +${invoice.status} in ('ISSUED', 'OVERDUE'))`,
          ),
        ),
      )
      .orderBy(desc(booking.id))
      .limit(MOST_LEASES),
)
/** The properties that a person rents, or still owes rent for, the newest lease first; `payTo` where they say so. */
export const rentedBy = (db: Db, orgId: string, userId: string) => {
  const rows = rented(db, { orgId, userId })
  return rows.filter((row, i) => rows.findIndex(({ propertyId }) => propertyId === row.propertyId) === i)
}

/** Binds a rule of a body to the request of a caller, as a route needs it. */
export const onToday =
  ({ db, clock }: Pick<Deps, 'db' | 'clock'>, rule: BodyRule) =>
  (body: Members, { orgId }: Caller): ReturnType<BodyRule> => {
    const org = findOrganization(db, orgId)
    return org ? rule(body, localDate(clock.now(), org.timeZone)) : []
  }

/** How many rows of a kind an organization has, as triggers have counted them; `kind person`: those a person entered. */
export const rowsCounted = readingBy('rowCount.of', rowCount, rowCount.orgId, rowCount.kind)

export const dropCount = query('rowCount.drop', ['orgId', 'kind'], (db, p) =>
  db.delete(rowCount).where(and(eq(rowCount.orgId, p.orgId), eq(rowCount.kind, p.kind))),
)

/** Counts `n` more rows, all at once; returns no row, and counts nothing, if that were more than `most`. */
export const takeRows = query('rowCount.take', ['orgId', 'kind', 'n', 'most'], (db, p) =>
  db
    .insert(rowCount)
    .values({ orgId: p.orgId, kind: p.kind, n: p.n })
    .onConflictDoUpdate({
      target: [rowCount.orgId, rowCount.kind],
      set: { n: sql`${rowCount.n} + excluded.n` },
      setWhere: sql`${rowCount.n} + excluded.n <= ${p.most}`,
    })
    .returning({ n: rowCount.n }),
)
