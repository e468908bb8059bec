import { and, asc, eq, sql } from 'drizzle-orm'
import { list } from '../../../../db/list.ts'
import type { Db } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving, shown } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { signature, signedCopy } from '../../../../db/schema/contracts.ts'
import { document } from '../../../../db/schema/documents.ts'

export type SignatureRow = typeof signature.$inferSelect
export const insertSignature = inserting('signature.insert', signature)
export const findSignature = reading('signature.byId', signature)
export const saveSignature = saving(
  'signature',
  signature,
  'bookingId',
  'documentId',
  'sha256',
  'party',
  'userId',
  'onBehalf',
  'fullName',
  'channel',
  'maskedNumber',
  'signedAt',
  'challengeId',
  'requestId',
  'signerId',
)

const valid = query('signature.valid', ['orgId', 'bookingId'], (db, p) =>
  db
    .select()
    .from(signature)
    .where(and(eq(signature.orgId, p.orgId), eq(signature.bookingId, p.bookingId), eq(signature.status, 'VALID')))
    .orderBy(asc(signature.id)),
)
/** The signatures of a lease that count, in the order in which they were given. */
export const validSignatures = (db: Db, orgId: string, bookingId: string): SignatureRow[] =>
  valid(db).all({ orgId, bookingId })

const ofUser = query('signature.ofUser', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(signature)
    .where(and(eq(signature.orgId, p.orgId), eq(signature.userId, p.userId)))
    .orderBy(asc(signature.id)),
)
/** Everything that a person signed, oldest first. */
export const signaturesOf = (db: Db, orgId: string, userId: string): SignatureRow[] => ofUser(db).all({ orgId, userId })

const contracts = query('document.contracts', ['orgId', 'bookingId'], (db, p) =>
  db
    .select({ number: document.number })
    .from(document)
    .where(
      and(
        eq(document.orgId, p.orgId),
        eq(document.bookingId, p.bookingId),
        eq(sql`+${document.kind}`, 'LEASE_CONTRACT'),
      ),
    )
    .orderBy(asc(document.id)),
)
/** The number of a lease's next contract: that of the first, with its version; undefined where there is none yet. */
export function nextVersion(db: Db, orgId: string, bookingId: string): string | undefined {
  const all = contracts(db).all({ orgId, bookingId })
  return all[0] && `${all[0].number}-v${all.length + 1}`
}

const anyPending = exists('booking.anyPending', ['orgId'], booking, (p) =>
  and(eq(booking.orgId, p.orgId), eq(booking.status, sql`'PENDING'`)),
)
/** Whether a lease of the organization is out for signing. */
export const hasPending = (db: Db, orgId: string): boolean => anyPending(db, { orgId })

export type SignedCopyRow = typeof signedCopy.$inferSelect
export const insertSignedCopy = inserting('signedCopy.insert', signedCopy)
const ofBooking = query('signedCopy.ofBooking', ['orgId', 'bookingId'], (db, p) =>
  db
    .select()
    .from(signedCopy)
    .where(and(eq(signedCopy.orgId, p.orgId), eq(signedCopy.bookingId, p.bookingId))),
)
/** The scan of a lease signed on paper. */
export const signedCopyOf = (
  db: Db,
  orgId: string,
  bookingId: string,
): (SignedCopyRow & { version: 1 }) | undefined => {
  const row = ofBooking(db).get({ orgId, bookingId })
  return row && { ...row, version: 1 }
}

export const listSignatures = list({
  name: 'signatures',
  table: signature,
  org: signature.orgId,
  id: signature.id,
  columns: shown(signature, 'challengeId', 'requestId'),
  filters: { bookingId: { column: signature.bookingId, base: true } },
  ranges: { updatedSince: { column: signature.updatedAt, op: '>=' } },
  scopes: {},
})
