import { type Static, Type } from '@sinclair/typebox'
import { isRole, ROLES } from '../../../core/roles.ts'
import { dto } from '../../../http/json.ts'
import { CreatedAt, Id, OrgId } from '../../../http/members.ts'
import { Body, Email, IdType, Locale, Maybe, oneOf, PersonName, Phone, Text, Uuid } from '../../../http/schema.ts'
import { fullNameOf, USER_STATUS } from './rules.ts'
import type { UserRow } from './store.ts'

const FirstName = Type.String({ description: 'First names.', examples: ['Étienne'] })
const LastName = Type.String({ description: 'Family name.', examples: ['Mbarga'] })
const PhoneVerified = Type.Boolean({
  description: 'Whether the user has proved with a code that the number is theirs.',
  examples: [true],
})
const IdNumber = Type.String({ description: 'The number of the identity paper.', examples: ['112345678'] })
const Address = Type.String({ description: 'The postal address, as printed on papers.' })

const RoleName = oneOf(ROLES, { $id: 'Role' })
/** Members that papers print about a landlord. */
const asLandlord = {
  niu: Maybe(Text({ max: 20, description: "The taxpayer's number (NIU)." })),
  idType: Maybe({ ...IdType, description: 'The kind of identity paper.' }),
  idNumber: Maybe(Text({ max: 60, description: 'The number of the identity paper.' })),
  address: Maybe(Text({ max: 300, lines: true, description: 'The postal address, as printed on papers.' })),
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
        'Limits a MANAGER to these properties, with their units, leases, money and papers; null removes the limit. Such a manager cannot change the organization, import, or create a property, and does not see the tenants of others. Given to somebody who is neither OWNER nor ADMIN. An edit of the roles leaves the limit as it is: it waits while the person administers, or manages nothing.',
    }),
  ),
}
export const CurrentUser = Type.Object(
  {
    id: Id,
    subject: Type.String({
      description: 'The `sub` of the access token.',
      examples: ['01985f3a-7c00-7000-8000-000000000002'],
    }),
    username: Type.Optional(
      Type.String({ description: 'The name to sign in with: the phone number.', examples: ['+237699000011'] }),
    ),
    email: Type.Optional(
      Type.String({ description: 'The e-mail address; nothing is sent to it.', examples: ['e.mbarga@example.cm'] }),
    ),
    firstName: Type.Optional(FirstName),
    lastName: Type.Optional(LastName),
    phoneNumber: Type.Optional(
      Type.String({
        description: 'Phone number in international form: a plus sign and 7 to 15 digits.',
        examples: ['+237699000011'],
      }),
    ),
    phoneVerified: PhoneVerified,
    locale: Type.Optional(Locale),
    orgId: OrgId,
    roles: Type.Array(RoleName, { description: 'The roles: TENANT, OWNER, MANAGER, ADMIN.', examples: [['OWNER']] }),
    niu: Type.Optional(Type.String({ description: "The taxpayer's number." })),
    idType: Type.Optional(Type.String({ description: 'The kind of identity paper.', examples: ['NATIONAL_ID'] })),
    idNumber: Type.Optional(IdNumber),
    address: Type.Optional(Address),
    propertyIds: Type.Optional(Type.Array(Uuid, { description: GIVEN })),
  },
  { $id: 'CurrentUser' },
)
export const ProfilePatch = Body(
  {
    firstName: Maybe({ ...PersonName, description: 'First names.', examples: ['Étienne'] }),
    lastName: Maybe({ ...PersonName, description: 'Family name.' }),
    email: Maybe({ ...Email, description: 'The e-mail address; nothing is sent to it.' }),
    locale: Maybe(Locale),
    ...asLandlord,
  },
  { $id: 'ProfilePatch', examples: [{ email: 'e.mbarga@example.cm', locale: 'fr' }] },
)
export type ProfilePatch = Static<typeof ProfilePatch>

type PropertyIds = readonly string[] | undefined
export const toCurrentUser = (
  properties: PropertyIds,
  {
    version: _v,
    status: _s,
    notBefore: _n,
    notifications: _no,
    limited: _l,
    adminUntil: _a,
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
    id: Id,
    orgId: OrgId,
    status: oneOf(USER_STATUS, {
      description:
        'INVITED: has not registered yet. DISABLED: cannot sign in. ERASED: closed by the person; no personal data is left.',
    }),
    roles: Type.Array(RoleName, { description: 'The roles: TENANT, OWNER, MANAGER, ADMIN.', examples: [['OWNER']] }),
    phoneNumber: Type.Optional(
      Type.String({
        description: 'Phone number in international form: a plus sign and 7 to 15 digits.',
        examples: ['+237677123456'],
      }),
    ),
    phoneVerified: PhoneVerified,
    firstName: Type.Optional(FirstName),
    lastName: Type.Optional(LastName),
    email: Type.Optional(
      Type.String({ description: 'The e-mail address; nothing is sent to it.', examples: ['e.mbarga@example.cm'] }),
    ),
    locale: Type.Optional(Locale),
    createdAt: CreatedAt,
    niu: Type.Optional(Type.String({ description: "The taxpayer's number (NIU)." })),
    idType: Type.Optional(Type.String({ description: 'The kind of identity paper.', examples: ['NATIONAL_ID'] })),
    idNumber: Type.Optional(IdNumber),
    address: Type.Optional(Address),
    propertyIds: Type.Optional(Type.Array(Uuid, { description: GIVEN })),
  },
  { $id: 'User' },
)
const Roles = Type.Array(RoleName, {
  minItems: 1,
  maxItems: ROLES.length,
  description: 'The roles: TENANT, OWNER, MANAGER, ADMIN.',
  examples: [['OWNER']],
})
export const Invitation = Body(
  {
    phoneNumber: Phone,
    roles: Roles,
    firstName: Maybe({ ...PersonName, description: 'First names.' }),
    lastName: Maybe({ ...PersonName, description: 'Family name.' }),
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
    status: Type.Optional(
      oneOf(['ACTIVE', 'DISABLED'] as const, {
        $id: 'UserStatusChange',
        description: 'DISABLED ends all sessions and blocks sign-in; ACTIVE allows it again.',
      }),
    ),
    ...asLandlord,
    ...asCaretaker,
  },
  { examples: [{ roles: ['OWNER', 'MANAGER'] }] },
)
export type UserPatch = Static<typeof UserPatch>
/** Somebody who can be chosen by name. */
export const Person = Type.Object(
  {
    id: Id,
    name: Type.String({
      description: 'The name, or the number if no name was given.',
      examples: ['Résidence Bonamoussadi'],
    }),
    roles: Type.Array(RoleName, { description: 'The roles: TENANT, OWNER, MANAGER, ADMIN.', examples: [['OWNER']] }),
  },
  { $id: 'Person' },
)
type Named = Pick<UserRow, 'id' | 'roles'> & { [K in 'firstName' | 'lastName' | 'phoneNumber']?: string | null }
export const toPerson = ({ id, firstName, lastName, phoneNumber, roles }: Named) => ({
  id,
  name: fullNameOf({ firstName, lastName }) || phoneNumber || '–',
  roles: roles.filter(isRole),
})

/** An identity provider's tokens may contain roles that do not exist here. */
export const userView = <T extends Pick<UserRow, 'roles'>>(row: T) => ({ ...row, roles: row.roles.filter(isRole) })
export const toUser = (
  properties: PropertyIds,
  {
    subject: _s,
    username: _n,
    notBefore: _b,
    notifications: _o,
    updatedAt: _u,
    version: _v,
    limited: _l,
    adminUntil: _a,
    ...row
  }: UserRow,
): Static<typeof User> => userView({ ...dto(row), ...(properties && { propertyIds: [...properties] }) })
