import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { list } from '../../../../db/list/list.ts'
import { listColumns } from '../../../../db/list/spec.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { leaseParty, signature, signedCopy } from '../../../../db/schema/contracts.ts'
import { document, leaseTemplate } from '../../../../db/schema/documents.ts'

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

/** Everything that a person signed, oldest first. */
export const signaturesOf = query('signature.ofUser', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(signature)
    .where(and(eq(signature.orgId, p.orgId), eq(signature.userId, p.userId)))
    .orderBy(asc(signature.id)),
)
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

/** Whether a lease of the organization is out for signing. */
export const hasPending = exists('booking.anyPending', ['orgId'], booking, (p) =>
  and(eq(booking.orgId, p.orgId), eq(booking.status, sql`'PENDING'`)),
)
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
  columns: listColumns(signature, 'challengeId', 'requestId'),
  filters: { bookingId: { column: signature.bookingId, base: true } },
  ranges: { updatedSince: { column: signature.updatedAt, op: '>=' } },
  scopes: {},
})

export const insertTemplate = inserting('leaseTemplate.insert', leaseTemplate)

/** The version in force; undefined while the organization uses those that come with the program. */
export const latestTemplate = query('leaseTemplate.latest', ['orgId', 'kind'], (db, p) =>
  db
    .select()
    .from(leaseTemplate)
    .where(and(eq(leaseTemplate.orgId, p.orgId), eq(leaseTemplate.kind, p.kind)))
    .orderBy(desc(leaseTemplate.version))
    .limit(1),
)
export type PartyRow = typeof leaseParty.$inferSelect
/** The parties of a lease with the signatures that count; the version is that of all of them. */
export type Parties = {
  /** Of the lease. */
  readonly id: string
  readonly rows: readonly PartyRow[]
  readonly signatures: readonly (typeof signature.$inferSelect)[]
  readonly version: number
}
export const insertParty = inserting('leaseParty.insert', leaseParty)
export const findParty = reading('leaseParty.byId', leaseParty)
export const saveParty = saving('lease_party', leaseParty, 'bookingId')
const partiesOfLease = query('leaseParty.ofBooking', ['orgId', 'bookingId'], (db, p) =>
  db
    .select()
    .from(leaseParty)
    .where(
      and(eq(leaseParty.orgId, p.orgId), eq(leaseParty.bookingId, p.bookingId), sql`${leaseParty.removedAt} is null`),
    )
    .orderBy(asc(leaseParty.id)),
)
/** The co-tenants and guarantors of a lease, in the order in which they were entered. */
export const leaseParties = (db: Db, orgId: string, bookingId: string): PartyRow[] =>
  partiesOfLease(db).all({ orgId, bookingId })

const byPhone = query('leaseParty.byPhone', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select({ bookingId: leaseParty.bookingId })
    .from(leaseParty)
    .where(
      and(
        eq(leaseParty.orgId, p.orgId),
        eq(leaseParty.phoneNumber, p.phoneNumber),
        eq(sql`+${leaseParty.role}`, sql`'CO_TENANT'`),
        sql`${leaseParty.removedAt} is null`,
      ),
    )
    .orderBy(asc(leaseParty.bookingId))
    .limit(20),
)
/** The leases of which a co-tenant has a number. */
export const leasesOfCoTenant = (db: Db, orgId: string, phoneNumber: string): string[] =>
  byPhone(db)
    .all({ orgId, phoneNumber })
    .map(({ bookingId }) => bookingId)

const signedOnce = exists('leaseParty.signed', ['orgId', 'bookingId', 'id'], signature, (p) =>
  and(eq(signature.orgId, p.orgId), eq(signature.bookingId, p.bookingId), eq(sql`+${signature.signerId}`, p.id)),
)
/** Whether a party signed any text of the lease, also one that no longer stands. */
export const hasSigned = (db: Db, { orgId, bookingId, id }: PartyRow): boolean =>
  signedOnce(db, { orgId, bookingId, id })

const drop = query('leaseParty.delete', ['orgId', 'id'], (db, p) =>
  db.delete(leaseParty).where(and(eq(leaseParty.orgId, p.orgId), eq(leaseParty.id, p.id))),
)
export const dropParty = (tx: Tx, { orgId, id }: PartyRow): void => void drop(tx).run({ orgId, id })

/** The party that a link is for, of whichever organization. */
export const partyOfLink = query('leaseParty.byLink', ['id'], (db, p) =>
  db
    .select()
    .from(leaseParty)
    .where(and(eq(leaseParty.id, p.id), sql`${leaseParty.removedAt} is null`)),
)
