// What every identity provider must do behind the port: the embedded one, the stand-in and a real Keycloak alike.
import { expect } from 'bun:test'
import type { NewAccount } from '../../src/adapters/identity/port.ts'
import type { Role } from '../../src/core/roles.ts'
import { account, FIRST, newNumber, outcome, type Provider, SECOND, type SignedIn } from './identity-people.ts'
import { claimsOf, ORG } from './oidc.ts'

async function open(p: Provider, changes: Partial<NewAccount> = {}) {
  const made = account(changes)
  const { userId } = await p.identity.createAccount(made)
  return { ...made, userId }
}
async function enter(p: Provider, phoneNumber: string, password = FIRST): Promise<SignedIn> {
  const signedIn = await p.signIn(phoneNumber, password)
  if (!signedIn) throw new Error(`${phoneNumber} was not let in`)
  return signedIn
}
const says = ({ accessToken }: SignedIn): Record<string, unknown> => claimsOf(accessToken)
const sidOf = (signedIn: SignedIn): string => String(says(signedIn).sid)
const roles = (signedIn: SignedIn): Role[] =>
  ((says(signedIn).realm_access as { roles: Role[] } | undefined)?.roles ?? [])
    .filter((role) => /^[A-Z]+$/.test(role))
    .sort()
const isIn = async (p: Provider, phoneNumber: string, password: string): Promise<boolean> =>
  (await p.signIn(phoneNumber, password)) !== undefined
async function again(p: Provider, { refreshToken }: SignedIn): Promise<SignedIn> {
  const refreshed = await p.refresh(refreshToken)
  if (!refreshed) throw new Error('the session has ended')
  return refreshed
}
const goesOn = async (p: Provider, signedIn: SignedIn): Promise<boolean> =>
  (await p.refresh(signedIn.refreshToken)) !== undefined

export const CONTRACT: [name: string, run: (p: Provider) => Promise<void>][] = [
  [
    'a new account signs in, and its token says who it is',
    async (p) => {
      const made = await open(p, { email: 'ama@example.cm', roles: ['OWNER', 'ADMIN'] })
      const signedIn = await enter(p, made.phoneNumber)
      expect(says(signedIn)).toMatchObject({
        sub: made.userId,
        preferred_username: made.phoneNumber,
        phone_number: made.phoneNumber,
        phone_number_verified: true,
        org_id: ORG,
        given_name: 'Ama',
        family_name: 'Ngo Bell',
        email: 'ama@example.cm',
      })
      expect(roles(signedIn)).toEqual(['ADMIN', 'OWNER'])
      expect(sidOf(signedIn).length).toBeGreaterThan(10)
      expect(await isIn(p, made.phoneNumber, SECOND)).toBe(false)
      expect(p.row(made.userId)).toMatchObject({
        org_id: ORG,
        subject: made.userId,
        username: made.phoneNumber,
        phone_number: made.phoneNumber,
        phone_verified: 1,
        email: 'ama@example.cm',
        first_name: 'Ama',
        locale: 'fr',
        status: 'ACTIVE',
      })
    },
  ],
  [
    'names and addresses as people have them; an address may be used twice, a last name may be missing',
    async (p) => {
      for (const [firstName, lastName] of [
        ["N'Golo", 'Ebóngué-Mbappé (fils)'],
        ['<b>Ama</b> & "co"', ''],
        ['المصطفى', '李 😀'],
      ] as const) {
        const made = await open(p, { firstName, lastName, email: 'shared@example.cm' })
        const claims = says(await enter(p, made.phoneNumber))
        expect(claims).toMatchObject({ given_name: firstName, email: 'shared@example.cm' })
        expect(claims.family_name ?? '').toBe(lastName)
      }
    },
  ],
  [
    'a number has one account: twenty at once make one, and the others are told',
    async (p) => {
      const made = account()
      const told = await Promise.all(Array.from({ length: 20 }, () => outcome(p.identity.createAccount(made))))
      expect(told.filter((code) => code === 'done')).toHaveLength(1)
      // The embedded one hashes a bounded number of passwords at once.
      expect(told.filter((code) => !['done', 'duplicate', 'overloaded'].includes(code))).toEqual([])
      expect(await outcome(p.identity.createAccount({ ...made, password: SECOND }))).toBe('duplicate')
      expect(await isIn(p, made.phoneNumber, SECOND)).toBe(false)
      expect(await isIn(p, made.phoneNumber, FIRST)).toBe(true)
    },
  ],
  [
    'an account is found by its whole number only',
    async (p) => {
      const made = await open(p, { roles: ['MANAGER'] })
      expect(await p.identity.findByPhone(made.phoneNumber)).toEqual({
        userId: made.userId,
        orgId: ORG,
        phoneNumber: made.phoneNumber,
        roles: ['MANAGER'],
        enabled: true,
      })
      for (const other of [newNumber(), made.phoneNumber.slice(0, -1), `${made.phoneNumber.slice(0, 6)}*`, '', '%2B'])
        expect(await p.identity.findByPhone(other)).toBeUndefined()
    },
  ],
  [
    'a new password: the old one is refused, and every session but the one kept ends',
    async (p) => {
      const { userId, phoneNumber } = await open(p)
      const before = await enter(p, phoneNumber)
      await p.identity.setPassword(userId, SECOND)
      expect(await isIn(p, phoneNumber, FIRST)).toBe(false)
      expect(await goesOn(p, before)).toBe(false)
      expect(Number(p.row(userId)?.not_before)).toBeGreaterThan(0)
      const kept = await enter(p, phoneNumber, SECOND)
      const other = await enter(p, phoneNumber, SECOND)
      await p.identity.setPassword(userId, FIRST, { keepSession: sidOf(kept) })
      expect(await goesOn(p, kept)).toBe(true)
      expect(await goesOn(p, other)).toBe(false)
      expect(await isIn(p, phoneNumber, SECOND)).toBe(false)
      expect(await isIn(p, phoneNumber, FIRST)).toBe(true)
    },
  ],
  [
    'a new password lifts the wait after five wrong ones',
    async (p) => {
      const { userId, phoneNumber } = await open(p)
      for (let i = 0; i < 5; i++) expect(await isIn(p, phoneNumber, 'un mot de passe faux')).toBe(false)
      expect(await isIn(p, phoneNumber, FIRST)).toBe(false)
      await p.identity.setPassword(userId, SECOND)
      expect(await isIn(p, phoneNumber, SECOND)).toBe(true)
    },
  ],
  [
    'a new number is the user name at once, also in the tokens of the session that is kept',
    async (p) => {
      const { userId, phoneNumber } = await open(p, { phoneVerified: false })
      const kept = await enter(p, phoneNumber)
      const other = await enter(p, phoneNumber)
      expect(says(kept).phone_number_verified).toBe(false)
      const next = newNumber()
      await p.identity.setPhone(userId, next, { keepSession: sidOf(kept) })
      expect(says(await again(p, kept))).toMatchObject({
        sub: userId,
        preferred_username: next,
        phone_number: next,
        phone_number_verified: true,
        org_id: ORG,
        given_name: 'Ama',
      })
      expect(await goesOn(p, other)).toBe(false)
      expect(await isIn(p, phoneNumber, FIRST)).toBe(false)
      expect(await isIn(p, next, FIRST)).toBe(true)
      expect(await p.identity.findByPhone(phoneNumber)).toBeUndefined()
      expect(p.row(userId)).toMatchObject({ username: next, phone_number: next, phone_verified: 1 })
      // The second call finds the number already set.
      await p.identity.setPhone(userId, next)
      expect(await isIn(p, next, FIRST)).toBe(true)
    },
  ],
  [
    "another's number is refused, and nothing changes",
    async (p) => {
      const mine = await open(p)
      const theirs = await open(p)
      const signedIn = await enter(p, mine.phoneNumber)
      expect(await outcome(p.identity.setPhone(mine.userId, theirs.phoneNumber))).toBe('duplicate')
      expect(says(await again(p, signedIn))).toMatchObject({ phone_number: mine.phoneNumber })
      expect(await p.identity.findByPhone(theirs.phoneNumber)).toMatchObject({ userId: theirs.userId })
      expect(p.row(mine.userId)).toMatchObject({ phone_number: mine.phoneNumber, not_before: null })
    },
  ],
  [
    'new roles stand in the next token; the session goes on',
    async (p) => {
      const { userId, phoneNumber } = await open(p, { roles: ['TENANT', 'OWNER'] })
      const signedIn = await enter(p, phoneNumber)
      await p.identity.setRoles(userId, ['OWNER', 'MANAGER'])
      expect(roles(await again(p, signedIn))).toEqual(['MANAGER', 'OWNER'])
      expect(await p.identity.findByPhone(phoneNumber)).toMatchObject({ roles: ['OWNER', 'MANAGER'] })
      expect(JSON.parse(String(p.row(userId)?.roles))).toEqual(['OWNER', 'MANAGER'])
      await p.identity.setRoles(userId, [])
      expect(await p.identity.findByPhone(phoneNumber)).toMatchObject({ roles: [] })
    },
  ],
  [
    'a disabled account neither signs in nor goes on; enabled again it signs in anew',
    async (p) => {
      const { userId, phoneNumber } = await open(p)
      const signedIn = await enter(p, phoneNumber)
      await p.identity.disable(userId)
      expect(await isIn(p, phoneNumber, FIRST)).toBe(false)
      expect(await goesOn(p, signedIn)).toBe(false)
      expect(await p.identity.findByPhone(phoneNumber)).toMatchObject({ userId, enabled: false })
      expect(p.row(userId)).toMatchObject({ status: 'DISABLED' })
      await p.identity.disable(userId, { enable: true })
      expect(await goesOn(p, signedIn)).toBe(false)
      expect(says(await enter(p, phoneNumber))).toMatchObject({ phone_number: phoneNumber, org_id: ORG })
      expect(p.row(userId)).toMatchObject({ status: 'ACTIVE' })
    },
  ],
  [
    'sessions end: all, or all but one',
    async (p) => {
      const { userId, phoneNumber } = await open(p)
      const [one, two, three] = [
        await enter(p, phoneNumber),
        await enter(p, phoneNumber),
        await enter(p, phoneNumber),
      ] as const
      await p.identity.endSessions(userId, { keepSession: sidOf(two) })
      expect([await goesOn(p, one), await goesOn(p, two), await goesOn(p, three)]).toEqual([false, true, false])
      expect(p.row(userId)).toMatchObject({ not_before: null })
      const last = await enter(p, phoneNumber)
      await p.identity.endSessions(userId)
      expect(await goesOn(p, last)).toBe(false)
      expect(Number(p.row(userId)?.not_before)).toBeGreaterThan(0)
      await p.identity.endSessions(userId)
      expect(await isIn(p, phoneNumber, FIRST)).toBe(true)
    },
  ],
  [
    'a deleted account is gone with its sessions, its number is free; said twice it is done',
    async (p) => {
      const { userId, phoneNumber } = await open(p)
      const signedIn = await enter(p, phoneNumber)
      await p.identity.deleteAccount(userId)
      expect(await isIn(p, phoneNumber, FIRST)).toBe(false)
      expect(await goesOn(p, signedIn)).toBe(false)
      expect(Number(p.row(userId)?.not_before)).toBeGreaterThan(0)
      expect(await p.identity.findByPhone(phoneNumber)).toBeUndefined()
      expect(await outcome(p.identity.setPassword(userId, SECOND))).toBe('not_found')
      await p.identity.deleteAccount(userId)
      await p.identity.deleteAccount('')
      const again = await open(p, { phoneNumber })
      expect(again.userId).not.toBe(userId)
      expect(says(await enter(p, phoneNumber)).sub).toBe(again.userId)
    },
  ],
  [
    'who was invited becomes the one who was, and a row that waits no more makes no account',
    async (p) => {
      const made = account({ roles: ['MANAGER'], email: 'ana@example.cm' })
      const invitedUserId = crypto.randomUUID()
      const gone = await outcome(p.identity.createAccount({ ...made, invitedUserId }))
      expect(['not_found', 'identity_unavailable']).toContain(gone)
      expect(await isIn(p, made.phoneNumber, FIRST)).toBe(false)
      p.invite(invitedUserId, made.phoneNumber)
      const { userId } = await p.identity.createAccount({ ...made, invitedUserId })
      const signedIn = await enter(p, made.phoneNumber)
      expect([says(signedIn).sub, roles(signedIn)]).toEqual([userId, ['MANAGER']])
      expect(p.row(invitedUserId)).toMatchObject({
        subject: userId,
        status: 'ACTIVE',
        username: made.phoneNumber,
        phone_verified: 1,
        email: 'ana@example.cm',
      })
      await p.identity.disable(userId)
      expect(p.row(invitedUserId)).toMatchObject({ status: 'DISABLED' })
    },
  ],
  [
    'what the row says already is no new version of it',
    async (p) => {
      const { userId } = await open(p, { roles: ['OWNER'] })
      const before = p.row(userId)?.version
      await p.identity.setRoles(userId, ['OWNER'])
      await p.identity.disable(userId, { enable: true })
      expect(p.row(userId)?.version).toBe(before)
    },
  ],
  [
    'what is no account is not found, whatever is done to it',
    async (p) => {
      for (const id of [crypto.randomUUID(), '', '.', '..', '../users', 'a/b', '?x=1', 'nobody\u0000'])
        expect([
          id,
          await outcome(p.identity.setPassword(id, SECOND)),
          await outcome(p.identity.setPhone(id, newNumber())),
          await outcome(p.identity.setRoles(id, ['ADMIN'])),
          await outcome(p.identity.disable(id)),
          await outcome(p.identity.endSessions(id)),
        ]).toEqual([id, ...Array(5).fill('not_found')])
    },
  ],
]
