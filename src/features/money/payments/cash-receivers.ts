import type { PaymentRow } from '../../../../db/schema/payments.ts'
import type { Ctx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors.ts'
import { organizationOf } from '../../people/organizations/service.ts'
import { findUser, propertiesOf, type UserRow } from '../../people/users/store.ts'
import { checkCash, lacksWord } from '../adjustments/service.ts'
import { isUntraced, leavesNoTrace } from './rules.ts'

type Paid = { readonly method: string; readonly reference?: string | null; readonly declared: boolean }
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
function receiverOf(ctx: Ctx, of: Of, receivedBy: string, { method, declared }: Paid): string | null {
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

/**
 * Who took money for the landlord, and whether it waits for their word before it counts. What a manager without the last
 * word took themselves, in cash or without a trace with a third party, waits for the owner or a manager of all properties.
 * @throws validation_failed
 */
export function takenBy(
  ctx: Ctx,
  of: Of,
  { receivedBy: receiverId, ...paid }: Paid & { readonly receivedBy?: string | null },
) {
  const named = receiverId ? receiverOf(ctx, of, receiverId, paid) : null
  if (paid.declared || !leavesNoTrace(paid) || !lacksWord(ctx, of))
    return { receivedBy: named, waits: paid.declared || (named !== null && organizationOf(ctx).confirmCash) }
  const user = named === null || named === of.ownerUserId ? undefined : findUser(ctx.tx, ctx.caller.orgId, named)
  if (user && propertiesOf(ctx.tx, user))
    throw invalid(
      '/receivedBy',
      'Name the owner of the property, or a manager of all properties.',
      'Indiquez le propriétaire du bien, ou un gestionnaire de tous les biens.',
    )
  return { receivedBy: named ?? ctx.caller.userId, waits: true }
}

/** Whether what waits is in the hands of who recorded it: the owner or a manager of all properties confirms it. */
export const waitsForLandlord = ({ receivedBy, recordedBy }: Pick<PaymentRow, 'receivedBy' | 'recordedBy'>): boolean =>
  receivedBy !== null && receivedBy === recordedBy

/**
 * What waits is confirmed by its receiver, and refused, with a reason, by its receiver or by the person who recorded it.
 * If the receiver may no longer hold cash, another administrator acts instead.
 * @throws forbidden, validation_failed
 */
export function checkReceiver(ctx: Ctx, row: PaymentRow, action: string, reason: string | null): void {
  const { receivedBy, recordedBy, ownerUserId, orgId, method } = row
  const { userId, roles, scope } = ctx.caller
  if (isUntraced(method) && (action === 'reverse' || (action === 'confirm' && receivedBy === null))) checkCash(ctx, row)
  if (receivedBy === null || row.status !== 'PENDING') return
  const gone = !holdsCash(ctx, findUser(ctx.tx, orgId, receivedBy), row)
  const received = waitsForLandlord(row)
    ? userId !== recordedBy && (userId === ownerUserId || scope.kind === 'all')
    : userId === receivedBy || (gone && roles.includes('ADMIN') && userId !== recordedBy)
  if (!received && !(action === 'reject' && userId === recordedBy))
    throw new AppError(
      'forbidden',
      waitsForLandlord(row)
        ? {
            en: 'The owner of the property, or a manager of all properties, confirms or refuses this payment.',
            fr: 'C’est au propriétaire du bien, ou à un gestionnaire de tous les biens, de confirmer ou de refuser ce paiement.',
          }
        : {
            en: 'Only the person who received this cash can confirm or refuse it.',
            fr: 'C’est à qui a reçu ces espèces de les confirmer ou de les refuser.',
          },
    )
  if (action === 'reject' && userId !== recordedBy && (reason ?? '').trim() === '')
    throw invalid('/reason', 'Say why you refuse it.', 'Dites pourquoi vous le refusez.')
}
