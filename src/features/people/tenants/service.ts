import { change, record } from '../../../changes/record.ts'
import type { Ctx } from '../../../context.ts'
import { lastDigits } from '../../../core/phone.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { inform } from '../notices/service.ts'
import { organizationOf } from '../organizations/service.ts'
import { checkRoom } from '../quotas/service.ts'
import { findUser, findUserByPhone, phoneElsewhere, type UserRow } from '../users/store.ts'
import type { TenantCreate, TenantPatch } from './model.ts'
import {
  findTenant,
  getTenant,
  hasDealt,
  hasLease,
  insertTenant,
  leasedByOthers,
  saveTenant,
  seesTenant,
  type TenantRow,
  tenantsOfUser,
  tenantsWithPhone,
} from './store.ts'

/** A tenant within the caller's reach. @throws not_found */
function tenantOf(ctx: Ctx, id: string): TenantRow {
  const row = getTenant(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id)
  if (!row) throw notFound()
  return row
}

/** Those that stand for the same person in the eyes of the caller, or of whoever entered `self` where the caller sees all. */
const twins = ({ tx, caller: { scope } }: Ctx, rows: readonly TenantRow[], self?: TenantRow): TenantRow[] =>
  rows.filter((row) =>
    self && scope.kind === 'all'
      ? row.id !== self.id && row.createdBy === self.createdBy
      : row.id !== self?.id && seesTenant(tx, scope, row),
  )

/** The account that a number leads to. @throws duplicate, member_elsewhere */
function accountBehind(ctx: Ctx, phoneNumber: string | null, self?: TenantRow): string | null {
  if (phoneNumber === null) return null
  const { orgId } = ctx.caller
  if (twins(ctx, tenantsWithPhone(ctx.tx, orgId, phoneNumber), self).length > 0)
    throw new AppError('duplicate', {
      en: 'A tenant with this number is entered already: name them by the number when you draw up a lease.',
      fr: 'Un locataire avec ce numéro est déjà inscrit : désignez-le par ce numéro dans le bail.',
    })
  if (phoneElsewhere(ctx.tx, orgId, phoneNumber)) throw new AppError('member_elsewhere')
  const user = findUserByPhone(ctx.tx, orgId, phoneNumber)
  // A number that nobody has proved to hold leads to nobody.
  if (!user?.phoneVerified) return null
  return twins(ctx, tenantsOfUser(ctx.tx, orgId, user.id), self).length === 0 ? user.id : null
}

/** A person known to the landlord. A number invites it: who has or gets an account with it finds their leases. */
export function createTenant(ctx: Ctx, body: TenantCreate): TenantRow {
  const phoneNumber = body.phoneNumber ?? null
  return insert(ctx, { ...body, phoneNumber, userId: accountBehind(ctx, phoneNumber) })
}

function insert(
  ctx: Ctx,
  t: Omit<TenantCreate, 'phoneNumber'> & { phoneNumber: string | null; userId: string | null },
): TenantRow {
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
 * Changes the members named; a new number is looked up like that of a new tenant, an account once linked stays.
 * @throws not_found, manager_required, duplicate, member_elsewhere
 */
export function updateTenant(ctx: Ctx, id: string, patch: TenantPatch): TenantRow {
  const before = tenantOf(ctx, id)
  const changed = { ...before, ...patch }
  const members = (Object.keys(patch) as (keyof TenantPatch)[]).filter((m) => changed[m] !== before[m])
  if (ctx.caller.scope.kind === 'owner') checkOwnToChange(ctx, before, members)
  if (members.includes('phoneNumber')) {
    const userId = accountBehind(ctx, changed.phoneNumber, before)
    changed.userId = before.userId ?? userId
  }
  return members.length === 0 ? before : change(ctx, saveTenant, before, changed, 'tenant.update')
}

/** A number would take the account and the leases of other owners along; who has an account says themselves who they are. */
function checkOwnToChange(ctx: Ctx, row: TenantRow, members: readonly (keyof TenantPatch)[]): void {
  const [member] = members
  if (member !== undefined && leasedByOthers(ctx.tx, row, ctx.caller.userId))
    throw new AppError('manager_required', {
      en: `Another owner has a lease with this tenant: only a manager or an administrator changes ${member}.`,
      fr: `Un autre propriétaire a un bail avec ce locataire : seul un gestionnaire ou un administrateur modifie ${member}.`,
    })
  const own = members.find((m) => m === 'phoneNumber' || (m === 'fullName' && !isUnnamed(row)))
  if (own !== undefined && hasAgreed(ctx, row))
    throw new AppError('manager_required', {
      en: `This tenant has an account of their own: only a manager or an administrator changes ${own}.`,
      fr: `Ce locataire a son propre compte : seul un gestionnaire ou un administrateur modifie ${own}.`,
    })
}

/** Whether a tenant was entered for the whole organization, not by one of its owners for themselves. */
function isOfHouse({ tx }: Ctx, { orgId, createdBy }: TenantRow): boolean {
  const roles = findUser(tx, orgId, createdBy)?.roles
  return roles === undefined || roles.some((role) => role === 'MANAGER' || role === 'ADMIN')
}

/**
 * Whether the person behind the account, or a manager, has agreed to be this tenant: they asked for the lease, took the
 * invitation up or signed. A number or an id that an owner typed is no agreement.
 */
function hasAgreed(ctx: Ctx, row: TenantRow): boolean {
  const { userId } = row
  if (userId === null) return false
  if (row.createdBy === userId || isOfHouse(ctx, row) || hasDealt(ctx.tx, row, userId)) return true
  const user = findUser(ctx.tx, row.orgId, userId)
  return user !== undefined && row.createdAt < user.createdAt
}

const nameOf = (user: UserRow): string =>
  [user.firstName, user.lastName].filter(Boolean).join(' ') || user.username || user.phoneNumber || user.id

/** Whether nobody has told the name yet: a number stands in its place. */
const isUnnamed = ({ fullName }: TenantRow): boolean => /^\+\d+$/.test(fullName) || fullName.includes('•')

/** No owner comes to know a person by an act of their own alone. @throws manager_required */
export function checkKnown({ tx, caller: { orgId, scope } }: Ctx, tenantId: string): void {
  if (scope.kind !== 'owner' || getTenant(tx, orgId, scope, tenantId)) return
  throw new AppError('manager_required', {
    en: 'You do not know the tenant of this draft: a manager or an administrator submits it, or you draw up another one with their number.',
    fr: 'Vous ne connaissez pas le locataire de ce projet de bail : un gestionnaire ou un administrateur le soumet, ou vous en établissez un autre avec son numéro.',
  })
}

/**
 * A tenant or a manager agrees to a lease: a tenant who was found by a number is called by their name from here on.
 * @returns whether anything changed
 */
export function introduce(ctx: Ctx, tenantId: string): boolean {
  const row = findTenant(ctx.tx, ctx.caller.orgId, tenantId)
  const user = row?.userId && isUnnamed(row) ? findUser(ctx.tx, row.orgId, row.userId) : undefined
  if (!row || !user) return false
  const phoneNumber = row.phoneNumber ?? (user.phoneVerified ? user.phoneNumber : null)
  change(ctx, saveTenant, row, { fullName: nameOf(user), phoneNumber }, 'tenant.introduce')
  return true
}

/**
 * The tenant behind an account of the organization, made when it is not there yet: for an owner's lease the one that they
 * see. Who sees only what they own reaches tenants' accounts and no others, and of those that another owner entered no more
 * than the last digits. @throws not_found
 */
export function tenantOfUser(ctx: Ctx, userId: string, ownerUserId: string): TenantRow {
  const { orgId, scope } = ctx.caller
  const user = findUser(ctx.tx, orgId, userId)
  if (!user || user.status === 'ERASED' || (scope.kind === 'owner' && !user.roles.includes('TENANT'))) throw notFound()
  // Theirs once they have signed up; until then nobody has proved to hold the number.
  if (user.status === 'INVITED' && user.phoneNumber !== null) return tenantOfPhone(ctx, user.phoneNumber, ownerUserId)
  const linked = tenantsOfUser(ctx.tx, orgId, userId)
  const found = choose(ctx, linked, ownerUserId)
  if (found) return found
  // An unproved number would open another person's leases, and send their notices elsewhere.
  const phoneNumber = user.phoneVerified ? user.phoneNumber : null
  const free = phoneNumber === null ? [] : tenantsWithPhone(ctx.tx, orgId, phoneNumber).filter((t) => t.userId === null)
  const byPhone = choose(ctx, free, ownerUserId)
  if (byPhone) return change(ctx, saveTenant, byPhone, { userId }, 'tenant.link')
  if (scope.kind === 'owner' && linked.length + free.length > 0)
    return insert(ctx, { fullName: lastDigits(phoneNumber), phoneNumber: null, userId })
  return insert(ctx, { fullName: nameOf(user), phoneNumber, userId, locale: user.locale })
}

/** The one of several entries for a person that a lease of this owner takes. */
function choose(ctx: Ctx, rows: readonly TenantRow[], ownerUserId: string): TenantRow | undefined {
  const { scope, userId } = ctx.caller
  const seen = rows.find((row) => seesTenant(ctx.tx, { kind: 'owner', userId: ownerUserId }, row))
  if (seen || scope.kind === 'owner') return seen
  return scope.kind === 'all' ? rows[0] : rows.find((row) => row.createdBy === userId || isOfHouse(ctx, row))
}

/** The tenant with a number, invited when not known yet; what another owner entered with it stays theirs. */
export function tenantOfPhone(ctx: Ctx, phoneNumber: string, ownerUserId: string): TenantRow {
  return (
    choose(ctx, tenantsWithPhone(ctx.tx, ctx.caller.orgId, phoneNumber), ownerUserId) ??
    createTenant(ctx, { fullName: phoneNumber, phoneNumber })
  )
}

/** A person signed in with a number that landlords had entered: their leases and invoices become theirs to see. */
export function linkAccount(ctx: Ctx, user: UserRow): void {
  if (user.phoneNumber === null) return
  const linked = tenantsOfUser(ctx.tx, user.orgId, user.id)
  for (const row of tenantsWithPhone(ctx.tx, user.orgId, user.phoneNumber))
    if (row.userId === null && !linked.some(({ createdBy }) => createdBy === row.createdBy))
      change(ctx, saveTenant, row, { userId: user.id }, 'tenant.link')
}

/**
 * A tenant with an account keeps the number of that account, unless whoever entered them has another tenant with it. Who
 * only typed the old number is not told the new one.
 */
export function followPhone(ctx: Ctx, user: UserRow): void {
  const { phoneNumber, orgId, id } = user
  if (phoneNumber === null) return
  for (const row of tenantsOfUser(ctx.tx, orgId, id))
    if (
      hasAgreed(ctx, row) &&
      !tenantsWithPhone(ctx.tx, orgId, phoneNumber).some(({ createdBy }) => createdBy === row.createdBy)
    )
      change(ctx, saveTenant, row, { phoneNumber }, 'tenant.phone')
}

/**
 * The account behind a tenant is closed. Whoever had a lease stays its party, with what identifies them, and finds it again
 * by registering anew; anybody else is forgotten, and called `name` in requests and drafts.
 */
export function forgetTenant(ctx: Ctx, userId: string, name: Readonly<Record<'fr' | 'en', string>>): void {
  const nothing = { phoneNumber: null, idType: null, idNumber: null, niu: null, address: null }
  for (const row of tenantsOfUser(ctx.tx, ctx.caller.orgId, userId)) {
    const rest = hasLease(ctx.tx, row.orgId, row.id) ? {} : { fullName: name[row.locale], ...nothing }
    change(ctx, saveTenant, row, { ...rest, userId: null }, 'tenant.forget')
  }
}

type Naming = Readonly<Partial<Record<'tenantUserId' | 'tenantId' | 'tenantPhoneNumber', string | null>>>
/** The tenant that a lease of this owner names, in one of three ways. @throws validation_failed, not_found, member_elsewhere */
export function tenantNamed(
  ctx: Ctx,
  { tenantUserId, tenantId, tenantPhoneNumber }: Naming,
  ownerUserId: string,
): TenantRow {
  const given = [tenantUserId, tenantId, tenantPhoneNumber].filter((v) => v !== undefined && v !== null)
  if (given.length !== 1)
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
type Concerned = { readonly orgId: string; readonly tenantId: string }
/** News to the tenant of a lease, in their language and by their channel; none where there is no number. `id`: of the job. */
export async function tellTenant(
  deps: Telling,
  { orgId, tenantId }: Concerned,
  { id, purpose, say }: { readonly id: string; readonly purpose: string; readonly say: (l: 'fr' | 'en') => string },
): Promise<void> {
  const tenant = findTenant(deps.db, orgId, tenantId)
  if (!tenant?.phoneNumber) return
  const { phoneNumber: to, locale } = tenant
  await inform(deps, { id, orgId, to, channel: tenant.channel ?? 'WHATSAPP', purpose, locale, text: say(locale) })
}
