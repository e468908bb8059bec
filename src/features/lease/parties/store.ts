import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { exists, inserting, query, reading, saving } from '../../../../db/query.ts'
import { leaseParty, signature } from '../../../../db/schema/contracts.ts'

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

const byLink = query('leaseParty.byLink', ['id'], (db, p) =>
  db
    .select()
    .from(leaseParty)
    .where(and(eq(leaseParty.id, p.id), sql`${leaseParty.removedAt} is null`)),
)
/** The party that a link is for, of whichever organization. */
export const partyOfLink = (db: Db, id: string): PartyRow | undefined => byLink(db).get({ id })
