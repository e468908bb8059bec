import type { PaymentRow } from '../../../../db/schema/payments.ts'
import type { Ctx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors.ts'
import { organizationOf } from '../../people/organizations/service.ts'
import { findUser, propertiesOf, type UserRow } from '../../people/users/store.ts'

type Paid = { readonly method: string; readonly declared: boolean }
type Of = { readonly ownerUserId: string; readonly propertyId: string; readonly tenantUserId: string | null }

const isStaff = ({ roles }: UserRow): boolean => roles.includes('MANAGER') || roles.includes('ADMIN')
/** Whether somebody may hold cash for the landlord: staff who look after the property, or its owner. */
function holdsCash(ctx: Ctx, user: UserRow | undefined, of: Of): user is UserRow {
  if (user?.status !== 'ACTIVE' || user.id === of.tenantUserId) return false
  const isOwner = user.id === of.ownerUserId && user.roles.includes('OWNER')
  return isOwner || (isStaff(user) && (propertiesOf(ctx.tx, user)?.includes(of.propertyId) ?? true))
}

/**
 * The person who took cash for the landlord, if somebody else records it: staff, or the owner of the property.
 * @throws validation_failed for anybody else, and for money that is no cash
 */
export function receiverOf(ctx: Ctx, of: Of, receivedBy: string, { method, declared }: Paid): string | null {
  if (receivedBy === ctx.caller.userId && !declared) return null
  if (method !== 'CASH' || declared)
    throw invalid(
      '/receivedBy',
      'Only cash that somebody on the landlord’s side received has a receiver.',
      'Seules des espèces remises à quelqu’un du côté du bailleur ont un receveur.',
    )
  const user = findUser(ctx.tx, ctx.caller.orgId, receivedBy)
  if (!holdsCash(ctx, user, of))
    throw invalid(
      '/receivedBy',
      'Name the owner of the property, or a manager or administrator with an account in use.',
      'Indiquez le propriétaire du bien, ou un gestionnaire ou administrateur dont le compte est actif.',
    )
  return user.id
}

/** Whether cash that somebody else took waits for their word before it counts. */
export const waitsForWord = (ctx: Ctx): boolean => organizationOf(ctx).confirmCash

/**
 * Waiting cash is confirmed by its receiver, and refused, with a reason, by its receiver or by the person who recorded it.
 * If the receiver may no longer hold cash, another administrator acts instead.
 * @throws forbidden, validation_failed
 */
export function checkReceiver(ctx: Ctx, row: PaymentRow, action: string, reason: string | null): void {
  const { receivedBy, recordedBy, orgId } = row
  if (receivedBy === null || row.status !== 'PENDING') return
  const { userId, roles } = ctx.caller
  const gone = !holdsCash(ctx, findUser(ctx.tx, orgId, receivedBy), row)
  const received = userId === receivedBy || (gone && roles.includes('ADMIN') && userId !== recordedBy)
  if (!received && !(action === 'reject' && userId === recordedBy))
    throw new AppError('forbidden', {
      en: 'Only the person who received this cash can confirm or refuse it.',
      fr: 'C’est à qui a reçu ces espèces de les confirmer ou de les refuser.',
    })
  if (action === 'reject' && userId !== recordedBy && (reason ?? '').trim() === '')
    throw invalid('/reason', 'Say why you refuse it.', 'Dites pourquoi vous le refusez.')
}
