import { isDeepStrictEqual } from 'node:util'
import { AppError, invalid, notFound } from '../../errors.ts'
import type { Ctx } from '../../http/caller.ts'
import { record } from '../audit/service.ts'
import { organizationOf } from '../organizations/service.ts'
import { findUser, findUserByPhone, phoneElsewhere, type UserRow } from '../users/store.ts'
import type { TenantCreate, TenantPatch } from './model.ts'
import {
  findTenantByPhone,
  findTenantByUser,
  getTenant,
  hasLease,
  insertTenant,
  saveTenant,
  type TenantRow,
} from './store.ts'

/** A tenant within the caller's reach. @throws not_found */
function tenantOf(ctx: Ctx, id: string): TenantRow {
  const row = getTenant(ctx.tx, ctx.caller.orgId, ctx.caller.scope, id)
  if (!row) throw notFound()
  return row
}

/** The account that a number leads to. @throws duplicate, member_elsewhere */
function accountBehind(ctx: Ctx, phoneNumber: string | null, self?: string): string | null {
  if (phoneNumber === null) return null
  const { orgId } = ctx.caller
  const twin = findTenantByPhone(ctx.tx, orgId, phoneNumber)
  if (twin && twin.id !== self)
    throw new AppError('duplicate', {
      en: 'A tenant with this number is entered already: name them by the number when you draw up a lease.',
      fr: 'Un locataire avec ce numéro est déjà inscrit : désignez-le par ce numéro dans le bail.',
    })
  if (phoneElsewhere(ctx.tx, orgId, phoneNumber)) throw new AppError('member_elsewhere')
  const user = findUserByPhone(ctx.tx, orgId, phoneNumber)
  // A number that nobody has proved to hold leads to nobody.
  if (!user?.phoneVerified) return null
  const linked = findTenantByUser(ctx.tx, orgId, user.id)
  return !linked || linked.id === self ? user.id : null
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

/** Changes the members named; a new number is looked up like that of a new tenant, an account once linked stays. */
export function updateTenant(ctx: Ctx, id: string, patch: TenantPatch): TenantRow {
  const before = tenantOf(ctx, id)
  ctx.expectVersion(before.version)
  const changed = { ...before, ...patch }
  if (patch.phoneNumber !== undefined && patch.phoneNumber !== before.phoneNumber) {
    const userId = accountBehind(ctx, patch.phoneNumber, id)
    changed.userId = before.userId ?? userId
  }
  return isDeepStrictEqual(changed, before) ? before : save(ctx, 'tenant.update', before, changed)
}

const nameOf = (user: UserRow): string =>
  [user.firstName, user.lastName].filter(Boolean).join(' ') || user.username || user.phoneNumber || user.id

/**
 * The tenant behind an account of the organization, made when it is not there yet. Who sees only what they own reaches
 * tenants' accounts and no others. @throws not_found
 */
export function tenantOfUser(ctx: Ctx, userId: string): TenantRow {
  const user = findUser(ctx.tx, ctx.caller.orgId, userId)
  if (!user || user.status === 'ERASED' || (ctx.caller.scope.kind === 'owner' && !user.roles.includes('TENANT')))
    throw notFound()
  // Theirs once they have signed up; until then nobody has proved to hold the number.
  if (user.status === 'INVITED' && user.phoneNumber !== null) return tenantOfPhone(ctx, user.phoneNumber)
  const linked = findTenantByUser(ctx.tx, ctx.caller.orgId, userId)
  if (linked) return linked
  // An unproved number would open another person's leases, and send their notices elsewhere.
  const phoneNumber = user.phoneVerified ? user.phoneNumber : null
  const byPhone = phoneNumber === null ? undefined : findTenantByPhone(ctx.tx, ctx.caller.orgId, phoneNumber)
  if (byPhone && byPhone.userId === null) return save(ctx, 'tenant.link', byPhone, { ...byPhone, userId })
  return insert(ctx, {
    fullName: nameOf(user),
    phoneNumber: byPhone ? null : phoneNumber,
    userId,
    locale: user.locale,
  })
}

/** The tenant with a number, invited when not known yet. */
export function tenantOfPhone(ctx: Ctx, phoneNumber: string): TenantRow {
  return (
    findTenantByPhone(ctx.tx, ctx.caller.orgId, phoneNumber) ??
    createTenant(ctx, { fullName: phoneNumber, phoneNumber })
  )
}

/** A person signed in with a number that a landlord had entered: their leases and invoices become theirs to see. */
export function linkAccount(ctx: Ctx, user: UserRow): void {
  if (user.phoneNumber === null || findTenantByUser(ctx.tx, user.orgId, user.id)) return
  const invited = findTenantByPhone(ctx.tx, user.orgId, user.phoneNumber)
  if (invited && invited.userId === null) save(ctx, 'tenant.link', invited, { ...invited, userId: user.id })
}

/** A tenant with an account keeps the number of that account, unless another tenant has it. */
export function followPhone(ctx: Ctx, user: UserRow): void {
  const row = findTenantByUser(ctx.tx, user.orgId, user.id)
  if (!row || user.phoneNumber === null || findTenantByPhone(ctx.tx, user.orgId, user.phoneNumber)) return
  save(ctx, 'tenant.phone', row, { ...row, phoneNumber: user.phoneNumber, updatedAt: ctx.now })
}

/**
 * The account behind a tenant is closed. Whoever had a lease stays its party, with what identifies them, and finds it again
 * by registering anew; anybody else is forgotten, and called `name` in requests and drafts.
 */
export function forgetTenant(ctx: Ctx, userId: string, name: Readonly<Record<'fr' | 'en', string>>): void {
  const row = findTenantByUser(ctx.tx, ctx.caller.orgId, userId)
  if (!row) return
  const nothing = { phoneNumber: null, idType: null, idNumber: null, niu: null, address: null }
  const rest = hasLease(ctx.tx, row.orgId, row.id) ? {} : { fullName: name[row.locale], ...nothing }
  save(ctx, 'tenant.forget', row, { ...row, ...rest, userId: null })
}

function save(ctx: Ctx, action: string, before: TenantRow, changed: TenantRow): TenantRow {
  const after = saveTenant(ctx.tx, before, { ...changed, updatedAt: ctx.now })
  if (!after) throw new AppError('precondition_failed')
  record(ctx, action, { type: 'tenant', before, after })
  return after
}

type Naming = Readonly<Partial<Record<'tenantUserId' | 'tenantId' | 'tenantPhoneNumber', string | null>>>
/** The tenant that a lease names, in one of three ways. @throws validation_failed, not_found, member_elsewhere */
export function tenantNamed(ctx: Ctx, { tenantUserId, tenantId, tenantPhoneNumber }: Naming): TenantRow {
  const given = [tenantUserId, tenantId, tenantPhoneNumber].filter((v) => v !== undefined && v !== null)
  if (given.length !== 1)
    throw invalid(
      '/tenantId',
      'Name the tenant by one of tenantId, tenantUserId and tenantPhoneNumber.',
      'Indiquez le locataire par tenantId, tenantUserId ou tenantPhoneNumber, un seul.',
    )
  if (tenantId) return tenantOf(ctx, tenantId)
  if (tenantPhoneNumber) return tenantOfPhone(ctx, tenantPhoneNumber)
  return tenantOfUser(ctx, tenantUserId ?? '')
}
