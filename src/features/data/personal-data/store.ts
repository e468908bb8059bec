import { and, asc, eq, getTableName, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import { erased } from '../../../../db/erasure.ts'
import type { Db, Tx } from '../../../../db/open.ts'
import { exists, query } from '../../../../db/query.ts'
import { booking } from '../../../../db/schema/bookings.ts'
import { consent } from '../../../../db/schema/challenges.ts'
import { leaseParty, signature } from '../../../../db/schema/contracts.ts'
import { document } from '../../../../db/schema/documents.ts'
import { budgetDay } from '../../../../db/schema/identity.ts'
import { inspectionSignature } from '../../../../db/schema/inspections.ts'
import { message } from '../../../../db/schema/operations.ts'
import { property } from '../../../../db/schema/properties.ts'

/** Which legal texts a person accepted, and when. */
export const consentsOf = query('personal.consents', ['orgId', 'userId'], (db, p) =>
  db
    .select()
    .from(consent)
    .where(and(eq(consent.orgId, p.orgId), eq(consent.userId, p.userId)))
    .orderBy(asc(consent.id)),
)
/** The stored messages to a number; never codes. */
export const messagesTo = query('personal.messages', ['to', 'after', 'limit'], (db, p) =>
  db
    .select({
      id: message.id,
      channel: message.channel,
      purpose: message.purpose,
      text: message.text,
      createdAt: message.createdAt,
    })
    .from(message)
    .where(and(eq(message.to, p.to), gt(message.id, p.after), isNull(sql`+${message.code}`)))
    .orderBy(asc(message.id))
    .limit(p.limit),
)
/** Whether a person owns a property that is not archived. */
export const ownsProperty = exists('personal.ownsProperty', ['orgId', 'userId'], property, (p) =>
  and(eq(property.orgId, p.orgId), eq(property.ownerUserId, p.userId), ne(sql`+${property.status}`, 'ARCHIVED')),
)
/** Deletes a person's spending of daily budgets. */
export const forgetSpending = query('personal.forgetSpending', ['userId'], (db, p) =>
  db
    .delete(budgetDay)
    .where(
      and(
        inArray(budgetDay.budget, [
          'known_sites',
          'kept_answers',
          'factor_browser',
          'factor_network',
          'factor_strangers',
          'news_person',
          'number_change',
          'password_strangers',
          'password_network',
          'password_browser',
          'papers_person',
          'papers_redrawn',
          'password_session',
        ]),
        eq(budgetDay.key, p.userId),
      ),
    ),
)
const requests = query('personal.openRequests', ['orgId', 'userId'], (db, p) =>
  db
    .select({ id: booking.id })
    .from(booking)
    .where(
      and(
        eq(booking.orgId, p.orgId),
        eq(booking.tenantUserId, p.userId),
        eq(sql`+${booking.status}`, 'DRAFT'),
        eq(sql`+${booking.requestedBy}`, p.userId),
      ),
    ),
)
/** A person's lease requests that no landlord has answered yet. */
export const openRequestsOf = (db: Db, orgId: string, userId: string): string[] =>
  requests(db)
    .all({ orgId, userId })
    .map(({ id }) => id)

const proposed = query('personal.proposed', ['orgId', 'tenantId'], (db, p) =>
  db
    .select({ id: booking.id })
    .from(booking)
    .where(and(eq(booking.orgId, p.orgId), eq(booking.tenantId, p.tenantId))),
)
/** The leases of a tenant. */
export const leasesOfTenant = (db: Db, orgId: string, tenantId: string): string[] =>
  proposed(db)
    .all({ orgId, tenantId })
    .map(({ id }) => id)

/** Entries of co-tenants and guarantors with a number, on leases that never were in force. */
export const besideLeases = query('personal.beside', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select({ id: leaseParty.id, bookingId: leaseParty.bookingId })
    .from(leaseParty)
    .innerJoin(booking, and(eq(booking.orgId, leaseParty.orgId), eq(booking.id, leaseParty.bookingId)))
    .where(
      and(
        eq(leaseParty.orgId, p.orgId),
        eq(leaseParty.phoneNumber, p.phoneNumber),
        inArray(sql`+${booking.status}`, ['DRAFT', 'CANCELLED']),
      ),
    ),
)
/** Entries of co-tenants and guarantors with a number: the lease, and what it says of the person. */
export const partiesOfNumber = query('personal.asParty', ['orgId', 'phoneNumber'], (db, p) =>
  db
    .select({
      id: leaseParty.id,
      bookingId: leaseParty.bookingId,
      role: leaseParty.role,
      fullName: leaseParty.fullName,
      phoneNumber: leaseParty.phoneNumber,
      idType: leaseParty.idType,
      idNumber: leaseParty.idNumber,
      address: leaseParty.address,
      createdAt: leaseParty.createdAt,
      removedAt: leaseParty.removedAt,
      unitLabel: booking.unitLabel,
      propertyName: booking.propertyName,
    })
    .from(leaseParty)
    .innerJoin(booking, and(eq(booking.orgId, leaseParty.orgId), eq(booking.id, leaseParty.bookingId)))
    .where(and(eq(leaseParty.orgId, p.orgId), eq(leaseParty.phoneNumber, p.phoneNumber))),
)
/** Of a co-tenant or guarantor of a lease that never was in force: that there was one. */
const PARTY_LEFT = erased(leaseParty, ['bookingId', 'role', 'removedAt'], { fullName: '' })
/** Of their signatures: which text, when and by which act; the number shows its last two digits only. */
const SIGNED = [
  ...(['documentId', 'sha256', 'party', 'userId', 'onBehalf', 'channel', 'maskedNumber', 'signedAt'] as const),
  ...(['challengeId', 'requestId', 'status', 'voidedAt'] as const),
] as const
const SIGNATURE_LEFT = erased(signature, [...SIGNED, 'bookingId', 'voidReason', 'signerId'], { fullName: '' })
const INSPECTION_SIGNATURE_LEFT = erased(inspectionSignature, [...SIGNED, 'inspectionId'], { fullName: '' })

const unnamed = query('personal.unnameParty', ['orgId', 'id', 'name', 'at'], (db, p) =>
  db
    .update(leaseParty)
    .set({
      ...PARTY_LEFT,
      fullName: sql`${p.name}`,
      updatedAt: sql`${p.at}`,
      version: sql`${leaseParty.version} + 1`,
    })
    .where(and(eq(leaseParty.orgId, p.orgId), eq(leaseParty.id, p.id))),
)
const unsigned = ([signature, inspectionSignature] as const).map((table) =>
  query(`personal.${getTableName(table)}`, ['orgId', 'ids', 'signer', 'name', 'at'], (db, p) =>
    db
      .update(table)
      .set({
        ...(table === signature ? SIGNATURE_LEFT : INSPECTION_SIGNATURE_LEFT),
        fullName: sql`${p.name}`,
        updatedAt: sql`${p.at}`,
        version: sql`version + 1`,
      })
      .where(
        and(
          eq(table.orgId, p.orgId),
          sql`${table.documentId} in (select value from json_each(${p.ids}))`,
          table === signature ? sql`coalesce(signer_id, 'TENANT') = ${p.signer}` : eq(sql`+${table.party}`, p.signer),
          eq(sql`+${table.party}`, sql`iif(${p.signer} = 'TENANT', 'TENANT', ${table.party})`),
        ),
      ),
  ),
)
const redrawn = query('personal.papers', ['orgId', 'bookingId', 'without', 'instead', 'at'], (db, p) =>
  db
    .update(document)
    .set({
      data: sql`json_patch(json_patch(${document.data}, ${p.without}), ${p.instead})`,
      ...{ status: 'PENDING', failure: null, attempts: 0, renderAt: null, renderedAt: null },
      ...{ sha256: null, sizeBytes: null, templateVersion: null },
      updatedAt: sql`${p.at}`,
      version: sql`${document.version} + 1`,
    })
    .where(and(eq(document.orgId, p.orgId), eq(document.bookingId, p.bookingId)))
    .returning({ id: document.id }),
)
type Unnamed = { readonly orgId: string; readonly bookingId: string; readonly name: string; readonly at: string }
/**
 * Takes a person's name off the papers of a lease that never was in force, and off their signature: `signer` is TENANT,
 * or the id of a co-tenant or guarantor. @returns the papers, whose files are to be made anew
 */
export function unnamePapers(tx: Tx, signer: string, { orgId, bookingId, name, at }: Unnamed): string[] {
  const [without, instead] =
    signer === 'TENANT' ? [{ tenant: null }, { tenant: { name } }] : [{ coTenants: null, guarantors: null }, {}]
  const papers = redrawn(tx)
    .all({
      orgId,
      bookingId,
      without: JSON.stringify(without),
      instead: JSON.stringify({ ...instead, signatures: [] }),
      at,
    })
    .map(({ id }) => id)
  for (const query of unsigned) query(tx).run({ orgId, ids: JSON.stringify(papers), signer, name, at })
  if (signer !== 'TENANT') unnamed(tx).run({ orgId, id: signer, name, at })
  return papers
}

const due = query('personal.redraw', ['orgId', 'id', 'at'], (db, p) =>
  db
    .update(document)
    .set({ renderAt: sql`${p.at}` })
    .where(and(eq(document.orgId, p.orgId), eq(document.id, p.id), eq(document.status, sql`'PENDING'`))),
)
/** Has a paper drawn whose file was removed. `at`: epoch ms of real time. */
export const redraw = (tx: Tx, orgId: string, id: string, at: number): true => {
  due(tx).run({ orgId, id, at })
  return true
}
