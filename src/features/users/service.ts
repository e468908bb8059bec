import { isDeepStrictEqual } from 'node:util'
import type { Claims } from '../../adapters/identity/verify.ts'
import { isUuid } from '../../core/id.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Ctx } from '../../http/caller.ts'
import { record } from '../audit/service.ts'
import type { ProfilePatch } from './model.ts'
import { findUser, insertUser, saveUser, type UserRow, userIdTaken } from './store.ts'

type Profile = Pick<
  UserRow,
  'username' | 'email' | 'firstName' | 'lastName' | 'phoneNumber' | 'phoneVerified' | 'roles'
>

/** What a token says of its subject, in the members of a user row. */
export const profileOf = (claims: Claims): Profile => ({
  username: claims.username ?? null,
  email: claims.email ?? null,
  firstName: claims.givenName ?? null,
  lastName: claims.familyName ?? null,
  phoneNumber: claims.phoneNumber ?? null,
  phoneVerified: claims.phoneVerified ?? false,
  roles: claims.roles,
})

/** Makes the row of a person at the first sight of their token; the id is the token's subject where that is a free UUID. */
export function createUser(ctx: Ctx, subject: string, profile: Profile, locale: 'fr' | 'en' | null = null): UserRow {
  const row: UserRow = {
    id: isUuid(subject) && !userIdTaken(ctx.tx, subject) ? subject : ctx.newId(),
    orgId: ctx.caller.orgId,
    subject,
    ...profile,
    locale,
    status: 'ACTIVE',
    notBefore: null,
    createdAt: ctx.now,
    updatedAt: ctx.now,
    version: 1,
  }
  insertUser(ctx.tx, row)
  record(ctx, 'user.create', { type: 'user', after: row })
  return row
}

const members = (p: Profile): string =>
  JSON.stringify([p.username, p.email, p.firstName, p.lastName, p.phoneNumber, p.phoneVerified, p.roles])
/** Whether a row says what the token says already. */
export const sameProfile = (a: Profile, b: Profile): boolean => members(a) === members(b)

/** Takes over what an external issuer says by now. */
export function refreshUser(ctx: Ctx, before: UserRow, profile: Profile): UserRow {
  if (sameProfile(before, profile)) return before
  return save(ctx, 'user.refresh', before, { ...before, ...profile })
}

/** Changes the caller's own names, e-mail and language. */
export function updateProfile(ctx: Ctx, patch: ProfilePatch): UserRow {
  const before = findUser(ctx.tx, ctx.caller.orgId, ctx.caller.userId)
  if (!before) throw notFound()
  ctx.expectVersion(before.version)
  const changed = { ...before, ...patch }
  return isDeepStrictEqual(changed, before) ? before : save(ctx, 'user.update', before, changed)
}

/** The number on file was verified by a code. */
export const markVerified = (ctx: Ctx, before: UserRow): UserRow =>
  before.phoneVerified ? before : save(ctx, 'user.phone_verify', before, { ...before, phoneVerified: true })

function save(ctx: Ctx, action: string, before: UserRow, changed: UserRow): UserRow {
  const after = saveUser(ctx.tx, before, { ...changed, updatedAt: ctx.now })
  if (!after) throw new AppError('precondition_failed')
  record(ctx, action, { type: 'user', before, after })
  return after
}
