import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query, readingBy } from '../../../../db/query.ts'
import { organization } from '../../../../db/schema/organizations.ts'

export type OrganizationRow = typeof organization.$inferSelect
export const insertOrganization = inserting('organization.insert', organization)

export const findOrganization = readingBy('organization.byId', organization, organization.id)

const first = query('organization.first', [], (db) =>
  db.select().from(organization).orderBy(sql`rowid`).limit(1).prepare(),
)
const zones = query('organization.zones', [], (db) =>
  db.selectDistinct({ timeZone: organization.timeZone }).from(organization).prepare(),
)
/** The time zones that organizations use. */
export const timeZones = (db: Db): string[] =>
  zones(db)
    .all({})
    .map((row) => row.timeZone)

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
  'timeZone',
  'locale',
  'dueDay',
  'issueDaysBefore',
  'requireProof',
  'reminderSchedule',
  'quietFrom',
  'quietTo',
  'secondFactor',
  'updatedAt',
] as const
const save = query('organization.save', [...SETTINGS, 'id'], (db, p) =>
  db
    .update(organization)
    // The write itself increments the version.
    .set(Object.fromEntries(SETTINGS.map((k) => [k, sql`${sql.param(p[k], organization[k])}`])))
    .where(eq(organization.id, p.id))
    .prepare(),
)
export const saveOrganization = (tx: Tx, row: OrganizationRow): void => void save(tx).run(row)
