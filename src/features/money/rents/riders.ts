import type { Asking, Ctx } from '../../../context.ts'
import { maskPhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, refused } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import type { RentDecline } from '../../lease/leases/model.ts'
import { moveRentChange } from '../../lease/leases/rent-steps.ts'
import { bookingOf } from '../../lease/leases/service.ts'
import type { RentChangeRow } from '../../lease/leases/store.ts'
import { findBooking } from '../../lease/leases/store.ts'
import type { Sign } from '../../lease/signing/model.ts'
import { contextOf, ownScan } from '../../lease/signing/service.ts'
import { voidDocuments } from '../../papers/documents/service.ts'
import type { DocumentRow } from '../../papers/documents/store.ts'
import { findDocument } from '../../papers/documents/store.ts'
import { redeemOwnCode, requestOwnCode } from '../../people/accounts/own-phone.ts'
import type { PhoneChallenge } from '../../people/codes/service.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { agreeRent, checkOpen, readRentChange, rentChangeOf } from './service.ts'

/** A change as its parties read it. */
export const riderOf = readRentChange

/**
 * The rider that the caller may sign now; only the lease's tenant may.
 * @throws not_found, forbidden, invalid_state, contract_not_ready
 */
function signable(ctx: Ctx, id: string): { row: RentChangeRow; paper: DocumentRow } {
  const row = rentChangeOf(ctx, id)
  const lease = findBooking(ctx.tx, row.orgId, row.bookingId)
  if (lease?.tenantUserId !== ctx.caller.userId) throw new AppError('forbidden')
  checkOpen(lease, row, todayOf(ctx))
  const paper = findDocument(ctx.tx, row.orgId, row.documentId)
  if (paper?.status !== 'READY') throw new AppError('contract_not_ready')
  return { row, paper }
}

/** A code for a rider, to the tenant's own number on file: none is taken from the request. */
export async function requestRiderCode(
  deps: Deps,
  signer: Asking,
  id: string,
  channel: 'WHATSAPP' | 'SMS' | undefined,
): Promise<PhoneChallenge> {
  const paper = await deps.write(signer.caller.orgId, (tx) => signable(contextOf(deps, tx, signer), id).paper)
  const signs = { kind: 'RIDER', number: paper.number } as const
  return requestOwnCode(deps, signer, { purpose: 'SIGNING', subject: paper.id, signs, channel })
}

/** The tenant's signature under a rider: from then on the change counts. @throws challenge_gone, wrong_code, attempts_exhausted */
export function signRider(deps: Deps, signer: Asking, id: string, body: Sign): Promise<RentChangeRow> {
  const { userId, orgId } = signer.caller
  return deps.write(orgId, (tx) => {
    const ctx = contextOf(deps, tx, signer)
    const { row, paper } = signable(ctx, id)
    const { challengeId, code } = body
    const met = redeemOwnCode(deps, tx, signer.caller, { purpose: 'SIGNING', challengeId, code, subject: paper.id })
    if (!('phoneNumber' in met)) return met
    return agreeRent(ctx, row, {
      signedBy: userId,
      signedName: body.fullName,
      signedAt: new Date(deps.clock.wall()).toISOString(),
      channel: met.channel,
      maskedNumber: maskPhone(met.phoneNumber),
    })
  })
}

/**
 * The tenant refuses a rider: the rent stays, and the landlord is told. Twice changes nothing.
 * @throws not_found, forbidden, invalid_state
 */
export function declineRider(ctx: Ctx, id: string, { reason }: RentDecline): RentChangeRow {
  const row = rentChangeOf(ctx, id)
  const lease = findBooking(ctx.tx, row.orgId, row.bookingId)
  if (lease?.tenantUserId !== ctx.caller.userId) throw new AppError('forbidden')
  if (row.declinedAt !== null) return row
  if (row.status !== 'PROPOSED') throw refused(row.status, [])
  const declined = {
    status: 'CANCELLED',
    cancelledAt: ctx.now,
    declinedAt: ctx.now,
    declinedReason: reason ?? null,
  } as const
  const after = moveRentChange(ctx, row, 'decline', declined)
  voidDocuments(ctx, row.bookingId, ({ id: paper }) => paper === row.documentId, 'CANCELLED')
  enqueue(ctx, 'rent_change.declined', id)
  return after
}

/** The scan of a rider signed by hand, one of the landlord's own files: the change counts. The same file again changes nothing. */
export function attachRider(ctx: Ctx, id: string, mediaObjectId: string): RentChangeRow {
  const row = rentChangeOf(ctx, id)
  bookingOf(ctx, row.bookingId)
  if (row.mediaObjectId === mediaObjectId) return row
  ownScan(ctx, mediaObjectId)
  return agreeRent(ctx, row, { mediaObjectId })
}
