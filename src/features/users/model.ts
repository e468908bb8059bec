import { type Static, Type } from '@sinclair/typebox'
import { isRole, ROLES } from '../../core/roles.ts'
import { Body, dto, Email, Locale, Maybe, oneOf, Text, Uuid } from '../../http/schema.ts'
import type { UserRow } from './store.ts'

export const CurrentUser = Type.Object(
  {
    id: Uuid,
    subject: Type.String(),
    username: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    firstName: Type.Optional(Type.String()),
    lastName: Type.Optional(Type.String()),
    phoneNumber: Type.Optional(Type.String()),
    phoneVerified: Type.Boolean(),
    locale: Type.Optional(Locale),
    orgId: Uuid,
    roles: Type.Array(oneOf(ROLES)),
  },
  { $id: 'CurrentUser' },
)
export const ProfilePatch = Body({
  firstName: Maybe(Text({ max: 100 })),
  lastName: Maybe(Text({ max: 100 })),
  email: Maybe(Email),
  locale: Maybe(Locale),
})
export type ProfilePatch = Static<typeof ProfilePatch>

export const toCurrentUser = ({
  version: _v,
  status: _s,
  notBefore: _n,
  createdAt: _c,
  updatedAt: _u,
  roles,
  ...row
}: UserRow): Static<typeof CurrentUser> => ({
  ...dto(row),
  roles: roles.filter(isRole),
})
