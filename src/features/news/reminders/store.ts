import { and, asc, count, eq, gt, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db } from '../../../../db/open.ts'
import { inserting, query, reading, saving } from '../../../../db/query.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { organization } from '../../../../db/schema/organizations.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { letter, rentMessage } from '../../../../db/schema/reminders.ts'
import { livesHere } from '../../../../db/transfer/moves.ts'
import type { Step } from './rules.ts'

export type RentMessageRow = typeof rentMessage.$inferSelect
export const insertRentMessage = inserting('rentMessage.insert', rentMessage)
export const saveRentMessage = saving(
  'rent_message',
  rentMessage,
  'bookingId',
  'invoiceId',
  'step',
  'amount',
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
    .select({ id: rentMessage.id, step: rentMessage.step, sentOn: rentMessage.sentOn, once: rentMessage.once })
    .from(rentMessage)
    .where(and(eq(rentMessage.orgId, p.orgId), eq(rentMessage.invoiceId, p.invoiceId))),
)
/** The messages about an invoice. */
export const messagesOf = (
  db: Db,
  orgId: string,
  invoiceId: string,
): { id: string; step: Step; sentOn: string; once: string | null }[] => ofInvoice(db).all({ orgId, invoiceId })

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
  filters: { bookingId: { column: rentMessage.bookingId, base: true } },
  ranges: { updatedSince: { column: rentMessage.updatedAt, op: '>=' } },
  scopes: {},
})

/** The payment that a link's token names; the token replaces the check of the organization. */
export const findLinkedPayment = query('payment.anywhere', ['id'], (db, p) =>
  db.select().from(payment).where(eq(payment.id, p.id)),
)
