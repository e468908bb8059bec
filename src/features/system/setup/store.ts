import { and, eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db, Tx } from '../../../../db/open.ts'
import { query } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { leaseParty, leasePayer, signature, signedCopy } from '../../../../db/schema/contracts.ts'
import { depositEntry } from '../../../../db/schema/deposits.ts'
import { document } from '../../../../db/schema/documents.ts'
import { expense, ownerTransfer } from '../../../../db/schema/expenses.ts'
import { inspection, inspectionPhoto, inspectionSignature } from '../../../../db/schema/inspections.ts'
import { invoice } from '../../../../db/schema/invoices.ts'
import { mediaObject } from '../../../../db/schema/media.ts'
import { moneyMessage } from '../../../../db/schema/mobile-money.ts'
import { allocation, payment, transfer } from '../../../../db/schema/payments.ts'
import { assignment, property, unit } from '../../../../db/schema/properties.ts'
import { letter, rentMessage } from '../../../../db/schema/reminders.ts'
import { rentChange } from '../../../../db/schema/rents.ts'
import { repair, repairEntry } from '../../../../db/schema/repairs.ts'
import { tenant } from '../../../../db/schema/tenants.ts'
import { appUser } from '../../../../db/schema/users.ts'
import { verificationCase, verificationDocument } from '../../../../db/schema/verification.ts'
import { readSetting, writeSetting } from '../../../../db/settings.ts'

const anyone = query('setup.anyone', [], (db) => db.select({ id: appUser.id }).from(appUser).limit(1))
/** Whether anybody has an account or an invitation on this server. */
export const isInhabited = (db: Db): boolean => anyone(db).get({}) !== undefined

const DIGEST = 'setup.digest'
/** SHA-256 of the link's token; empty while there is no link. */
export const readDigest = (db: Db): string => readSetting(db, DIGEST) ?? ''
export const writeDigest = (tx: Tx, digest: string): void => writeSetting(tx, DIGEST, digest)

export type Mark = { readonly propertyId: string; readonly tenantIds: readonly string[] }
const key = (orgId: string): string => `sample.${orgId}`
/** The roots of an organization's sample data: every other sample row refers to them. */
export function readMark(db: Db, orgId: string): Mark | undefined {
  const text = readSetting(db, key(orgId))
  // This service wrote it.
  return text ? (JSON.parse(text) as Mark) : undefined
}
export const writeMark = (tx: Tx, orgId: string, mark: Mark | undefined): void =>
  writeSetting(tx, key(orgId), mark ? JSON.stringify(mark) : '')

const bookings = query('sample.bookings', ['orgId', 'propertyId'], (db, p) =>
  db
    .select({ id: booking.id, tenantId: booking.tenantId })
    .from(booking)
    .where(and(eq(booking.orgId, p.orgId), eq(booking.propertyId, p.propertyId))),
)
const rented = query('sample.rented', ['orgId', 'tenantId'], (db, p) =>
  db
    .select({ id: booking.id, propertyId: booking.propertyId })
    .from(booking)
    .where(and(eq(booking.orgId, p.orgId), eq(booking.tenantId, p.tenantId))),
)
export const bookingsOf = (db: Db, orgId: string, propertyId: string) => bookings(db).all({ orgId, propertyId })
export const rentedBy = (db: Db, orgId: string, tenantId: string) => rented(db).all({ orgId, tenantId })

type Owned = SQLiteTable & { readonly orgId: SQLiteColumn }
const dropping = <T extends Owned>(name: string, table: T, column: SQLiteColumn) =>
  query(`sample.${name}`, ['orgId', 'id'], (db, p) =>
    db.delete(table).where(and(eq(table.orgId, p.orgId), eq(column, p.id))),
  )
const ofBooking = (column: SQLiteColumn) => (p: { readonly orgId: unknown; readonly id: unknown }) =>
  sql`${column} in (select ${payment.id} from ${payment} where ${payment.orgId} = ${p.orgId} and ${payment.bookingId} = ${p.id})`
const allocations = query('sample.allocations', ['orgId', 'id'], (db, p) =>
  db.delete(allocation).where(and(eq(allocation.orgId, p.orgId), ofBooking(allocation.paymentId)(p))),
)
const credits = query('sample.messages', ['orgId', 'id'], (db, p) =>
  db.delete(moneyMessage).where(and(eq(moneyMessage.orgId, p.orgId), ofBooking(moneyMessage.paymentId)(p))),
)
const inspected = [inspectionPhoto, inspectionSignature].map((table, i) =>
  query(`sample.inspected${i}`, ['orgId', 'id'], (db, p) =>
    db
      .delete(table)
      .where(
        and(
          eq(table.orgId, p.orgId),
          sql`${table.inspectionId} in (select ${inspection.id} from ${inspection} where ${inspection.orgId} = ${p.orgId} and ${inspection.bookingId} = ${p.id})`,
        ),
      ),
  ),
)
const moved = query('sample.transfers', ['orgId', 'id'], (db, p) =>
  db.delete(transfer).where(
    and(
      eq(sql`+${transfer.orgId}`, p.orgId),
      sql`${transfer.row} in (select transfer from ${payment} where ${payment.orgId} = ${p.orgId} and ${payment.bookingId} = ${p.id}
          union all select transfer from ${depositEntry} where ${depositEntry.orgId} = ${p.orgId} and ${depositEntry.bookingId} = ${p.id})`,
    ),
  ),
)
/** In this order: what refers to payments is deleted before them. */
const BY_BOOKING = [
  ...inspected,
  dropping('inspections', inspection, inspection.bookingId),
  allocations,
  credits,
  moved,
  dropping('payments', payment, payment.bookingId),
  dropping('deposits', depositEntry, depositEntry.bookingId),
  dropping('signatures', signature, signature.bookingId),
  dropping('parties', leaseParty, leaseParty.bookingId),
  dropping('payers', leasePayer, leasePayer.bookingId),
  dropping('signedCopies', signedCopy, signedCopy.bookingId),
  dropping('rentChanges', rentChange, rentChange.bookingId),
  dropping('letters', letter, letter.bookingId),
  dropping('rentMessages', rentMessage, rentMessage.bookingId),
  dropping('documents', document, document.bookingId),
  dropping('invoices', invoice, invoice.bookingId),
]
const proofs = query('sample.proofs', ['orgId', 'id'], (db, p) =>
  db
    .delete(verificationDocument)
    .where(
      and(
        eq(verificationDocument.orgId, p.orgId),
        sql`${verificationDocument.caseId} in (select ${verificationCase.id} from ${verificationCase} where ${verificationCase.orgId} = ${p.orgId} and ${verificationCase.propertyId} = ${p.id})`,
      ),
    ),
)
const threads = query('sample.threads', ['orgId', 'id'], (db, p) =>
  db
    .delete(repairEntry)
    .where(
      and(
        eq(repairEntry.orgId, p.orgId),
        sql`${repairEntry.repairId} in (select ${repair.id} from ${repair} where ${repair.orgId} = ${p.orgId} and ${repair.propertyId} = ${p.id})`,
      ),
    ),
)
const BY_PROPERTY = [
  proofs,
  threads,
  dropping('repairs', repair, repair.propertyId),
  dropping('cases', verificationCase, verificationCase.propertyId),
  dropping('leases', booking, booking.propertyId),
  dropping('expenses', expense, expense.propertyId),
  dropping('ownerTransfers', ownerTransfer, ownerTransfer.propertyId),
  dropping('units', unit, unit.propertyId),
  dropping('assignments', assignment, assignment.propertyId),
  dropping('media', mediaObject, mediaObject.propertyId),
  dropping('property', property, property.id),
]
const tenants = dropping('tenants', tenant, tenant.id)

const papers = query('sample.papers', ['orgId', 'id'], (db, p) =>
  db
    .select({ id: document.id })
    .from(document)
    .where(and(eq(document.orgId, p.orgId), eq(document.bookingId, p.id))),
)
const media = query('sample.files', ['orgId', 'id'], (db, p) =>
  db
    .select({ id: mediaObject.id })
    .from(mediaObject)
    .where(and(eq(mediaObject.orgId, p.orgId), eq(mediaObject.propertyId, p.id))),
)
type Files = { readonly documents: readonly string[]; readonly media: readonly string[] }
/** Deletes the marked rows and all that hangs on them. @returns whose files are to go */
export function dropSamples(tx: Tx, orgId: string, { propertyId, tenantIds }: Mark): Files {
  const leases = bookingsOf(tx, orgId, propertyId)
  const files = {
    documents: leases.flatMap(({ id }) => papers(tx).all({ orgId, id })).map(({ id }) => id),
    media: media(tx)
      .all({ orgId, id: propertyId })
      .map(({ id }) => id),
  }
  for (const drop of BY_BOOKING) for (const { id } of leases) drop(tx).run({ orgId, id })
  for (const drop of BY_PROPERTY) drop(tx).run({ orgId, id: propertyId })
  for (const id of tenantIds) tenants(tx).run({ orgId, id })
  return files
}
