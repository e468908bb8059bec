import { eq, sql } from 'drizzle-orm'
import type { Db, Tx } from './open.ts'
import { query } from './query.ts'
import { organization, setting } from './schema/organizations.ts'

const read = query('setting.get', ['key'], (db, p) =>
  db.select({ value: setting.value }).from(setting).where(eq(setting.key, p.key)),
)
const put = query('setting.put', ['key', 'value'], (db, p) =>
  db
    .insert(setting)
    .values({ key: p.key, value: p.value })
    .onConflictDoUpdate({ target: setting.key, set: { value: sql`excluded.value` } }),
)
/** Key-value settings that the service stores for itself. */
export const readSetting = (db: Db, key: string): string | undefined => read(db).get({ key })?.value
export const writeSetting = (tx: Tx, key: string, value: string): void => void put(tx).run({ key, value })

const factor = query('organization.secondFactor', ['orgId'], (db, p) =>
  db.select({ secondFactor: organization.secondFactor }).from(organization).where(eq(organization.id, p.orgId)),
)
/** Whether the organization asks a person with these roles for a second factor. */
export const requiresFactor = (db: Db, orgId: string, roles: readonly string[]): boolean =>
  roles.some((role) => role === 'ADMIN' || role === 'MANAGER') && factor(db).get({ orgId })?.secondFactor === 'STAFF'
