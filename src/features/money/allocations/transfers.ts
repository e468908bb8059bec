import type { Tx } from '../../../../db/open.ts'
import type { PaymentRow, TransferRow } from '../../../../db/schema/payments.ts'
import type { Ctx } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { payerOf } from '../../lease/leases/payers.ts'
import { leaseOf } from '../../lease/leases/service.ts'
import { todayOf } from '../../people/organizations/service.ts'
import { type Door, type TransferState, traceOf } from './rules.ts'
import {
  getTransfer,
  idOfTransfer,
  insertTransfer,
  savePayer,
  saveState,
  saveTold,
  saveTrace,
  saveUnattributed,
  sharesOf,
  transferWith,
} from './store.ts'

type Told = Pick<TransferRow, 'direction' | 'amount' | 'method' | 'reference' | 'paidOn' | 'proofMediaId' | 'state'> &
  Partial<Pick<TransferRow, 'note' | 'payerName' | 'payerNumber' | 'unattributedAmount'>> & { readonly door: Door }

/** Writes down that money changed hands, once for each trace. @throws duplicate */
export function enterTransfer(ctx: Ctx, { door, ...told }: Told): TransferRow {
  const { orgId, userId } = ctx.caller
  const trace = traceOf(told.method, told.reference)
  const known = transferWith(ctx.tx, { orgId, direction: told.direction }, trace)
  if (known) throw recorded(ctx, known.id)
  return insertTransfer(ctx.tx, {
    id: ctx.newId(),
    orgId,
    note: null,
    payerName: null,
    payerNumber: null,
    unattributedAmount: 0,
    ...told,
    ...trace,
    told: [[door, todayOf(ctx), userId]],
    recordedBy: userId,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  })
}

const RECORDED = {
  en: 'A payment with this reference is already recorded.',
  fr: 'Un paiement avec cette référence est déjà enregistré.',
}
/** 409 with the transfer that has the reference, where the caller sees it. */
const recorded = ({ tx, caller: { orgId, scope } }: Ctx, id: string): AppError =>
  new AppError('duplicate', RECORDED, {
    errors: [{ path: '/reference', message: RECORDED }],
    transferId: getTransfer(tx, orgId, scope, id)?.id,
  })

type Again = Pick<TransferRow, 'method' | 'reference' | 'payerName' | 'payerNumber'>
/** What was declared is told once more: from now on it has the operator, reference and payer told now, if they are. @throws duplicate */
export function tellAgain(ctx: Ctx, { transfer: row, bookingId }: PaymentRow, door: Door, again: Again): void {
  if (row === null) return
  const { orgId, userId } = ctx.caller
  const { method, reference, payerName, payerNumber } = again
  const trace = traceOf(method, reference)
  const known = transferWith(ctx.tx, { orgId, direction: 1 }, trace)
  if (known && known.row !== row) throw recorded(ctx, known.id)
  const told = JSON.stringify([door, todayOf(ctx), userId] satisfies TransferRow['told'][number])
  saveTold(ctx.tx, { row, told, now: ctx.now })
  if (reference !== null) saveTrace(ctx.tx, { row, method, reference, ...trace })
  const payer = payerOf(ctx, leaseOf(ctx, bookingId), { fullName: payerName, phoneNumber: payerNumber })
  if (payerName !== null || payerNumber !== null) savePayer(ctx.tx, { row, payerName, payerNumber, payer })
}

/** The id of a transfer by its row, where the caller sees all of it. */
export function transferSeen({ tx, caller: { orgId, scope } }: Ctx, row: number): string | undefined {
  const { id = '' } = idOfTransfer(tx).get({ row }) ?? {}
  return getTransfer(tx, orgId, scope, id)?.id
}

/** What the status of its shares makes of a transfer. */
export const STATE_OF: Readonly<Record<PaymentRow['status'], TransferState>> = {
  PENDING: 'PENDING',
  CONFIRMED: 'POSTED',
  REJECTED: 'VOID',
  REVERSED: 'REVERSED',
}

/** Says how much of a transfer still waits for somebody to be named. */
export const leaveUnattributed = (ctx: Ctx, row: number, left: number): void =>
  saveUnattributed(ctx.tx, row, left, ctx.now)

/** Has a transfer follow its shares. */
export const decideTransfer = (ctx: Ctx, row: number, status: PaymentRow['status']): void =>
  saveState(ctx.tx, ctx.caller.orgId, row, STATE_OF[status], ctx.now)

/** A payment that counts or waits under this reference, however it is spelt. One that is over frees it for the correction. */
export function paymentWith(
  tx: Tx,
  orgId: string,
  method: TransferRow['method'],
  reference: string,
): string | undefined {
  const known = transferWith(tx, { orgId, direction: 1 }, traceOf(method, reference))
  return known && sharesOf(tx).get({ transfer: known.row })?.id
}
