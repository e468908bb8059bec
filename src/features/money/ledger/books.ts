import { isDeepStrictEqual } from 'node:util'
import type { depositEntry } from '../../../../db/schema/deposits.ts'
import type { expense, ownerTransfer } from '../../../../db/schema/expenses.ts'
import type { InvoiceRow } from '../../../../db/schema/invoices.ts'
import type { Change, Listener } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { ACCOUNT, ENTRY, moneyOf } from '../../../core/accounts.ts'
import { minDate } from '../../../core/dates.ts'
import type { ManagementFee } from '../../../core/management-fees.ts'
import { type Account, followFees, post, postIssued, reverse } from './service.ts'
import { methodOf, propertiesWithFees } from './store.ts'

const { DEPOSIT, DAMAGE, EXPENSE, OWNER, OTHER } = ACCOUNT

/** Enters into the journal what was recorded of invoices, deposits, expenses, transfers to owners, and fees that were agreed. */
export const keepBooks: Listener = {
  types: ['invoice', 'deposit', 'expense', 'owner_transfer', 'property', 'organization'],
  hear: (ctx, change) => BOOKED[change.type]?.(ctx, change),
}

type DepositRow = typeof depositEntry.$inferSelect
type ExpenseRow = typeof expense.$inferSelect
type TransferRow = typeof ownerTransfer.$inferSelect
type Rows<T> = { readonly before?: T; readonly after?: T }
const rowsOf = <T>({ before, after }: Change): Rows<T> => ({ before, after }) as unknown as Rows<T>

const BOOKED: Readonly<Record<string, (ctx: Ctx, change: Change) => void>> = {
  invoice(ctx, change) {
    const { before, after } = rowsOf<InvoiceRow>(change)
    if (after && (change.action === 'invoice.issue' || change.action === 'invoice.charge'))
      postIssued(ctx, after, before)
  },
  deposit(ctx, change) {
    const { after } = rowsOf<DepositRow>(change)
    if (after) bookDeposit(ctx, after)
  },
  expense(ctx, change) {
    const { before, after } = rowsOf<ExpenseRow>(change)
    const booked = ({ amount, paidBy, spentOn, propertyId, status }: ExpenseRow) =>
      status === 'RECORDED' ? { amount, paidBy, spentOn, propertyId } : {}
    if (!after || (before && isDeepStrictEqual(booked(before), booked(after)))) return
    if (before) reverse(ctx, after.id)
    if (after.status !== 'RECORDED') return
    const { id: source, spentOn: on, orgId, propertyId } = after
    const payer: Account = after.paidBy === 'OWNER' ? [propertyId, OWNER] : [orgId, OTHER]
    post(ctx, { kind: ENTRY.EXPENSE, on, source }, [[[propertyId, EXPENSE], payer, after.amount]])
  },
  owner_transfer(ctx, change) {
    const { before, after } = rowsOf<TransferRow>(change)
    if (!after || before?.status === after.status) return
    const { id: source, paidOn: on, orgId, propertyId, method, amount, status } = after
    if (status !== 'RECORDED') return reverse(ctx, source)
    post(ctx, { kind: ENTRY.TRANSFER, on, source }, [[[propertyId, OWNER], [orgId, moneyOf(method)], amount]])
  },
  property(ctx, change) {
    type Agreed = { readonly id: string; readonly managementFees: readonly ManagementFee[] | null }
    const { before, after } = rowsOf<Agreed>(change)
    const since = changedSince(before?.managementFees ?? [], after?.managementFees ?? [])
    if (after && since !== undefined) followFees(ctx, after.id, since)
  },
  organization(ctx, change) {
    type Taxed = { readonly id: string; readonly tvaChanges: readonly { readonly from: string }[] | null }
    const { before, after } = rowsOf<Taxed>(change)
    const since = changedSince(before?.tvaChanges ?? [], after?.tvaChanges ?? [])
    if (after && since !== undefined)
      for (const { id } of propertiesWithFees(ctx.tx).all({ orgId: after.id })) followFees(ctx, id, since)
  },
}

type Dated = { readonly from: string }
/** The first day from which two series differ. */
function changedSince(before: readonly Dated[], after: readonly Dated[]): string | undefined {
  const only = (these: readonly Dated[], those: readonly Dated[]): Dated[] =>
    these.filter((one) => !those.some((other) => isDeepStrictEqual(one, other)))
  const days = [...only(before, after), ...only(after, before)].map(({ from }) => from)
  return days.length === 0 ? undefined : days.reduce(minDate)
}

/** What pays invoices is entered with its payment, and so is what comes back of it. */
function bookDeposit(ctx: Ctx, { id: source, paidOn: on, ...entry }: DepositRow): void {
  const { bookingId: lease, orgId, type, amount, paymentId, movedBookingId } = entry
  if (paymentId !== null) return
  const held: Account = [lease, DEPOSIT]
  const method = entry.transfer === null ? null : (methodOf(ctx.tx).get({ row: entry.transfer })?.method ?? null)
  const money: Account = [orgId, moneyOf(method)]
  if (movedBookingId === null && type === 'RECEIVED')
    post(ctx, { kind: ENTRY.TRANSFER, on, source }, [[money, held, amount]])
  else if (movedBookingId === null && type === 'RETURNED')
    post(ctx, { kind: ENTRY.TRANSFER, on, source }, [[held, money, amount]])
  else if (type === 'DEDUCTED') post(ctx, { kind: ENTRY.DEPOSIT, on, source }, [[held, [lease, DAMAGE], amount]])
  else if (movedBookingId !== null && type === 'RETURNED')
    post(ctx, { kind: ENTRY.CARRY, on, source }, [[held, [movedBookingId, DEPOSIT], amount]])
}
