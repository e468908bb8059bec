import type { Db, Tx, Write } from '../../../../db/open.ts'
import { ROLES, type Role } from '../../../core/roles.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { addUser, setNotBefore, setPhoneNumber, setStatus, setUserRoles } from '../embedded/users.ts'
import { member } from '../key-set.ts'
import type { Account, EndSessions, Identity, NewAccount } from '../port.ts'
import { type AdminOptions, type Call, createAdmin, type Reply, unavailable } from './admin.ts'
import { userBySubject } from './rows.ts'

export type KeycloakDeps = AdminOptions & {
  readonly db: Db
  readonly write: Write
  /** Real time, and business time for the times that users carry, in milliseconds. */
  readonly wall: () => number
  readonly now: () => number
}

/** Keycloak's whole representation of a user: what is left out of it when it is put back is lost. */
type Person = Readonly<Record<string, unknown>>

/** No user's id. */
const NOBODY = '00000000-0000-0000-0000-000000000000'
const USER_ID = /^(?!\.+$)[\w:.@+-]{1,255}$/

/**
 * The identity port over an external Keycloak. What it changes there it also writes into the service's own row of the
 * account, so that the service knows it before the next token says it. An account is made disabled and marked
 * `unfinished`, and enabled when it has its roles: what an outage leaves half-made counts as absent, and goes when the
 * number registers again. The port's other operations may be repeated, and complete what was begun.
 */
export function createKeycloakIdentity(deps: KeycloakDeps): Identity {
  const { db, write, wall, now } = deps
  const admin = createAdmin(deps)
  const inTurn = createTurns()
  const at = () => new Date(now()).toISOString()

  /** One change at a time of one account: it is read, changed and put back whole. */
  const change = (userId: string, work: (call: Call, person: Person) => Promise<void>, mirror?: Mirror) =>
    inTurn(userId, async () => {
      const call = admin.begin()
      const person = await load(call, userId)
      await work(call, person)
      const orgId = attribute(person, 'org_id')
      if (orgId === undefined || mirror === undefined) return
      const row = userBySubject(db).get({ orgId, subject: userId })
      if (row) await write(orgId, (tx) => mirror(tx, row.id))
    })
  type Mirror = (tx: Tx, id: string) => void
  const ended = (tx: Tx, id: string, { keepSession }: EndSessions = {}): void => {
    if (keepSession === undefined) setNotBefore(tx).run({ id, notBefore: Math.floor(wall() / 1000) })
  }

  return {
    createAccount: (account) =>
      inTurn(account.phoneNumber, async () => {
        const call = admin.begin()
        const userId = await begin(call, account)
        try {
          await moveRoles(call, userId, account.roles)
          done(await call('PUT', `/users/${userId}`, personOf(account)))
          await write(account.orgId, (tx) => {
            const { roles, orgId, phoneNumber, phoneVerified, firstName, lastName, email, locale } = account
            addUser(tx).run({
              id: userId,
              orgId,
              phoneNumber,
              phoneVerified,
              email: email ?? null,
              firstName,
              lastName,
              roles,
              locale: locale ?? null,
              at: at(),
            })
          })
        } catch (e) {
          // Where this fails too, the next registration of the number clears up.
          await admin
            .begin()('DELETE', `/users/${userId}`)
            .catch(() => {})
          // Gone under our hands: nothing that the caller named is missing.
          throw e instanceof AppError && e.code === 'not_found' ? unavailable(e) : e
        }
        return { userId }
      }),
    setPassword: (userId, password, options) =>
      change(
        userId,
        async (call) => {
          const credential = { type: 'password', value: password, temporary: false }
          done(await call('PUT', `/users/${userId}/reset-password`, credential))
          done(await call('DELETE', `/attack-detection/brute-force/users/${userId}`))
          await end(call, userId, options)
        },
        (tx, id) => ended(tx, id, options),
      ),
    setPhone: (userId, phoneNumber, options) =>
      change(
        userId,
        async (call, person) => {
          const attributes = { phoneNumber: [phoneNumber], phoneVerified: ['true'] }
          const changed = { ...person, username: phoneNumber, attributes: { ...attributesOf(person), ...attributes } }
          done(await call('PUT', `/users/${userId}`, changed))
          const after = await load(call, userId)
          if (member(after, 'username') !== phoneNumber || attribute(after, 'phoneNumber') !== phoneNumber) {
            await call('PUT', `/users/${userId}`, person)
            throw unavailable(new Error('the realm must allow editUsernameAllowed and declare phoneNumber'))
          }
          await end(call, userId, options)
        },
        (tx, id) => {
          setPhoneNumber(tx).run({ id, phoneNumber, at: at() })
          ended(tx, id, options)
        },
      ),
    setRoles: (userId, roles) =>
      change(
        userId,
        (call) => moveRoles(call, userId, roles),
        (tx, id) => void setUserRoles(tx).run({ id, roles, at: at() }),
      ),
    async findByPhone(phoneNumber) {
      const call = admin.begin()
      const person = finished(await find(call, phoneNumber))
      const userId = person && String(member(person, 'id'))
      // Asked for nobody too: who does not know a number must not learn from the time whether it has an account.
      const { body } = await call('GET', `/users/${userId ?? NOBODY}/role-mappings/realm/composite`)
      return person && toAccount(person, namesOf(body))
    },
    disable: (userId, { enable = false } = {}) =>
      change(
        userId,
        async (call, person) => {
          done(await call('PUT', `/users/${userId}`, { ...person, enabled: enable }))
          if (!enable) await end(call, userId)
        },
        (tx, id) => {
          setStatus(tx).run({ id, status: enable ? 'ACTIVE' : 'DISABLED', at: at() })
          if (!enable) ended(tx, id)
        },
      ),
    endSessions: (userId, options) =>
      change(
        userId,
        (call) => end(call, userId, options),
        (tx, id) => ended(tx, id, options),
      ),
  }

  /** Makes the account, disabled and unfinished; its id. */
  async function begin(call: Call, account: NewAccount): Promise<string> {
    const credentials = [{ type: 'password', value: account.password, temporary: false }]
    const body = { ...personOf(account, String(wall())), credentials }
    let made = await call('POST', '/users', body)
    if (made.status === 409) {
      const other = await find(call, account.phoneNumber)
      if (other && finished(other) === undefined) {
        done(await call('DELETE', `/users/${String(member(other, 'id'))}`))
        made = await call('POST', '/users', body)
      }
    }
    done(made)
    const id = made.location?.split('/').at(-1) ?? member(await find(call, account.phoneNumber), 'id')
    if (typeof id !== 'string') throw unavailable(new Error('made without an id'))
    return id
  }
}

async function find(call: Call, phoneNumber: string): Promise<Person | undefined> {
  const username = encodeURIComponent(phoneNumber)
  const { status, body } = await call('GET', `/users?username=${username}&exact=true&briefRepresentation=false&max=1`)
  if (status !== 200 || !Array.isArray(body)) throw unavailable(new Error(`no list of users: status ${status}`))
  // An empty name finds everybody.
  return body.find((person: unknown) => member(person, 'username') === phoneNumber)
}

async function load(call: Call, userId: string): Promise<Person> {
  if (!USER_ID.test(userId)) throw notFound()
  const { body } = done(await call('GET', `/users/${userId}`))
  const person = finished(body as Person | undefined)
  if (!person) throw notFound()
  return person
}

/** Gives the roles named and takes the others; what else the realm has is left alone. */
async function moveRoles(call: Call, userId: string, roles: readonly Role[]): Promise<void> {
  const path = `/users/${userId}/role-mappings/realm`
  const held = rolesIn(done(await call('GET', path)).body)
  const extra = held.filter(({ name }) => !roles.includes(name))
  const missing = roles.filter((role) => !held.some(({ name }) => name === role))
  if (missing.length > 0) {
    const free = rolesIn(done(await call('GET', `${path}/available`)).body)
    const given = free.filter(({ name }) => missing.includes(name))
    if (given.length < missing.length) throw unavailable(new Error(`the realm lacks a role of ${missing.join(', ')}`))
    done(await call('POST', path, given, 'again'))
  }
  if (extra.length > 0) done(await call('DELETE', path, extra))
}

async function end(call: Call, userId: string, { keepSession }: EndSessions = {}): Promise<void> {
  if (keepSession === undefined) return void done(await call('POST', `/users/${userId}/logout`, undefined, 'again'))
  const { body } = done(await call('GET', `/users/${userId}/sessions`))
  for (const session of Array.isArray(body) ? body : []) {
    const id = member(session, 'id')
    // One that ended meanwhile is 404.
    if (typeof id === 'string' && id !== keepSession) await call('DELETE', `/sessions/${encodeURIComponent(id)}`)
  }
}

const personOf = (account: NewAccount, unfinished?: string): Person => ({
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
    ...(unfinished === undefined ? {} : { unfinished: [unfinished] }),
  },
})

const attributesOf = (person: Person): object => {
  const attributes = member(person, 'attributes')
  return typeof attributes === 'object' && attributes !== null ? attributes : {}
}
function attribute(person: Person, name: string): string | undefined {
  const values = member(attributesOf(person), name)
  return Array.isArray(values) && typeof values[0] === 'string' ? values[0] : undefined
}
const finished = (person: Person | undefined): Person | undefined =>
  person && attribute(person, 'unfinished') === undefined ? person : undefined

type RealmRole = { readonly id: string; readonly name: Role }
const rolesIn = (body: unknown): RealmRole[] =>
  (Array.isArray(body) ? body : []).flatMap((entry: unknown) => {
    const [id, name] = [member(entry, 'id'), ROLES.find((role) => role === member(entry, 'name'))]
    return typeof id === 'string' && name !== undefined ? [{ id, name }] : []
  })
const namesOf = (body: unknown): readonly Role[] => {
  const held = rolesIn(body)
  return ROLES.filter((role) => held.some(({ name }) => name === role))
}

const toAccount = (person: Person, roles: readonly Role[]): Account => ({
  userId: String(member(person, 'id')),
  orgId: attribute(person, 'org_id'),
  phoneNumber: String(member(person, 'username')),
  roles,
  enabled: member(person, 'enabled') === true,
})

/** The reply of something done; what Keycloak refused instead becomes the port's error. */
function done(reply: Reply): Reply {
  const { status, body } = reply
  if (status < 300) return reply
  if (status === 404) throw notFound()
  const reason = String(member(body, 'errorMessage') ?? member(body, 'error') ?? 'no reason')
  // Only where the operator's own realm is stricter than the one that Loyer ships.
  if (reason.includes('invalidPassword')) throw new AppError('weak_password')
  if (status === 409 && /same email/.test(reason))
    throw invalid('/email', 'Another account uses this address.', 'Un autre compte utilise cette adresse.')
  if (status === 409) throw new AppError('duplicate')
  throw unavailable(new Error(`status ${status}: ${reason.slice(0, 100)}`))
}

/** Lets work of one key wait for the one before it. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, turn)
    const leave = () => {
      if (last.get(key) === turn) last.delete(key)
    }
    turn.then(leave, leave)
    return turn
  }
}
