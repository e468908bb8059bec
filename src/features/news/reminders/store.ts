import { and, asc, count, eq, gt, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import { livesHere } from '../../../../db/moves.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { inserting, query, reading, saving, shown } from '../../../../db/query.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { organization } from '../../../../db/schema/organizations.ts'
import { payment } from '../../../../db/schema/payments.ts'
import { notice, noticeLetter } from '../../../../db/schema/reminders.ts'
import type { Step } from './rules.ts'

export type NoticeRow = typeof notice.$inferSelect
export const insertNotice = inserting('notice.insert', notice)
export const saveNotice = saving(
  'notice',
  notice,
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
export const findNotice = reading('notice.byId', notice)

export type LetterRow = typeof noticeLetter.$inferSelect
export const insertLetter = inserting('noticeLetter.insert', noticeLetter)
export const saveLetter = saving('notice_letter', noticeLetter, 'bookingId', 'number', 'locale', 'data')
export const findLetter = reading('noticeLetter.byId', noticeLetter)

const linkedLetter = query('noticeLetter.anywhere', ['id'], (db, p) =>
  db.select().from(noticeLetter).where(eq(noticeLetter.id, p.id)),
)
/** The letter that a signed link names; the signature replaces the check of the organization. */
export const findLinkedLetter = (db: Db, id: string): LetterRow | undefined => linkedLetter(db).get({ id })

const letters = query('noticeLetter.ofBooking', ['orgId', 'bookingId'], (db, p) =>
  db
    .select()
    .from(noticeLetter)
    .where(and(eq(noticeLetter.orgId, p.orgId), eq(noticeLetter.bookingId, p.bookingId)))
    .orderBy(asc(noticeLetter.id)),
)
/** The letters of a lease, oldest first. */
export const lettersOf = (db: Db, orgId: string, bookingId: string): LetterRow[] =>
  letters(db).all({ orgId, bookingId })

const dueLetter = query('noticeLetter.due', ['now', 'limit'], (db, p) =>
  db
    .select({ id: noticeLetter.id, orgId: noticeLetter.orgId })
    .from(noticeLetter)
    .where(and(lte(noticeLetter.renderAt, p.now), livesHere(noticeLetter.orgId)))
    .orderBy(asc(noticeLetter.renderAt), asc(noticeLetter.id))
    .limit(p.limit),
)
/** Letters to be drawn by now, those waiting longest first. */
export const dueLetters = (db: Db, now: number, limit: number) => dueLetter(db).all({ now, limit })

const stored = query('noticeLetter.stored', ['after', 'limit'], (db, p) =>
  db
    .select({ id: noticeLetter.id, sha256: noticeLetter.sha256, sizeBytes: noticeLetter.sizeBytes })
    .from(noticeLetter)
    .where(and(gt(noticeLetter.id, p.after), isNotNull(noticeLetter.sha256)))
    .orderBy(asc(noticeLetter.id))
    .limit(p.limit),
)
/** Letters of all organizations that have a file, paged by id. */
export const storedLetters = (db: Db, after: string, limit: number) => stored(db).all({ after, limit })

const anywhere = query('notice.anywhere', ['id'], (db, p) => db.select().from(notice).where(eq(notice.id, p.id)))
/** The notice that a link's token names; the token replaces the check of the organization. */
export const findLinkedNotice = (db: Db, id: string): NoticeRow | undefined => anywhere(db).get({ id })

const ofInvoice = query('notice.ofInvoice', ['orgId', 'invoiceId'], (db, p) =>
  db
    .select({ id: notice.id, step: notice.step, sentOn: notice.sentOn, once: notice.once })
    .from(notice)
    .where(and(eq(notice.orgId, p.orgId), eq(notice.invoiceId, p.invoiceId))),
)
/** The notices about an invoice. */
export const noticesOf = (
  db: Db,
  orgId: string,
  invoiceId: string,
): { id: string; step: Step; sentOn: string; once: string | null }[] => ofInvoice(db).all({ orgId, invoiceId })

const byHand = query('notice.byHand', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ n: count() })
    .from(notice)
    .where(and(eq(notice.orgId, p.orgId), eq(notice.bookingId, p.bookingId), isNull(notice.once))),
)
/** How many reminders about a lease were sent by hand. */
export const remindersByHand = (db: Db, orgId: string, bookingId: string): number =>
  byHand(db).get({ orgId, bookingId })?.n ?? 0

const waiting = query('reminder.organizations', ['timeZone', 'today', 'after', 'limit'], (db, p) =>
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
/** Organizations of a time zone without a reminder run today, paged by id. */
export const organizationsToRemind = (db: Db, timeZone: string, today: string, after: string, limit: number) =>
  waiting(db).all({ timeZone, today, after, limit })

const mark = query('reminder.mark', ['orgId', 'today'], (db, p) =>
  db
    .update(organization)
    .set({ remindedOn: sql`${p.today}` })
    .where(eq(organization.id, p.orgId)),
)
export const markReminded = (tx: Tx, orgId: string, today: string): void => void mark(tx).run({ orgId, today })

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

export const listNotices = list({
  name: 'notices',
  table: notice,
  org: notice.orgId,
  id: notice.id,
  columns: shown(notice, 'once', 'sentOn'),
  filters: { bookingId: { column: notice.bookingId, base: true } },
  ranges: { updatedSince: { column: notice.updatedAt, op: '>=' } },
  scopes: {},
})

const paymentAnywhere = query('payment.anywhere', ['id'], (db, p) =>
  db.select().from(payment).where(eq(payment.id, p.id)),
)
/** The payment that a link's token names; the token replaces the check of the organization. */
export const findLinkedPayment = (db: Db, id: string) => paymentAnywhere(db).get({ id })
