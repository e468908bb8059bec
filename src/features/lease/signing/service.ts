import type { BookingRow } from '../../../../db/schema/bookings.ts'
import { type Asking, type Caller, type Ctx, systemCaller, systemCtx } from '../../../context.ts'
import { maskPhone } from '../../../core/phone.ts'
import { holds } from '../../../core/scope.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type CommitThenFail, commitThenFail, invalid, notFound, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { DocumentRow } from '../../papers/documents/store.ts'
import { isSheet } from '../../papers/media/rules.ts'
import { ownMedia } from '../../papers/media/service.ts'
import type { MediaRow } from '../../papers/media/store.ts'
import { redeemOwnCode, requestOwnCode } from '../../people/accounts/own-phone.ts'
import type { PhoneChallenge, Redeemed } from '../../people/codes/service.ts'
import { addSignature, addSignedCopy, isAgreed, refreshInTime, refreshLease } from '../contracts/service.ts'
import { type SignatureRow, type SignedCopyRow, signedCopyOf, validSignatures } from '../contracts/store.ts'
import { bookingOf, moveBooking } from '../leases/service.ts'
import { findBooking, partyBooking } from '../leases/store.ts'
import type { Sign } from './model.ts'

/** Users sign for themselves and managers for the owner; nobody signs for the tenant. @throws forbidden */
export function partyOf(
  { userId, roles, scope }: Caller,
  lease: Pick<BookingRow, 'tenantUserId' | 'ownerUserId' | 'propertyId'>,
): Pick<Signable, 'party' | 'onBehalf'> {
  if (lease.tenantUserId === userId) return { party: 'TENANT', onBehalf: false }
  if (lease.ownerUserId === userId) return { party: 'LANDLORD', onBehalf: false }
  if (roles.includes('MANAGER') && holds(scope, lease)) return { party: 'LANDLORD', onBehalf: true }
  throw new AppError('forbidden')
}

/** Refreshes a lease's text before its signatures are read: a signature does not count once the text has changed. */
export async function checkText(deps: Deps, { orgId, scope }: Caller, id: string, requestId: string): Promise<void> {
  const lease = partyBooking(deps.db, orgId, scope, id)
  if (!lease) throw notFound()
  if (lease.status !== 'PENDING' || validSignatures(deps.db, orgId, id).length === 0) return
  await deps.write(orgId, (tx) => {
    const row = findBooking(tx, orgId, id)
    return (row?.status === 'PENDING' && refreshInTime(systemCtx(deps, tx, orgId, requestId), row)) || null
  })
}

type Signable = {
  readonly lease: BookingRow
  readonly contract: DocumentRow
  readonly party: 'LANDLORD' | 'TENANT'
  readonly onBehalf: boolean
  /** What a code must have been sent for: this text and this party. */
  readonly subject: string
}

/**
 * The contract that the caller may sign now. If it no longer matches the lease, it is made again and its signatures are void.
 * @throws not_found, forbidden, invalid_state, duplicate, contract_not_ready
 */
function signable(ctx: Ctx, bookingId: string): Signable | CommitThenFail {
  const { userId } = ctx.caller
  const lease = partyBooking(ctx.tx, ctx.caller.orgId, ctx.caller.scope, bookingId)
  if (!lease) throw notFound()
  const signer = partyOf(ctx.caller, lease)
  if (lease.status !== 'PENDING') throw refused(lease.status, [])
  const contract = refreshLease(ctx, lease)
  if (!contract) return commitThenFail(new AppError('contract_not_ready'))
  const signatures = validSignatures(ctx.tx, lease.orgId, lease.id)
  if (signatures.some(({ party }) => party === signer.party))
    throw new AppError('duplicate', {
      en: 'This party has already signed the lease.',
      fr: 'Cette partie a déjà signé le bail.',
    })
  // The person who signed for the owner may now be the tenant: nobody can sign for both sides.
  if (signatures.some((s) => s.userId === userId)) throw new AppError('forbidden')
  if (contract.status !== 'READY') throw new AppError('contract_not_ready')
  return { lease, contract, ...signer, subject: `${contract.id}:${signer.party}` }
}

/** Signing runs as the system's work with the signer's rights. */
export const contextOf = (deps: Deps, tx: Ctx['tx'], { caller, requestId }: Asking): Ctx => ({
  ...systemCtx(deps, tx, caller.orgId, requestId),
  caller,
})

/** Sends a code to the caller's number on file, for the current text of the lease. The request cannot name a number. */
export async function requestSigningCode(
  deps: Deps,
  signer: Asking,
  bookingId: string,
  channel: 'WHATSAPP' | 'SMS' | undefined,
): Promise<PhoneChallenge> {
  const { subject, contract } = (await deps.write(signer.caller.orgId, (tx) =>
    signable(contextOf(deps, tx, signer), bookingId),
  )) as Signable
  const signs = { kind: 'LEASE', number: contract.number } as const
  return requestOwnCode(deps, signer, { purpose: 'SIGNING', subject, signs, channel })
}

/**
 * The caller's signature under the current text. If the other party has signed too, the lease becomes ACTIVE in the same write.
 * @throws what `signable` does; challenge_gone, wrong_code, attempts_exhausted
 */
export function sign(
  deps: Deps,
  signer: Asking,
  bookingId: string,
  { challengeId, code, fullName }: Sign,
): Promise<SignatureRow> {
  const { userId, orgId } = signer.caller
  return deps.write(orgId, (tx) => {
    const ctx = contextOf(deps, tx, signer)
    const pending = signable(ctx, bookingId)
    if (!('contract' in pending)) return pending
    const { lease, contract, party, onBehalf, subject } = pending
    const met = redeemOwnCode(deps, tx, signer.caller, { purpose: 'SIGNING', challengeId, code, subject })
    if (!('phoneNumber' in met)) return met
    const evidence = evidenceOf(deps, ctx, contract, met)
    const row = { ...evidence, bookingId, party, userId, onBehalf, fullName, voidReason: null, signerId: null }
    addAndAgree(ctx, lease, contract, row)
    return row
  })
}

/** What a signature keeps of the text that was signed, and of the code that proved who signed. */
export const evidenceOf = ({ clock }: Pick<Deps, 'clock'>, ctx: Ctx, text: DocumentRow, met: Redeemed) => ({
  id: ctx.newId(),
  orgId: ctx.caller.orgId,
  documentId: text.id,
  sha256: text.sha256 ?? '',
  channel: met.channel,
  maskedNumber: maskPhone(met.phoneNumber),
  signedAt: new Date(clock.wall()).toISOString(),
  challengeId: met.id,
  requestId: ctx.requestId,
  status: 'VALID' as const,
  voidedAt: null,
  createdAt: ctx.now,
  updatedAt: ctx.now,
  version: 1,
})

/** Adds a signature; the lease becomes ACTIVE with the last one. */
export function addAndAgree(ctx: Ctx, lease: BookingRow, contract: DocumentRow, row: SignatureRow): void {
  const signatures = addSignature(ctx, lease, row)
  if (!isAgreed(ctx, lease, signatures)) {
    enqueue(ctx, 'lease.signed', row.id)
    return
  }
  const agreed = { how: 'ELECTRONICALLY', contract, signatures } as const
  moveBooking({ ...ctx, caller: systemCaller(lease.orgId) }, lease.id, 'activate', agreed)
  announce(ctx, lease, [lease.ownerUserId, ...signatures.flatMap((s) => s.userId ?? s.signerId ?? [])])
}

/** Tells the tenant and these people, once each, that a lease is agreed. */
function announce(ctx: Ctx, { id, tenantUserId }: BookingRow, users: readonly string[]): void {
  const others = new Set(users.filter((userId) => userId !== tenantUserId))
  for (const who of ['TENANT', ...others]) enqueue(ctx, 'lease.agreed', `${id}:${who}`)
}

/** The scan of a paper signed by hand, one of the caller's own files. @throws not_found, validation_failed */
export function ownScan(ctx: Ctx, mediaObjectId: string): MediaRow {
  const file = ownMedia(ctx, mediaObjectId)
  if (file.ownerType === 'VERIFICATION') throw notFound()
  // Photos are refused, because they may be public.
  if (file.kind !== 'DOCUMENT' || isSheet(file.contentType))
    throw invalid(
      '/mediaObjectId',
      'Must be a document: a PDF or a picture of kind DOCUMENT.',
      'Doit être un document : un PDF ou une image de nature DOCUMENT.',
    )
  return file
}

/**
 * The scan of a lease signed by hand, one of the caller's own files: kept with the lease, which becomes ACTIVE if it is
 * PENDING. The same file again changes nothing. @throws not_found, invalid_state, duplicate, validation_failed
 */
export function attachSignedCopy(ctx: Ctx, bookingId: string, mediaObjectId: string): SignedCopyRow & { version: 1 } {
  const { orgId, userId } = ctx.caller
  const lease = bookingOf(ctx, bookingId)
  const known = signedCopyOf(ctx.tx, orgId, bookingId)
  if (known?.mediaObjectId === mediaObjectId) return known
  const file = ownScan(ctx, mediaObjectId)
  if (known)
    throw new AppError('duplicate', {
      en: 'The signed copy of this lease is already stored.',
      fr: 'La copie signée de ce bail est déjà conservée.',
    })
  if (lease.status !== 'PENDING' && lease.status !== 'ACTIVE') throw refused(lease.status, [])
  const pending = lease.status === 'PENDING'
  const after = pending ? moveBooking(ctx, bookingId, 'activate', { how: 'ON_PAPER' }) : lease
  // The user who attached the copy knows already; notify the others, who may object.
  if (pending) announce(ctx, lease, lease.ownerUserId === userId ? [] : [lease.ownerUserId])
  const row: SignedCopyRow = {
    id: ctx.newId(),
    orgId,
    bookingId,
    mediaObjectId,
    sha256: file.sha256 ?? '',
    attachedBy: userId,
    createdAt: ctx.now,
  }
  addSignedCopy(ctx, after, row)
  return { ...row, version: 1 }
}
