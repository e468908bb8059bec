import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { TvaChange } from '../../src/core/tva.ts'
import { type PayInstruction, SECOND_FACTOR } from '../../src/features/people/organizations/rules.ts'
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
    /** Every committed write to the organization adds 1: the weak ETag of its lists. */
    version: integer().notNull().default(1),
    /**
     * Quiet hours, as local times (HH:MM): messages that can wait are not sent between them. Both are set, or
     * neither.
     */
    quietFrom: text('quiet_from'),
    quietTo: text('quiet_to'),
    /** The last local day on which the reminders job ran. */
    remindedOn: text('reminded_on'),
    /** STAFF: administrators and managers must sign in with a second factor. */
    secondFactor: text('second_factor', { enum: SECOND_FACTOR }).notNull().default('OFF'),
    /** Where rent is paid, for properties without instructions of their own. */
    payTo: json<readonly PayInstruction[]>()('pay_to'),
    /** The number where tenants reach it, printed on papers and pages. */
    phoneNumber: text('phone_number'),
    /** Registrations for TVA and changes of its rate, by their day. */
    tvaChanges: json<readonly TvaChange[]>()('tva_changes'),
    /** Cash that another person received counts only once somebody other than its recorder confirms it. */
    confirmCash: flag('confirm_cash').notNull().default(false),
    /** Messages to tenants and members a day, at most; null for as many as the service allows. */
    messagesPerDay: integer('messages_per_day'),
    /** When the rent was last told to be paid elsewhere than before. */
    payToChangedAt: text('pay_to_changed_at'),
    /** The country whose law holds, ISO 3166-1 alpha-2. */
    country: text().notNull().default('CM'),
    /** Days that a formal notice gives for a home; null for as many as are usual in the country. */
    formalNoticeDays: integer('formal_notice_days'),
  },
  (t) => [index('organization_time_zone').on(t.timeZone, t.id)],
)

/** Settings of this database: its epoch, the sandbox clock, when jobs last ran. */
export const setting = sqliteTable('setting', { key: text().primaryKey(), value: text().notNull() })
