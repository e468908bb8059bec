import type { Tx } from '../../../../db/open.ts'
import { PASSWORDS } from '../../../core/budgets.ts'
import { networkOf } from '../../../core/network.ts'
import { normalizePhone } from '../../../core/phone.ts'
import { AppError } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import { hashPassword, needsRehash, verifyPassword } from '../password.ts'
import { putDecoy } from './payloads.ts'
import type { StoreDeps } from './store.ts'
import { type AccountRow, accountById, accountByUsername, rehash, setFailures } from './users.ts'

const WINDOW_MS = 60_000
const MAX_ADDRESSES = 10_000

/** Seconds to wait after so many failures in a row: none before the fifth, then 60 doubling to 900. */
export const waitAfter = (failures: number): number =>
  failures < PASSWORDS.free
    ? 0
    : Math.min(PASSWORDS.firstWaitSeconds * 2 ** (failures - PASSWORDS.free), PASSWORDS.longestWaitSeconds)

/** Failed tries of the last minute by network, in memory: a restart forgives them, the accounts' waits stay. */
function createAddressLimit(limit: number, wall: () => number) {
  const windows = new Map<string, { failures: number; until: number }>()
  return {
    /** Counts a try before it is made; call the answer to take it back after a success. */
    enter(address: string): () => void {
      if (limit === 0) return () => undefined
      const key = networkOf(address)
      let window = windows.get(key)
      if (!window || window.until <= wall()) {
        if (windows.size >= MAX_ADDRESSES) for (const [k, w] of windows) if (w.until <= wall()) windows.delete(k)
        const oldest = windows.size >= MAX_ADDRESSES ? windows.keys().next().value : undefined
        if (oldest !== undefined) windows.delete(oldest)
        window = { failures: 0, until: wall() + WINDOW_MS }
        windows.set(key, window)
      }
      const mine = window
      if (mine.failures >= limit) {
        const retryAfter = Math.max(1, Math.ceil((mine.until - wall()) / 1000))
        throw new AppError('too_many_requests', undefined, { retryAfter })
      }
      mine.failures += 1
      return () => {
        mine.failures -= 1
      }
    },
  }
}

/** Checks user name and password with all limits: the one way in, for the page, the password grant and the sandbox. */
export function createSignIn({
  db,
  write,
  wall,
  limit,
  log,
}: StoreDeps & { readonly limit: number; readonly log: Log }) {
  const addresses = createAddressLimit(limit, wall)
  const now = () => Math.floor(wall() / 1000)
  const at = () => new Date(wall()).toISOString()

  /** Counts the try before the comparison, so that parallel guesses cannot outrun the counter. */
  function admit(tx: Tx, id: string): boolean {
    const row = accountById(tx).get({ id })
    if (!row || (row.lockedUntil !== null && now() < row.lockedUntil)) return false
    const forgiven = Date.parse(row.updatedAt) + PASSWORDS.forgiveSeconds * 1000 < wall()
    const failures = (forgiven ? 0 : row.failures) + 1
    const wait = waitAfter(failures)
    setFailures(tx).run({ userId: id, failures, lockedUntil: wait > 0 ? now() + wait : null, at: at() })
    return true
  }

  /** Clears the counter, unless the account changed while the password was being checked. */
  function admitted(tx: Tx, checked: AccountRow): AccountRow | undefined {
    const row = accountById(tx).get({ id: checked.id })
    if (row?.status !== 'ACTIVE' || row.passwordHash !== checked.passwordHash) return undefined
    setFailures(tx).run({ userId: row.id, failures: 0, lockedUntil: null, at: at() })
    return row
  }

  /**
   * The account, or AppError: `invalid_credentials` for a wrong password, an unknown or disabled user and during a wait
   * alike, all at the same cost; `too_many_requests` for the address; `overloaded`.
   */
  return async function signIn(username: string, password: string, address: string): Promise<AccountRow> {
    const release = addresses.enter(address)
    const phone = normalizePhone(username)
    const found = phone === undefined ? undefined : accountByUsername(db).get({ username: phone })
    const tried = await write(null, (tx) => {
      const open = found !== undefined && admit(tx, found.id)
      // Unknown users and waiting ones cost the same write to disk.
      if (!open) putDecoy(tx, wall())
      return open
    })
    const matches = await verifyPassword(found?.passwordHash, password)
    const account = found && tried && matches ? await write(null, (tx) => admitted(tx, found)) : undefined
    if (!account) {
      log.warn('sign_in_refused', {
        userId: found?.id,
        reason: !found ? 'unknown' : !tried ? 'waiting' : !matches ? 'password' : 'disabled',
      })
      throw new AppError('invalid_credentials')
    }
    release()
    if (needsRehash(account.passwordHash)) {
      const passwordHash = await hashPassword(password)
      await write(null, (tx) => void rehash(tx).run({ userId: account.id, passwordHash, was: account.passwordHash }))
    }
    log.info('signed_in', { userId: account.id, orgId: account.orgId })
    return account
  }
}
export type SignIn = ReturnType<typeof createSignIn>
