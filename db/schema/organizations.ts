import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { SECOND_FACTOR } from '../../src/features/people/organizations/rules.ts'
import { flag, json } from './columns.ts'

export const organization = sqliteTable(
  'organization',
  {
    id: text().primaryKey(),
    name: text(),
    address: text(),
    niu: text(),
    rccm: text(),
    tvaRegistered: flag('tva_registered').notNull(),
    timeZone: text('time_zone').notNull(),
    locale: text({ enum: ['fr', 'en'] }).notNull(),
    dueDay: integer('due_day'),
    issueDaysBefore: integer('issue_days_before').notNull(),
    requireProof: flag('require_proof').notNull(),
    reminderSchedule: json<readonly number[]>()('reminder_schedule'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    /** Bumped by every committed write of the organization: the weak ETag of its lists. */
    version: integer().notNull().default(1),
    /** Local times, HH:MM, between which nothing is sent that can wait; both or neither. */
    quietFrom: text('quiet_from'),
    quietTo: text('quiet_to'),
    /** The last local day on which reminders were looked at. */
    remindedOn: text('reminded_on'),
    /** STAFF: who administers or manages signs in with a second factor. */
    secondFactor: text('second_factor', { enum: SECOND_FACTOR }).notNull().default('OFF'),
  },
  (t) => [index('organization_time_zone').on(t.timeZone, t.id)],
)

/** Small facts of this database: its epoch, the sandbox clock, when jobs last ran. */
export const setting = sqliteTable('setting', { key: text().primaryKey(), value: text().notNull() })
