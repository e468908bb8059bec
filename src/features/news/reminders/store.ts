import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type Placeholder,
  sql,
} from 'drizzle-orm'
import { reach } from '../../../../db/list/filters.ts'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, saving } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { outboundMessage } from '../../../../db/schema/messages.ts'
import { organization } from '../../../../db/schema/organizations.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { letter, rentMessage } from '../../../../db/schema/reminders.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'

export type RentMessageRow = typeof rentMessage.$inferSelect
export const insertRentMessage = inserting('rentMessage.insert', rentMessage)
export const saveRentMessage = saving(
  'rent_message',
  rentMessage,
  'bookingId',
  'invoiceId',
  'step',
  'currency',
  'locale',
  'maskedDestination',
  'once',
  'sentBy',
  'sentOn',
  'linkExpiresAt',
  'withheld',
  'sendAfter',
)
export const findRentMessage = reading('rentMessage.byId', rentMessage)

export type LetterRow = typeof letter.$inferSelect
export const insertLetter = inserting('letter.insert', letter)
export const saveLetter = saving('letter', letter, 'bookingId', 'number', 'locale', 'data')
export const findLetter = reading('letter.byId', letter)

/** The letter that a signed link names; the signature replaces the check of the organization. */
export const findLinkedLetter = query('letter.anywhere', ['id'], (db, p) =>
  db.select().from(letter).where(eq(letter.id, p.id)),
)
const letters = query('letter.ofBooking', ['orgId', 'bookingId'], (db, p) =>
  db
    .select()
    .from(letter)
    .where(and(eq(letter.orgId, p.orgId), eq(letter.bookingId, p.bookingId)))
    .orderBy(asc(letter.id)),
)
/** The letters of a lease, oldest first. */
export const lettersOf = (db: Db, orgId: string, bookingId: string): LetterRow[] =>
  letters(db).all({ orgId, bookingId })

/** Letters to be drawn by now, those waiting longest first. */
export const dueLetters = query('letter.due', ['now', 'limit'], (db, p) =>
  db
    .select({ id: letter.id, orgId: letter.orgId })
    .from(letter)
    .where(and(lte(letter.renderAt, p.now), livesHere(letter.orgId)))
    .orderBy(asc(letter.renderAt), asc(letter.id))
    .limit(p.limit),
)
const stored = query('letter.stored', ['after', 'limit'], (db, p) =>
  db
    .select({ id: letter.id, sha256: letter.sha256, sizeBytes: letter.sizeBytes })
    .from(letter)
    .where(and(gt(letter.id, p.after), isNotNull(letter.sha256)))
    .orderBy(asc(letter.id))
    .limit(p.limit),
)
/** Letters of all organizations that have a file, paged by id. */
export const storedLetters = (db: Db, after: string, limit: number) => stored(db).all({ after, limit })

/** The message that a link's token names; the token replaces the check of the organization. */
export const findLinkedRentMessage = query('rentMessage.anywhere', ['id'], (db, p) =>
  db.select().from(rentMessage).where(eq(rentMessage.id, p.id)),
)
const ofInvoice = query('rentMessage.ofInvoice', ['orgId', 'invoiceId'], (db, p) =>
  db
    .select({
      id: rentMessage.id,
      step: rentMessage.step,
      sentOn: rentMessage.sentOn,
      once: rentMessage.once,
      withheld: rentMessage.withheld,
      handling: rentMessage.handling,
    })
    .from(rentMessage)
    .where(and(eq(rentMessage.orgId, p.orgId), eq(rentMessage.invoiceId, p.invoiceId))),
)
/** The messages about an invoice. */
export const messagesOf = (db: Db, orgId: string, invoiceId: string) => ofInvoice(db).all({ orgId, invoiceId })

/**
 * Messages that people have to send, of owners within reach, made after `after`: the newest of its lease, while it is owed
 * and nobody has declared it paid; and those that were sent by hand since `since`.
 */
const inOutbox = (p: Record<'orgId' | 'owner' | 'after' | 'today' | 'since', Placeholder>) =>
  and(
    eq(rentMessage.orgId, p.orgId),
    gt(rentMessage.id, p.after),
    sql`${rentMessage.withheld} is not null`,
    eq(booking.orgId, rentMessage.orgId),
    eq(booking.id, rentMessage.bookingId),
    reach(booking, p.owner),
    or(
      and(eq(rentMessage.handling, sql`'SENT_BY_HAND'`), sql`${rentMessage.handledAt} >= ${p.since}`),
      and(
        sql`(${rentMessage.handling} is null or ${rentMessage.handling} = 'OPENED')`,
        sql`not exists (select 1 from ${rentMessage} as newer where newer.org_id = ${rentMessage.orgId} and newer.booking_id = ${rentMessage.bookingId} and newer.id > ${rentMessage.id})`,
        sql`not exists (select 1 from ${payment} where ${payment.orgId} = ${rentMessage.orgId} and ${payment.bookingId} = ${rentMessage.bookingId} and +${payment.status} = 'PENDING')`,
        sql`exists (select 1 from ${invoice} where +${invoice.orgId} = ${rentMessage.orgId} and ${invoice.bookingId} = ${rentMessage.bookingId} and ${invoice.status} in ('ISSUED','OVERDUE') and (${invoice.id} = ${rentMessage.invoiceId} or ${invoice.dueDate} < ${p.today}))`,
      ),
    ),
  )
const OUTBOX = ['orgId', 'owner', 'after', 'today', 'since'] as const
export const outboxMessages = query('outbox.messages', [...OUTBOX, 'limit'], (db, p) =>
  db
    .select(getTableColumns(rentMessage))
    .from(rentMessage)
    .crossJoin(booking)
    .where(inOutbox(p))
    .orderBy(asc(rentMessage.id))
    .limit(p.limit),
)
/** How many of them wait or are opened. */
export const outboxCount = query('outbox.count', OUTBOX, (db, p) =>
  db.select({ n: count() }).from(rentMessage).crossJoin(booking).where(inOutbox(p)),
)

const byHand = query('rentMessage.byHand', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ n: count() })
    .from(rentMessage)
    .where(and(eq(rentMessage.orgId, p.orgId), eq(rentMessage.bookingId, p.bookingId), isNull(rentMessage.once))),
)
/** How many reminders about a lease were sent by hand. */
export const remindersByHand = (db: Db, orgId: string, bookingId: string): number =>
  byHand(db).get({ orgId, bookingId })?.n ?? 0

/** Organizations of a time zone without a reminder run today, paged by id. */
export const organizationsToRemind = query('reminder.organizations', ['timeZone', 'today', 'after', 'limit'], (db, p) =>
  db
    .select()
    .from(organization)
    .where(
      and(
        eq(organization.timeZone, sql`+${p.timeZone}`),
        gt(organization.id, sql`+${p.after}`),
        lt(sql`coalesce(${organization.remindedOn}, '')`, p.today),
        livesHere(organization.id),
      ),
    )
    .orderBy(asc(organization.id))
    .limit(p.limit),
)
export const markReminded = query('reminder.mark', ['orgId', 'today'], (db, p) =>
  db
    .update(organization)
    .set({ remindedOn: sql`${p.today}` })
    .where(eq(organization.id, p.orgId)),
)
/** Open invoices that are read at once. */
const PAGE = 1000
const place = sql<number>`${invoice}.rowid`
const open = query('reminder.open', ['orgId', 'status', 'dueDate', 'row', 'to', 'limit'], (db, p) =>
  db
    .select({
      id: invoice.id,
      bookingId: invoice.bookingId,
      dueDate: invoice.dueDate,
      issuedOn: invoice.issuedOn,
      row: place,
    })
    .from(invoice)
    .where(
      and(
        eq(invoice.orgId, p.orgId),
        eq(invoice.status, p.status),
        // Written as in the partial index, so that SQLite uses it.
        sql`${invoice.status} <> 'PAID'`,
        sql`(${invoice.dueDate}, ${place}) > (${p.dueDate}, ${p.row})`,
        lte(invoice.dueDate, p.to),
      ),
    )
    .orderBy(asc(invoice.dueDate), asc(place))
    .limit(p.limit),
)
type Place = { readonly dueDate: string; readonly row: number }
/** Open invoices due by `to`, page by page. One that becomes overdue meanwhile is among both, and never among none. */
export function* openInvoices(db: Db, orgId: string, to: string) {
  for (const status of ['ISSUED', 'OVERDUE']) {
    let after: Place | undefined = { dueDate: '', row: -1 }
    while (after) {
      const { dueDate, row }: Place = after
      const page = open(db).all({ orgId, status, dueDate, row, to, limit: PAGE })
      yield page
      after = page.length < PAGE ? undefined : page.at(-1)
    }
  }
}

export const listRentMessages = list({
  name: 'rentMessages',
  table: rentMessage,
  org: rentMessage.orgId,
  id: rentMessage.id,
  columns: listColumns(rentMessage, 'once', 'sentOn'),
  computed: () => ({
    delivery: sql<
      string | null
    >`(select ${outboundMessage.status} from ${outboundMessage} where ${outboundMessage.id} = ${rentMessage.id})`,
    handledByName: sql<
      string | null
    >`(select nullif(trim(coalesce(${appUser.firstName}, '') || ' ' || coalesce(${appUser.lastName}, '')), '') from ${appUser} where ${appUser.id} = ${rentMessage.handledBy})`,
  }),
  filters: { bookingId: { column: rentMessage.bookingId, base: true } },
  ranges: { updatedSince: { column: rentMessage.updatedAt, op: '>=' } },
  scopes: {},
})

/** The payment that a link's token names; the token replaces the check of the organization. */
export const findLinkedPayment = query('payment.anywhere', ['id'], (db, p) =>
  db.select().from(payment).where(eq(payment.id, p.id)),
)
