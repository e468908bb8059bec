import type { Db, Tx, Write } from '../../../../db/open.ts'
import { addUser, setNotBefore, setPhoneNumber, setStatus, setUserRoles } from '../../../../db/users.ts'
import type { Role } from '../../../core/roles.ts'
import { AppError, invalid, notFound } from '../../../errors.ts'
import { member } from '../keys/key-set.ts'
import type { Change, EndSessions, Identity, NewAccount } from '../port.ts'
import { type AdminOptions, type Call, createAdmin, type Reply, unavailable } from './admin.ts'
import { attribute, finished, hasPhone, idOf, type Person, personOf, rolesIn, toAccount, withPhone } from './person.ts'
import { type UserRow, userBySubject } from './rows.ts'

export type KeycloakDeps = AdminOptions & {
  readonly db: Db
  readonly write: Write
  /** Real time, and business time for the times that users carry, in milliseconds. */
  readonly wall: () => number
  readonly now: () => number
}

/** A placeholder that is no user's id. */
const NOBODY = '00000000-0000-0000-0000-000000000000'
const USER_ID = /^(?!\.+$)[\w:.@+-]{1,255}$/

/**
 * The identity port over an external Keycloak. Every change is also written to the service's own row of the account, so
 * that the service knows it before the next token does. An account is created disabled and marked `unfinished`, and
 * enabled once it has its roles: an account that an outage left unfinished counts as absent and is deleted when the
 * number registers again. The port's other operations can be repeated, and complete what an earlier attempt began.
 */
export function createKeycloakIdentity(deps: KeycloakDeps): Identity {
  const { db, write, wall, now } = deps
  const admin = createAdmin(deps)
  const inTurn = createTurns()
  const at = () => new Date(now()).toISOString()

  type Mirror = (tx: Tx, row: UserRow) => void
  async function mirrored(person: Person, mirror: Mirror, also?: Change['also']): Promise<void> {
    const orgId = attribute(person, 'org_id')
    const known = { orgId: orgId ?? '', subject: idOf(person) }
    if (!also && (orgId === undefined || !userBySubject(db).get(known))) return
    await write(orgId ?? null, (tx) => {
      const row = userBySubject(tx).get(known)
      if (row) mirror(tx, row)
      also?.(tx)
    })
  }
  /** Changes of one account run one at a time, because a user is read, changed and written back whole. */
  const change = (
    userId: string,
    work: (call: Call, person: Person) => Promise<void>,
    mirror: Mirror,
    { holds, also }: Change = {},
  ) =>
    inTurn(userId, async () => {
      const call = admin.begin()
      const person = finished(await load(call, userId))
      if (!person) throw notFound()
      holds?.(db)
      await work(call, person)
      await mirrored(person, mirror, also)
    })
  const ended = (tx: Tx, { id }: UserRow, { keepSession }: EndSessions = {}): void => {
    if (keepSession === undefined) setNotBefore(tx).run({ id, notBefore: Math.floor(wall() / 1000) })
  }

  /** Creates the account, disabled and unfinished. @returns its id */
  async function beginAccount(call: Call, account: NewAccount): Promise<string> {
    const credentials = [{ type: 'password', value: account.password, temporary: false }]
    const body = { ...personOf(account, wall()), credentials }
    let created = await call('POST', '/users', body)
    if (created.status === 409) {
      const other = await find(call, account.phoneNumber)
      if (other && finished(other) === undefined) {
        done(await call('DELETE', `/users/${idOf(other)}`))
        created = await call('POST', '/users', body)
      }
    }
    done(created)
    const id = created.location?.split('/').at(-1) ?? member(await find(call, account.phoneNumber), 'id')
    if (typeof id !== 'string') throw unavailable(new Error('made without an id'))
    return id
  }

  return {
    createAccount: (account) =>
      inTurn(account.phoneNumber, async () => {
        const call = admin.begin()
        const userId = await beginAccount(call, account)
        try {
          await moveRoles(call, userId, account.roles)
          done(await call('PUT', `/users/${userId}`, personOf(account)))
          const user = { id: account.invitedUserId ?? userId, subject: userId }
          await write(account.orgId, (tx) => {
            if (!addUser(tx, user, account, at())) throw notFound()
          })
        } catch (e) {
          // If this cleanup fails too, the next registration of the number repeats it.
          await admin
            .begin()('DELETE', `/users/${userId}`)
            .catch(() => {})
          // The account was deleted meanwhile; nothing that the caller named is missing.
          throw e instanceof AppError && e.code === 'not_found' ? unavailable(e) : e
        }
        return { userId }
      }),
    setPassword: (userId, password, options) =>
      change(
        userId,
        async (call, person) => {
          const credential = { type: 'password', value: password, temporary: false }
          done(await call('PUT', `/users/${userId}/reset-password`, credential))
          // The password has changed at this point, whether or not the following steps succeed.
          if (options?.also) await mirrored(person, () => {}, options.also)
          done(await call('DELETE', `/attack-detection/brute-force/users/${userId}`))
          await endSessions(call, userId, options)
        },
        (tx, row) => ended(tx, row, options),
        { holds: options?.holds },
      ),
    setPhone: (userId, phoneNumber, options) =>
      change(
        userId,
        async (call, person) => {
          done(await call('PUT', `/users/${userId}`, withPhone(person, phoneNumber)))
          const after = await load(call, userId)
          if (!after || !hasPhone(after, phoneNumber)) {
            await call('PUT', `/users/${userId}`, person)
            throw unavailable(new Error('the realm must allow editUsernameAllowed and declare phoneNumber'))
          }
          await endSessions(call, userId, options)
        },
        (tx, row) => {
          setPhoneNumber(tx).run({ id: row.id, phoneNumber, at: at() })
          ended(tx, row, options)
        },
        options,
      ),
    setRoles: (userId, roles) =>
      change(
        userId,
        (call) => moveRoles(call, userId, roles),
        (tx, row) => {
          if (row.roles.join() !== roles.join()) setUserRoles(tx).run({ id: row.id, roles, at: at() })
        },
      ),
    async findByPhone(phoneNumber) {
      const call = admin.begin()
      const person = finished(await find(call, phoneNumber))
      // An unknown number costs the same request, so that the response time does not reveal whether it has an account.
      const { body } = await call('GET', `/users/${person ? idOf(person) : NOBODY}/role-mappings/realm/composite`)
      return person && toAccount(person, body)
    },
    disable: (userId, { enable = false } = {}) =>
      change(
        userId,
        async (call, person) => {
          done(await call('PUT', `/users/${userId}`, { ...person, enabled: enable }))
          if (!enable) await endSessions(call, userId)
        },
        (tx, row) => {
          const status = enable ? 'ACTIVE' : 'DISABLED'
          if (row.status !== status) setStatus(tx).run({ id: row.id, status, at: at() })
          if (!enable) ended(tx, row)
        },
      ),
    endSessions: (userId, options) =>
      change(
        userId,
        (call) => endSessions(call, userId, options),
        (tx, row) => ended(tx, row, options),
      ),
    deleteAccount: (userId) =>
      inTurn(userId, async () => {
        const call = admin.begin()
        const person = await load(call, userId)
        if (!person) return
        // A session that was deleted meanwhile answers 404.
        await call('DELETE', `/users/${userId}`)
        await mirrored(person, ended)
      }),
  }
}

async function find(call: Call, phoneNumber: string): Promise<Person | undefined> {
  const username = encodeURIComponent(phoneNumber)
  const { status, body } = await call('GET', `/users?username=${username}&exact=true&briefRepresentation=false&max=1`)
  if (status !== 200 || !Array.isArray(body)) throw unavailable(new Error(`no list of users: status ${status}`))
  // An empty name would match every user.
  return body.find((person: unknown) => member(person, 'username') === phoneNumber)
}

async function load(call: Call, userId: string): Promise<Person | undefined> {
  if (!USER_ID.test(userId)) return undefined
  const reply = await call('GET', `/users/${userId}`)
  return reply.status === 404 ? undefined : (done(reply).body as Person)
}

/** Grants the named roles and removes the service's others; foreign roles of the realm stay. */
async function moveRoles(call: Call, userId: string, roles: readonly Role[]): Promise<void> {
  const path = `/users/${userId}/role-mappings/realm`
  const present = rolesIn(done(await call('GET', path)).body)
  const extra = present.filter(({ name }) => !roles.includes(name))
  const missing = roles.filter((role) => !present.some(({ name }) => name === role))
  if (missing.length > 0) {
    const free = rolesIn(done(await call('GET', `${path}/available`)).body)
    const granted = free.filter(({ name }) => missing.includes(name))
    if (granted.length < missing.length) throw unavailable(new Error(`the realm lacks a role of ${missing.join(', ')}`))
    done(await call('POST', path, granted, 'again'))
  }
  if (extra.length > 0) done(await call('DELETE', path, extra))
}

async function endSessions(call: Call, userId: string, { keepSession }: EndSessions = {}): Promise<void> {
  if (keepSession === undefined) return void done(await call('POST', `/users/${userId}/logout`, undefined, 'again'))
  const { body } = done(await call('GET', `/users/${userId}/sessions`))
  for (const session of Array.isArray(body) ? body : []) {
    const id = member(session, 'id')
    // A session that ended meanwhile answers 404.
    if (typeof id === 'string' && id !== keepSession) await call('DELETE', `/sessions/${encodeURIComponent(id)}`)
  }
}

/** The reply of a completed request; a refusal becomes the port's error. */
function done(reply: Reply): Reply {
  const { status, body } = reply
  if (status < 300) return reply
  if (status === 404) throw notFound()
  const reason = String(member(body, 'errorMessage') ?? member(body, 'error') ?? 'no reason')
  // Happens only where the operator's own realm is stricter than Loyer's.
  if (reason.includes('invalidPassword')) throw new AppError('weak_password')
  if (status === 409 && /same email/.test(reason))
    throw invalid('/email', 'Another account uses this address.', 'Un autre compte utilise cette adresse.')
  if (status === 409) throw new AppError('duplicate')
  throw unavailable(new Error(`status ${status}: ${reason.slice(0, 100)}`))
}

/** Runs work with the same key one at a time. */
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
