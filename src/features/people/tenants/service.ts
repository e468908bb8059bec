import { change, record, visible } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { isUnnamed, lastDigits } from '../../../core/phone.ts'
import { isPart, type Scope } from '../../../core/scope.ts'
import { AppError, hold, invalid, notFound, refusedAt } from '../../../errors.ts'
import { checkElsewhere } from '../messages/budgets.ts'
import { inform } from '../messages/news.ts'
import { senderOf } from '../notifications/senders.ts'
import { channelFor, type Portal, type TenantNews } from '../notifications/service.ts'
import { checkRoom } from '../organizations/quotas.ts'
import { organizationOf } from '../organizations/service.ts'
import { fullNameOf } from '../users/rules.ts'
import { findUser, findUserByPhone, phoneElsewhere, type UserRow } from '../users/store.ts'
import type { TenantCreate, TenantPatch } from './model.ts'
import { tenantRule } from './rules.ts'
import {
  findTenant,
  getTenant,
  hasAgreed,
  hasLease,
  insertTenant,
  isOfHouse,
  leasedByOthers,
  NOBODY_LEFT,
  PARTY_LEFT,
  saveTenant,
  seesTenant,
  type TenantRow,
  tenantsOfUser,
  tenantsWithPhone,
} from './store.ts'

/** A tenant that the caller may see. @throws not_found */
const tenantOf = visible(getTenant)

/** Rows that are the same person to the caller; if the caller sees everything, to whoever entered `self`. */
const twins = ({ tx, caller: { scope } }: Ctx, rows: readonly TenantRow[], self?: TenantRow): TenantRow[] =>
  rows.filter((row) =>
    self && scope.kind === 'all'
      ? row.id !== self.id && row.createdBy === self.createdBy
      : row.id !== self?.id && seesTenant(tx, scope, row),
  )

/** The account with this number. @throws duplicate, too_many_requests, member_elsewhere */
function accountBehind(ctx: Ctx, phoneNumber: string | null, self?: TenantRow): string | null {
  if (phoneNumber === null) return null
  const { orgId } = ctx.caller
  if (twins(ctx, tenantsWithPhone(ctx.tx, orgId, phoneNumber), self).length > 0)
    throw refusedAt('/phoneNumber', 'duplicate', {
      en: 'A tenant with this number is entered already: name them by the number when you draw up a lease.',
      fr: 'Un locataire avec ce numéro est déjà inscrit : désignez-le par ce numéro dans le bail.',
    })
  checkElsewhere(ctx)
  if (phoneElsewhere(ctx.tx, orgId, phoneNumber)) throw refusedAt('/phoneNumber', 'member_elsewhere')
  const user = findUserByPhone(ctx.tx, orgId, phoneNumber)
  // A number links to an account only once it is verified.
  if (!user?.phoneVerified) return null
  return twins(ctx, tenantsOfUser(ctx.tx, orgId, user.id), self).length === 0 ? user.id : null
}

/** Creates a tenant. A number invites: the person who has or makes an account with it sees the leases. */
export function createTenant(ctx: Ctx, body: TenantCreate): TenantRow {
  const phoneNumber = body.phoneNumber ?? null
  return insert(ctx, { ...body, phoneNumber, userId: accountBehind(ctx, phoneNumber) })
}

function insert(
  ctx: Ctx,
  t: Omit<TenantCreate, 'phoneNumber'> & { phoneNumber: string | null; userId: string | null },
): TenantRow {
  hold(tenantRule(t))
  checkRoom(ctx, 'tenant')
  const row: TenantRow = {
    id: ctx.newId(),
    orgId: ctx.caller.orgId,
    fullName: t.fullName,
    phoneNumber: t.phoneNumber,
    idType: t.idType ?? null,
    idNumber: t.idNumber ?? null,
    niu: t.niu ?? null,
    address: t.address ?? null,
    locale: t.locale ?? organizationOf(ctx).locale,
    channel: t.channel ?? null,
    userId: t.userId,
    kind: t.kind ?? 'PERSON',
    rccm: t.rccm ?? null,
    representativeName: t.representativeName ?? null,
    representativeRole: t.representativeRole ?? null,
    createdBy: ctx.caller.userId,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertTenant(ctx.tx, row)
  record(ctx, 'tenant.create', { type: 'tenant', after: row })
  return row
}

/**
 * Changes the given members. A new number is matched like that of a new tenant; a linked account stays linked.
 * @throws not_found, manager_required, duplicate, member_elsewhere
 */
export function updateTenant(ctx: Ctx, id: string, patch: TenantPatch): TenantRow {
  const before = tenantOf(ctx, id)
  const changed = { ...before, ...patch }
  hold(tenantRule(changed))
  const members = (Object.keys(patch) as (keyof TenantPatch)[]).filter((m) => changed[m] !== before[m])
  if (isPart(ctx.caller.scope)) checkOwnToChange(ctx, before, members)
  if (members.includes('phoneNumber')) {
    const userId = accountBehind(ctx, changed.phoneNumber, before)
    changed.userId = before.userId ?? userId
  }
  return members.length === 0 ? before : change(ctx, saveTenant, before, changed, 'tenant.update')
}

/** An owner may not change a tenant with a lease of another owner, nor name or number of one who has agreed. */
function checkOwnToChange(ctx: Ctx, row: TenantRow, members: readonly (keyof TenantPatch)[]): void {
  const [member] = members
  if (member !== undefined && leasedByOthers(ctx.tx, row, ctx.caller.scope))
    throw new AppError('manager_required', {
      en: `Another owner has a lease with this tenant: only a manager or an administrator changes ${member}.`,
      fr: `Un autre propriétaire a un bail avec ce locataire : seul un gestionnaire ou un administrateur modifie ${member}.`,
    })
  const own = members.find((m) => m === 'phoneNumber' || (m === 'fullName' && !isUnnamed(row.fullName)))
  if (own !== undefined && hasAgreed(ctx.tx, row))
    throw new AppError('manager_required', {
      en: `This tenant has an account of their own: only a manager or an administrator changes ${own}.`,
      fr: `Ce locataire a son propre compte : seul un gestionnaire ou un administrateur modifie ${own}.`,
    })
}

const nameOf = (user: UserRow): string => fullNameOf(user) || user.username || user.phoneNumber || user.id

/** An owner or limited manager must not learn who a person is only by naming them. @throws manager_required */
export function checkKnown({ tx, caller: { orgId, scope } }: Ctx, tenantId: string): void {
  if (!isPart(scope) || getTenant(tx, orgId, scope, tenantId)) return
  throw new AppError('manager_required', {
    en: 'You do not know the tenant of this draft: a manager or an administrator submits it, or you draw up another one with their number.',
    fr: 'Vous ne connaissez pas le locataire de ce projet de bail : un gestionnaire ou un administrateur le soumet, ou vous en établissez un autre avec son numéro.',
  })
}

/**
 * A tenant or a manager agrees to a lease: a tenant found by number is shown by name from now on.
 * @returns whether anything changed
 */
export function introduce(ctx: Ctx, tenantId: string): boolean {
  const row = findTenant(ctx.tx, ctx.caller.orgId, tenantId)
  const user = row?.userId && isUnnamed(row.fullName) ? findUser(ctx.tx, row.orgId, row.userId) : undefined
  if (!row || !user) return false
  const phoneNumber = row.phoneNumber ?? (user.phoneVerified ? user.phoneNumber : null)
  change(ctx, saveTenant, row, { fullName: nameOf(user), phoneNumber }, 'tenant.introduce')
  return true
}

/**
 * The tenant of an account in the organization, created if missing; for an owner's lease, the one that this owner
 * sees. A caller who sees only their own properties reaches tenants' accounts only, and of tenants whom another owner
 * entered just the last digits. @throws not_found
 */
export function tenantOfUser(ctx: Ctx, userId: string, ownerUserId: string): TenantRow {
  const { orgId, scope } = ctx.caller
  const user = findUser(ctx.tx, orgId, userId)
  if (!user || user.status === 'ERASED' || (isPart(scope) && !user.roles.includes('TENANT'))) throw notFound()
  // The number becomes the user's when they sign up; until then nobody has verified it.
  if (user.status === 'INVITED' && user.phoneNumber !== null) return tenantOfPhone(ctx, user.phoneNumber, ownerUserId)
  const linked = tenantsOfUser(ctx.tx, orgId, userId)
  const choice = choose(ctx, linked, ownerUserId)
  if (choice) return choice
  // An unverified number would open another person's leases, and send their notices elsewhere.
  const phoneNumber = user.phoneVerified ? user.phoneNumber : null
  const free = phoneNumber === null ? [] : tenantsWithPhone(ctx.tx, orgId, phoneNumber).filter((t) => t.userId === null)
  const byPhone = choose(ctx, free, ownerUserId)
  if (byPhone) return change(ctx, saveTenant, byPhone, { userId }, 'tenant.link')
  if (isPart(scope) && linked.length + free.length > 0)
    return insert(ctx, { fullName: lastDigits(phoneNumber), phoneNumber: null, userId })
  return insert(ctx, { fullName: nameOf(user), phoneNumber, userId, locale: user.locale })
}

/** Of several entries for a person, the one for a lease of this owner. */
function choose(ctx: Ctx, rows: readonly TenantRow[], ownerUserId: string): TenantRow | undefined {
  const { scope, userId } = ctx.caller
  // A limited manager is not shown what the owner knows from elsewhere.
  const side: Scope = scope.kind === 'limited' ? scope : { kind: 'owner', userId: ownerUserId }
  const visible = rows.find((row) => seesTenant(ctx.tx, side, row))
  if (visible || isPart(scope)) return visible
  return scope.kind === 'all' ? rows[0] : rows.find((row) => row.createdBy === userId || isOfHouse(ctx.tx, row))
}

/** The tenant with a number, invited if unknown; entries of other owners are not used. */
export function tenantOfPhone(ctx: Ctx, phoneNumber: string, ownerUserId: string): TenantRow {
  return (
    choose(ctx, tenantsWithPhone(ctx.tx, ctx.caller.orgId, phoneNumber), ownerUserId) ??
    createTenant(ctx, { fullName: phoneNumber, phoneNumber })
  )
}

/** Links a new sign-in to the tenants that landlords entered with its number: the person sees those leases and invoices. */
export function linkAccount(ctx: Ctx, user: UserRow): void {
  const { orgId, id, phoneNumber } = user
  if (phoneNumber === null) return
  const linked = tenantsOfUser(ctx.tx, orgId, id)
  const rows = tenantsWithPhone(ctx.tx, orgId, phoneNumber).filter(
    (row) => row.userId === null && !linked.some(({ createdBy }) => createdBy === row.createdBy),
  )
  for (const row of rows) change(ctx, saveTenant, row, { userId: id }, 'tenant.link')
}

const unlink = (ctx: Ctx, row: TenantRow) => change(ctx, saveTenant, row, PARTY_LEFT, 'tenant.forget')

/**
 * Copies an account's new number to its tenants, unless the landlord has another tenant with that number. A landlord
 * who only typed the old number is not told the new one.
 */
export function followPhone(ctx: Ctx, user: UserRow): void {
  const { phoneNumber, orgId, id } = user
  if (phoneNumber === null) return
  for (const row of tenantsOfUser(ctx.tx, orgId, id))
    if (
      hasAgreed(ctx.tx, row) &&
      !tenantsWithPhone(ctx.tx, orgId, phoneNumber).some(({ createdBy }) => createdBy === row.createdBy)
    )
      change(ctx, saveTenant, row, { phoneNumber }, 'tenant.phone')
}

/**
 * The account behind a tenant is closed. A tenant with a lease keeps their identity in it, and finds it again by
 * registering anew; any other tenant is erased, and called
 * `name` in requests and drafts.
 */
export function forgetTenant(ctx: Ctx, userId: string, name: Readonly<Record<'fr' | 'en', string>>): void {
  const rows = tenantsOfUser(ctx.tx, ctx.caller.orgId, userId)
  for (const row of rows)
    if (hasLease(ctx.tx, row.orgId, row.id)) unlink(ctx, row)
    else change(ctx, saveTenant, row, { ...NOBODY_LEFT, fullName: name[row.locale] }, 'tenant.forget')
}

type Naming = Readonly<Partial<Record<'tenantUserId' | 'tenantId' | 'tenantPhoneNumber', string | null>>>
/** The tenant that a lease names, in one of three ways. @throws validation_failed, not_found, member_elsewhere */
export function tenantNamed(
  ctx: Ctx,
  { tenantUserId, tenantId, tenantPhoneNumber }: Naming,
  ownerUserId: string,
): TenantRow {
  const named = [tenantUserId, tenantId, tenantPhoneNumber].filter((v) => v !== undefined && v !== null)
  if (named.length !== 1)
    throw invalid(
      '/tenantId',
      'Name the tenant by one of tenantId, tenantUserId and tenantPhoneNumber.',
      'Indiquez le locataire par tenantId, tenantUserId ou tenantPhoneNumber, un seul.',
    )
  if (tenantId) return tenantOf(ctx, tenantId)
  if (tenantPhoneNumber) return tenantOfPhone(ctx, tenantPhoneNumber, ownerUserId)
  return tenantOfUser(ctx, tenantUserId ?? '', ownerUserId)
}

export type Telling = Parameters<typeof inform>[0]
type Concerned = { readonly orgId: string; readonly tenantId: string; readonly ownerUserId: string }
/** Tells the tenant of a lease, in the landlord's name; nothing where they have no number, or do not want it. */
export async function tellTenant(deps: Telling, of: Concerned, { id, purpose, kind, say }: TenantNews): Promise<void> {
  const { orgId } = of
  const tenant = findTenant(deps.db, orgId, of.tenantId)
  const channel = tenant && channelFor(deps, tenant, kind)
  if (!tenant?.phoneNumber || !channel) return
  const { phoneNumber: to, locale, userId } = tenant
  const portal: Portal = (page) => (userId === null ? undefined : `${deps.config.publicUrl}/portal/${page}`)
  const sender = senderOf(deps.db, orgId, of.ownerUserId)
  await inform(deps, { id, orgId, to, channel, purpose, locale, text: say(locale, portal), sender })
}
