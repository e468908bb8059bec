import { createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { BookingRow } from '../../../../db/schema/bookings.ts'
import type { LeaseData } from '../../../adapters/pdf/port.ts'
import { change, type Listener, record } from '../../../changes/record.ts'
import { type Ctx, systemCaller } from '../../../context.ts'
import { idOfToken, linkToken } from '../../../core/link-token.ts'
import { tvaAmount } from '../../../core/money.ts'
import { isUnnamed } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { partiesOf, unlessNull } from '../../papers/documents/parties.ts'
import { nameSignedCopy, requestDocument, spendRedrawn, voidDocuments } from '../../papers/documents/service.ts'
import { type DocumentRow, findDocument, standingDocuments } from '../../papers/documents/store.ts'
import { organizationOf } from '../../people/organizations/service.ts'
import { isHome } from '../../property/properties/rules.ts'
import { LEASE_SOURCES, type UnsignedBy } from './rules.ts'
import {
  hasPending,
  insertSignature,
  insertSignedCopy,
  leaseParties,
  nextVersion,
  type PartyRow,
  type SignatureRow,
  type SignedCopyRow,
  saveSignature,
  validSignatures,
} from './store.ts'
import { clausesOf, withClauses } from './templates.ts'

/** The contract that both parties signed with their signatures, or a note that they signed by hand. */
type Signed = {
  readonly how: 'ELECTRONICALLY'
  readonly contract: DocumentRow
  readonly signatures: readonly SignatureRow[]
}
export type Agreed = Signed | { readonly how: 'ON_PAPER' }

const asParty = ({ id, fullName, phoneNumber, idType, idNumber, address }: PartyRow) => ({
  id,
  name: fullName,
  phoneNumber: unlessNull(phoneNumber),
  idType: unlessNull(idType),
  idNumber: unlessNull(idNumber),
  address: unlessNull(address),
})

/** The current text of a lease, without number and date. */
function textOf(ctx: Ctx, row: BookingRow, stage: LeaseData['stage'], parties: ReturnType<typeof partiesOf>) {
  const others = leaseParties(ctx.tx, row.orgId, row.id)
  const named = (role: PartyRow['role']) => {
    const people = others.filter((party) => party.role === role).map(asParty)
    return people.length === 0 ? undefined : people
  }
  const use = isHome(parties.premises.type) ? 'HOME' : 'BUSINESS'
  const tva = tvaAmount(row.rentAmount, row.tvaBasisPoints)
  const terms = {
    use,
    stage,
    startDate: row.startDate,
    endDate: unlessNull(row.endDate),
    autoRenew: row.autoRenew,
    rentAmount: row.rentAmount,
    tvaBasisPoints: row.tvaBasisPoints,
    tvaAmount: tva,
    grossAmount: row.rentAmount + tva,
    depositAmount: unlessNull(row.depositAmount),
    dueDay: unlessNull(row.dueDay),
    noticeMonths: unlessNull(row.noticeMonths),
    trade: unlessNull(row.trade),
    reviewClause: unlessNull(row.reviewClause),
    signatures: [],
  } as const
  // A number in place of a name: the name is left blank, to be written by hand.
  const tenant = isUnnamed(parties.tenant.name) ? { ...parties.tenant, name: '' } : parties.tenant
  const coTenants = named('CO_TENANT')
  const guarantors = named('GUARANTOR')
  const head = { ...parties, tenant, coTenants, guarantors, locale: row.locale, number: '', issuedOn: '' }
  return withClauses({ ...head, ...terms }, clausesOf(ctx.tx, row.orgId, use)) satisfies LeaseData
}

/** Voids the signatures under a text that is no longer valid. */
function voidSignatures(ctx: Ctx, bookingId: string, reason: UnsignedBy): void {
  for (const before of validSignatures(ctx.tx, ctx.caller.orgId, bookingId)) {
    const voided = { status: 'VOID', voidReason: reason, voidedAt: ctx.now } as const
    change(ctx, saveSignature, before, voided, 'signature.void', { bookingId, reason })
    if (reason === 'CHANGED') enqueue(ctx, 'lease.unsigned', before.id)
  }
}

const isContract = ({ kind }: { readonly kind: string }): boolean => kind === 'LEASE_CONTRACT'

/**
 * Makes the contract from the current terms. It replaces earlier ones, and signatures are requested again. `instead`:
 * the contract that it replaces if the booking itself did not change.
 */
export function requestLease(ctx: Ctx, row: BookingRow, stage: 'PROPOSED' | 'UNSIGNED', instead?: string): string {
  voidSignatures(ctx, row.id, stage === 'PROPOSED' ? 'CHANGED' : 'ACTIVATED')
  voidDocuments(ctx, row.id, isContract, 'REPLACED')
  return requestDocument(ctx, {
    kind: 'LEASE_CONTRACT',
    variant: stage,
    source: `lease:${row.id}:${row.version}${instead === undefined ? '' : `:${instead}`}`,
    lease: row,
    number: nextVersion(ctx.tx, row.orgId, row.id),
    data: ({ number, issuedOn, locale: _, ...parties }) => ({ ...textOf(ctx, row, stage, parties), number, issuedOn }),
  })
}

/** The contract of a lease in force that has none yet. @returns its id, or undefined where there is one */
export function copyLease(ctx: Ctx, row: BookingRow): string | undefined {
  if (row.status !== 'ACTIVE' || standingDocuments(ctx.tx, row.orgId, row.id).some(isContract)) return undefined
  return requestLease(ctx, row, 'UNSIGNED')
}

/** Makes the signed contract: the exact text that both signed, with the evidence. */
export function requestSigned(ctx: Ctx, row: BookingRow, { contract, signatures }: Signed): string {
  voidDocuments(ctx, row.id, isContract, 'REPLACED')
  const text = contract.data as unknown as LeaseData
  return requestDocument(ctx, {
    kind: 'LEASE_CONTRACT',
    variant: 'SIGNED',
    source: `lease:${row.id}:${row.version}`,
    lease: row,
    number: nextVersion(ctx.tx, row.orgId, row.id),
    data: ({ number, issuedOn }): LeaseData => ({
      ...text,
      number,
      issuedOn,
      stage: 'SIGNED',
      timeZone: organizationOf(ctx).timeZone,
      signatures: signatures.map((s) => ({
        party: s.party,
        signerId: unlessNull(s.signerId),
        name: s.fullName,
        onBehalfOf: s.onBehalf ? text.landlord.name : undefined,
        signedAt: s.signedAt,
        evidence: `${s.channel === 'SMS' ? 'SMS' : 'WhatsApp'} ${s.maskedNumber}`,
      })),
      signedSha256: unlessNull(contract.sha256),
      signedNumber: contract.number,
      signedLayout: unlessNull(contract.templateVersion),
    }),
  })
}

/** Voids the contract and the signatures of a cancelled lease. */
export function cancelLease(ctx: Ctx, bookingId: string): void {
  voidSignatures(ctx, bookingId, 'CANCELLED')
  voidDocuments(ctx, bookingId, isContract, 'CANCELLED')
}

/** The current contract of a PENDING lease, and whether it still matches the lease. */
function contractOf(ctx: Ctx, row: BookingRow): { contract: DocumentRow | undefined; upToDate: boolean } {
  const standing = standingDocuments(ctx.tx, row.orgId, row.id).find(isContract)
  const contract = standing && findDocument(ctx.tx, row.orgId, standing.id)
  if (!contract) return { contract, upToDate: false }
  const { number, issuedOn } = contract
  const now = JSON.parse(JSON.stringify({ ...textOf(ctx, row, 'PROPOSED', partiesOf(ctx, row)), number, issuedOn }))
  return { contract, upToDate: isDeepStrictEqual(now, contract.data) }
}

/**
 * Makes the contract of a PENDING lease again, voiding its signatures, if it no longer matches the lease. @returns
 * the contract that may be signed; undefined if it had to be made again @throws too_many_requests
 */
export function refreshLease(ctx: Ctx, row: BookingRow): DocumentRow | undefined {
  const { contract, upToDate } = contractOf(ctx, row)
  if (upToDate) return contract
  spendRedrawn(ctx, row.ownerUserId)
  requestLease({ ...ctx, caller: systemCaller(row.orgId) }, row, 'PROPOSED', contract?.id ?? 'first')
  return undefined
}

/**
 * The same while nobody waits to sign: if the owner's budget of papers for the day is spent, the contract is made again
 * when somebody signs.
 */
export function refreshInTime(ctx: Ctx, row: BookingRow): DocumentRow | undefined {
  try {
    return refreshLease(ctx, row)
  } catch (e) {
    if (e instanceof AppError && e.code === 'too_many_requests') return undefined
    throw e
  }
}

/** If something that leases mention has changed, queues a check of the leases that are out for signing. */
export const checkLeases: Listener = {
  types: LEASE_SOURCES,
  notNew: true,
  hear(ctx, { id, type, before }) {
    if (before && hasPending(ctx.tx, { orgId: ctx.caller.orgId }))
      enqueue(ctx, 'lease.check', id, { of: type, id: before.id })
  },
}

/** A party's signature under the contract of a lease. @returns all that count now */
export function addSignature(ctx: Ctx, lease: BookingRow, row: SignatureRow): SignatureRow[] {
  insertSignature(ctx.tx, row)
  const { id: signatureId, party, onBehalf, documentId, sha256 } = row
  const details = { signatureId, party, onBehalf, documentId, sha256 }
  record(ctx, 'booking.sign', { type: 'booking', after: lease, details })
  return validSignatures(ctx.tx, row.orgId, row.bookingId)
}

/** The scan of a lease signed by hand. */
export function addSignedCopy(ctx: Ctx, lease: BookingRow, row: SignedCopyRow): void {
  insertSignedCopy(ctx.tx, row)
  nameSignedCopy(ctx, lease.id, ({ kind }) => kind === 'LEASE_CONTRACT', row.mediaObjectId)
  const { mediaObjectId, sha256 } = row
  record(ctx, 'booking.signed_copy', { type: 'booking', after: lease, details: { mediaObjectId, sha256 } })
}

/** Whether everybody who is on a lease has signed it: landlord, tenant, and each co-tenant and guarantor. */
export function isAgreed(ctx: Ctx, lease: BookingRow, signatures: readonly SignatureRow[]): boolean {
  const both = (['LANDLORD', 'TENANT'] as const).every((party) => signatures.some((s) => s.party === party))
  const others = leaseParties(ctx.tx, lease.orgId, lease.id)
  return both && others.every(({ id }) => signatures.some((s) => s.signerId === id))
}

/** Sends the co-tenants and guarantors of a lease that is out for signing their links, each once. */
export function inviteParties(ctx: Ctx, lease: BookingRow): void {
  for (const { id } of leaseParties(ctx.tx, lease.orgId, lease.id)) enqueue(ctx, 'lease.party', id)
}

const keyOf = ({ masterKey }: Pick<Deps, 'masterKey'>): Buffer =>
  createHmac('sha256', masterKey).update('loyer lease party v1').digest()
/** The address where a co-tenant or guarantor reads and signs their lease. */
export const partyLink = (deps: Pick<Deps, 'masterKey' | 'config'>, partyId: string): string =>
  `${deps.config.publicUrl}/s/${linkToken(keyOf(deps), partyId)}`
/** The id of the party that such an address is for. */
export const partyOfToken = (deps: Pick<Deps, 'masterKey'>, token: string): string | undefined =>
  idOfToken(keyOf(deps), token)
