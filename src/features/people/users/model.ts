import { type Static, Type } from '@sinclair/typebox'
import { isRole, ROLES } from '../../../core/roles.ts'
import { dto } from '../../../http/json.ts'
import {
  Body,
  DateTime,
  Email,
  IdType,
  Locale,
  Maybe,
  oneOf,
  PersonName,
  Phone,
  Text,
  Uuid,
} from '../../../http/schema.ts'
import { USER_STATUS } from './rules.ts'
import type { UserRow } from './store.ts'

const RoleName = oneOf(ROLES, { $id: 'Role' })
/** Members that papers print about a landlord. */
const asLandlord = {
  niu: Maybe(Text({ max: 20 })),
  idType: Maybe(IdType),
  idNumber: Maybe(Text({ max: 60 })),
  address: Maybe(Text({ max: 300, lines: true })),
}
/** More properties than one person looks after by hand; somebody with more sees the whole organization. */
const MOST_PROPERTIES = 50
const GIVEN = 'The ids of the properties that this manager is limited to; absent: no limit.'
/** A manager who sees, and records for, some properties only. */
const asCaretaker = {
  propertyIds: Maybe(
    Type.Array(Uuid, {
      maxItems: MOST_PROPERTIES,
      uniqueItems: true,
      description:
        'Limits a MANAGER to these properties, with their units, leases, money and papers; null removes the limit. Such a manager cannot change the organization, import, or create a property, and does not see the tenants of others. Only for somebody who is neither OWNER nor ADMIN; a role that does not fit removes the limit.',
    }),
  ),
}
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
    roles: Type.Array(RoleName),
    niu: Type.Optional(Type.String({ description: "The taxpayer's number." })),
    idType: Type.Optional(Type.String()),
    idNumber: Type.Optional(Type.String()),
    address: Type.Optional(Type.String()),
    propertyIds: Type.Optional(Type.Array(Uuid, { description: GIVEN })),
  },
  { $id: 'CurrentUser' },
)
export const ProfilePatch = Body(
  {
    firstName: Maybe(PersonName),
    lastName: Maybe(PersonName),
    email: Maybe(Email),
    locale: Maybe(Locale),
    ...asLandlord,
  },
  { $id: 'ProfilePatch', examples: [{ email: 'e.mbarga@example.cm', locale: 'fr' }] },
)
export type ProfilePatch = Static<typeof ProfilePatch>

type Given = readonly string[] | undefined
export const toCurrentUser = (
  properties: Given,
  {
    version: _v,
    status: _s,
    notBefore: _n,
    notifications: _no,
    limited: _l,
    createdAt: _c,
    updatedAt: _u,
    roles,
    ...row
  }: UserRow,
): Static<typeof CurrentUser> => ({
  ...dto(row),
  roles: roles.filter(isRole),
  ...(properties && { propertyIds: [...properties] }),
})

export const User = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    status: oneOf(USER_STATUS, {
      description:
        'INVITED: has not registered yet. DISABLED: cannot sign in. ERASED: closed by the person; no personal data is left.',
    }),
    roles: Type.Array(RoleName),
    phoneNumber: Type.Optional(Type.String()),
    phoneVerified: Type.Boolean(),
    firstName: Type.Optional(Type.String()),
    lastName: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    locale: Type.Optional(Locale),
    createdAt: DateTime,
    niu: Type.Optional(Type.String()),
    idType: Type.Optional(Type.String()),
    idNumber: Type.Optional(Type.String()),
    address: Type.Optional(Type.String()),
    propertyIds: Type.Optional(Type.Array(Uuid, { description: GIVEN })),
  },
  { $id: 'User' },
)
const Roles = Type.Array(RoleName, { minItems: 1, maxItems: ROLES.length })
export const Invitation = Body(
  {
    phoneNumber: Phone,
    roles: Roles,
    firstName: Maybe(PersonName),
    lastName: Maybe(PersonName),
    locale: Maybe(Locale),
    ...asCaretaker,
  },
  {
    $id: 'UserInvite',
    examples: [{ phoneNumber: '+237677123456', roles: ['MANAGER'], firstName: 'Paul', locale: 'fr' }],
  },
)
export type Invitation = Static<typeof Invitation>
export const UserPatch = Body(
  {
    roles: Type.Optional(Roles),
    status: Type.Optional(oneOf(['ACTIVE', 'DISABLED'] as const, { $id: 'UserStatusChange' })),
    ...asLandlord,
    ...asCaretaker,
  },
  { examples: [{ roles: ['OWNER', 'MANAGER'] }] },
)
export type UserPatch = Static<typeof UserPatch>
export const RecoveryCode = Type.Object(
  {
    code: Type.String({ description: 'Twelve digits, shown only this once: hand them over in person.' }),
    expiresAt: DateTime,
  },
  { $id: 'RecoveryCode' },
)

/** Somebody who can be chosen by name. */
export const Person = Type.Object(
  {
    id: Uuid,
    name: Type.String({ description: 'The name, or the number if no name was given.' }),
    roles: Type.Array(RoleName),
  },
  { $id: 'Person' },
)
type Named = Pick<UserRow, 'id' | 'roles'> & { [K in 'firstName' | 'lastName' | 'phoneNumber']?: string | null }
export const toPerson = ({ id, firstName, lastName, phoneNumber, roles }: Named) => ({
  id,
  name: [firstName, lastName].filter(Boolean).join(' ') || phoneNumber || '–',
  roles: roles.filter(isRole),
})

/** An identity provider's tokens may contain roles that do not exist here. */
export const userView = <T extends Pick<UserRow, 'roles'>>(row: T) => ({ ...row, roles: row.roles.filter(isRole) })
export const toUser = (
  properties: Given,
  {
    subject: _s,
    username: _n,
    notBefore: _b,
    notifications: _o,
    updatedAt: _u,
    version: _v,
    limited: _l,
    ...row
  }: UserRow,
): Static<typeof User> => userView({ ...dto(row), ...(properties && { propertyIds: [...properties] }) })
