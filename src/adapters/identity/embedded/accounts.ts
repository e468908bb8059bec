import { forgetGuesses, forgetPlaces } from '../../../../db/budgets.ts'
import type { Tx } from '../../../../db/open.ts'
import { addUser, setNotBefore, setPhoneNumber, setStatus, setUserRoles } from '../../../../db/users.ts'
import { ROLES } from '../../../core/roles.ts'
import { AppError, notFound } from '../../../errors.ts'
import { hashPassword } from '../password.ts'
import type { Account, Change, EndSessions, Identity } from '../port.ts'
import { forgetFactors } from './factors/factors.ts'
import type { OidcStore, StoreDeps } from './rows/store.ts'
import {
  type AccountRow,
  accountById,
  accountByUsername,
  addCredential,
  dropCredential,
  setPasswordHash,
} from './rows/users.ts'

export type AccountDeps = StoreDeps & {
  readonly store: OidcStore
  readonly newId: () => string
  readonly now: () => number
}

/** The identity port over the service's own tables: each method is one transaction. */
export function createAccounts({ db, write, wall, newId, now, store }: AccountDeps): Identity {
  // The user's timestamps are business time; a password change is compared with sign-ins, which are real time.
  const at = () => new Date(now()).toISOString()
  const changedAt = () => new Date(wall()).toISOString()

  function known(tx: Tx, userId: string): AccountRow {
    const row = accountById(tx).get({ id: userId })
    if (!row) throw notFound()
    return row
  }
  function free(tx: Tx, phoneNumber: string, userId?: string): void {
    const other = accountByUsername(tx).get({ username: phoneNumber })
    if (other && other.id !== userId) throw new AppError('duplicate')
  }
  function end(tx: Tx, userId: string, { keepSession }: EndSessions = {}): void {
    store.endSessions(tx, userId, keepSession)
    // The session to keep has to keep its access token; the tokens of the others end with their sessions.
    if (keepSession === undefined) setNotBefore(tx).run({ id: userId, notBefore: Math.floor(wall() / 1000) })
  }
  /** Updates within the account's organization, so that lists and ETags of users change too. */
  async function change(userId: string, fn: (tx: Tx) => void, { holds, also }: Change = {}): Promise<void> {
    const row = accountById(db).get({ id: userId })
    if (!row) throw notFound()
    await write(row.orgId, (tx) => {
      known(tx, userId)
      holds?.(tx)
      fn(tx)
      also?.(tx)
    })
    store.tell([userId])
  }

  return {
    async createAccount(account) {
      const passwordHash = await hashPassword(account.password)
      const id = account.invitedUserId ?? newId()
      await write(account.orgId, (tx) => {
        free(tx, account.phoneNumber)
        if (!addUser(tx, { id, subject: id }, account, at())) throw notFound()
        addCredential(tx).run({ userId: id, passwordHash, at: changedAt() })
      })
      return { userId: id }
    },
    async setPassword(userId, password, options) {
      const passwordHash = await hashPassword(password)
      const set = (tx: Tx): void => {
        setPasswordHash(tx).run({ userId, passwordHash, at: changedAt() })
        forgetGuesses(tx, userId)
        end(tx, userId, options)
      }
      await change(userId, set, options)
    },
    setPhone(userId, phoneNumber, options) {
      const set = (tx: Tx): void => {
        free(tx, phoneNumber, userId)
        setPhoneNumber(tx).run({ id: userId, phoneNumber, at: at() })
        end(tx, userId, options)
      }
      return change(userId, set, options)
    },
    // The service shares this row and may have changed it already: writing the same value makes no new version.
    setRoles: (userId, roles) =>
      change(userId, (tx) => {
        if (known(tx, userId).roles.join() !== roles.join()) setUserRoles(tx).run({ id: userId, roles, at: at() })
      }),
    async findByPhone(phoneNumber) {
      const row = accountByUsername(db).get({ username: phoneNumber })
      return row && toAccount(row)
    },
    disable: (userId, options = {}) =>
      change(userId, (tx) => {
        const status = options.enable ? 'ACTIVE' : 'DISABLED'
        if (known(tx, userId).status !== status) setStatus(tx).run({ id: userId, status, at: at() })
        if (!options.enable) end(tx, userId)
      }),
    endSessions: (userId, options) => change(userId, (tx) => end(tx, userId, options)),
    async deleteAccount(userId) {
      await write(accountById(db).get({ id: userId })?.orgId ?? null, (tx) => {
        end(tx, userId)
        forgetFactors(tx, userId)
        dropCredential(tx).run({ userId })
        forgetPlaces(tx, userId)
      })
    },
  }
}

const toAccount = (row: AccountRow): Account => ({
  userId: row.id,
  orgId: row.orgId,
  phoneNumber: row.phoneNumber ?? row.username ?? '',
  roles: ROLES.filter((role) => row.roles.includes(role)),
  enabled: row.status === 'ACTIVE',
})
