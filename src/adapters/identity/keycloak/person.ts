import { ROLES, type Role } from '../../../core/roles.ts'
import { member } from '../keys/key-set.ts'
import type { Account, NewAccount } from '../port.ts'

/** Keycloak's whole representation of a user: a PUT deletes every member that is left out. */
export type Person = Readonly<Record<string, unknown>>
export type RealmRole = { readonly id: string; readonly name: Role }

/** An account in Keycloak's form; disabled and marked while `unfinished` (epoch ms) is given. */
export const personOf = (account: NewAccount, unfinished?: number): Person => ({
  username: account.phoneNumber,
  enabled: unfinished === undefined,
  firstName: account.firstName,
  lastName: account.lastName,
  ...(account.email === undefined ? {} : { email: account.email }),
  attributes: {
    org_id: [account.orgId],
    phoneNumber: [account.phoneNumber],
    phoneVerified: [String(account.phoneVerified)],
    ...(account.locale === undefined ? {} : { locale: [account.locale] }),
    ...(unfinished === undefined ? {} : { unfinished: [String(unfinished)] }),
  },
})

const attributesOf = (person: Person): object => {
  const attributes = member(person, 'attributes')
  return typeof attributes === 'object' && attributes !== null ? attributes : {}
}
export function attribute(person: Person, name: string): string | undefined {
  const values = member(attributesOf(person), name)
  return Array.isArray(values) && typeof values[0] === 'string' ? values[0] : undefined
}
/** The person with a new, verified number as attribute and user name. */
export const withPhone = (person: Person, phoneNumber: string): Person => ({
  ...person,
  username: phoneNumber,
  attributes: { ...attributesOf(person), phoneNumber: [phoneNumber], phoneVerified: ['true'] },
})
export const hasPhone = (person: Person, phoneNumber: string): boolean =>
  member(person, 'username') === phoneNumber && attribute(person, 'phoneNumber') === phoneNumber

/** An account that an outage left unfinished counts as absent. */
export const finished = (person: Person | undefined): Person | undefined =>
  person && attribute(person, 'unfinished') === undefined ? person : undefined
export const idOf = (person: Person): string => String(member(person, 'id'))

/** Loyer's roles among those of the realm. */
export const rolesIn = (body: unknown): RealmRole[] =>
  (Array.isArray(body) ? body : []).flatMap((entry: unknown) => {
    const [id, name] = [member(entry, 'id'), ROLES.find((role) => role === member(entry, 'name'))]
    return typeof id === 'string' && name !== undefined ? [{ id, name }] : []
  })

export function toAccount(person: Person, realmRoles: unknown): Account {
  const roles = rolesIn(realmRoles)
  return {
    userId: idOf(person),
    orgId: attribute(person, 'org_id'),
    phoneNumber: String(member(person, 'username')),
    roles: ROLES.filter((role) => roles.some(({ name }) => name === role)),
    enabled: member(person, 'enabled') === true,
  }
}
