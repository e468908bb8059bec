import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, unique, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { RECOVERY_KINDS, RECOVERY_STATUS } from '../../src/features/people/codes/rules.ts'
import { NEWS_KINDS, type Notifications } from '../../src/features/people/notifications/rules.ts'
import { USER_STATUS } from '../../src/features/people/users/rules.ts'
import { flag, json, listIndexes } from './columns.ts'
import { organization } from './organizations.ts'

export const appUser = sqliteTable(
  'app_user',
  {
    id: text().primaryKey(),
    orgId: text('org_id')
      .notNull()
      .references(() => organization.id),
    subject: text().notNull(),
    username: text(),
    email: text(),
    firstName: text('first_name'),
    lastName: text('last_name'),
    phoneNumber: text('phone_number'),
    phoneVerified: flag('phone_verified').notNull(),
    roles: json<readonly string[]>()().notNull(),
    locale: text({ enum: ['fr', 'en'] }),
    status: text({ enum: USER_STATUS }).notNull(),
    /** Tokens issued before this time (epoch seconds) are refused. */
    notBefore: integer('not_before'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    version: integer().notNull().default(1),
    /** The news that they chose, and how they get it; null means the defaults of their roles. */
    notifications: json<Notifications>()(),
    /** Printed on the papers made out in their name as landlord. */
    niu: text(),
    idType: text('id_type'),
    idNumber: text('id_number'),
    address: text(),
    /** A manager who sees the properties assigned to them only. */
    limited: flag().notNull().default(false),
    /** When they lost the role ADMIN (epoch seconds): others do not recover their account at once for a day. */
    adminUntil: integer('admin_until'),
  },
  (t) => [
    unique('app_user_org_id').on(t.orgId, t.id),
    uniqueIndex('app_user_org_subject').on(t.orgId, t.subject),
    index('app_user_username').on(t.username),
    index('app_user_phone').on(t.phoneNumber, t.id),
    ...listIndexes('app_user', t.orgId, t.id, { filters: [t.status], ranges: [t.updatedAt] }),
    check('app_user_status', sql`${t.status} in ('INVITED','ACTIVE','DISABLED','ERASED')`),
  ],
)

/**
 * A change of phone number that the old number can still undo, by the link it received. Times in epoch ms of real
 * time.
 */
export const phoneUndo = sqliteTable(
  'phone_undo',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    userId: text('user_id').notNull(),
    oldNumber: text('old_number').notNull(),
    newNumber: text('new_number').notNull(),
    changedAt: integer('changed_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** When it was undone, or when nothing was left to undo. */
    usedAt: integer('used_at'),
  },
  (t) => [index('phone_undo_user').on(t.userId, t.id), index('phone_undo_expires').on(t.expiresAt)],
)

/**
 * What an ADMIN asked for to let another ADMIN back in: it waits, and that person can stop it. The id is also that of
 * its recovery code. Times in epoch ms of real time.
 */
export const recovery = sqliteTable(
  'recovery',
  {
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    userId: text('user_id').notNull(),
    askedBy: text('asked_by').notNull(),
    kind: text({ enum: RECOVERY_KINDS }).notNull(),
    status: text({ enum: RECOVERY_STATUS }).notNull(),
    askedAt: integer('asked_at').notNull(),
    effectiveAt: integer('effective_at').notNull(),
    /** From here on nothing is left to stop. */
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [
    index('recovery_org').on(t.orgId, t.status, t.id),
    index('recovery_user').on(t.userId, t.askedAt),
    index('recovery_expires').on(t.expiresAt),
  ],
)

/** News that a person wants in the morning: it waits here until their digest goes out, and is deleted with it. */
export const newsItem = sqliteTable(
  'news_item',
  {
    /** Made of the event and the person: the same news waits once. */
    id: text().primaryKey(),
    orgId: text('org_id').notNull(),
    userId: text('user_id').notNull(),
    kind: text({ enum: NEWS_KINDS }).notNull(),
    /** Francs, where the news is about money. */
    amount: integer(),
    createdAt: text('created_at').notNull(),
    /** The property that it is about; null in rows older than this column. */
    propertyId: text('property_id'),
  },
  (t) => [
    foreignKey({
      name: 'news_item_user_fk',
      columns: [t.orgId, t.userId],
      foreignColumns: [appUser.orgId, appUser.id],
    }),
    index('news_item_user').on(t.orgId, t.userId, t.id),
  ],
)
