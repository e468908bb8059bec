import {
  dayOf,
  knownPlaceOf,
  type PasswordBudget,
  putPlace,
  rememberPlace,
  rememberSite,
  spendDay,
  spentOnDay,
} from '../../../../../db/budgets.ts'
import type { Db, Tx } from '../../../../../db/open.ts'
import { readMove } from '../../../../../db/transfer/moves.ts'
import { isLoopbackAddress } from '../../../../core/addresses.ts'
import { PASSWORDS } from '../../../../core/budgets.ts'
import { placeOf, sitePlaceOf } from '../../../../core/known-places.ts'
import { networkOf } from '../../../../core/network.ts'
import { normalizePhone } from '../../../../core/phone.ts'
import { AppError, movedAway } from '../../../../errors.ts'
import type { Log } from '../../../../log.ts'
import { hashPassword, needsRehash, verifyPassword } from '../../password.ts'
import { putDecoy } from '../rows/payloads.ts'
import type { StoreDeps } from '../rows/store.ts'
import { type AccountRow, accountById, accountByUsername, rehash, setFailures } from '../rows/users.ts'
import { createTurns } from '../turns.ts'
import type { BrowserCookie } from './browsers.ts'

const WINDOW_MS = 60_000
const MAX_ADDRESSES = 10_000

/** Seconds to wait after so many failures in a row: none before the fifth, then 60 doubling to 900. */
export const waitAfter = (failures: number): number =>
  failures < PASSWORDS.free
    ? 0
    : Math.min(PASSWORDS.firstWaitSeconds * 2 ** (failures - PASSWORDS.free), PASSWORDS.longestWaitSeconds)

/** Failed attempts of the last minute per network, in memory: a restart clears them, the waits of accounts stay. */
function createAddressLimit(limit: number, wall: () => number) {
  const windows = new Map<string, { failures: number; until: number }>()
  return {
    /** Counts an attempt before it is made; call the returned function to undo the count after a success. */
    enter(address: string): () => void {
      if (limit === 0) return () => undefined
      const key = networkOf(address)
      let window = windows.get(key)
      // A wait that ends later than the longest possible one comes from a wrong clock: ignore it.
      if (!window || window.until <= wall() || window.until > wall() + WINDOW_MS) {
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

/** Which attempts share a count: all strangers', those from a known browser or network, or those of a signed-in user. */
type Lane = { readonly kind: keyof typeof PASSWORDS.aDay; readonly place: string }
const STRANGERS: Lane = { kind: 'strangers', place: '' }
const budgetOf = ({ kind }: Lane): PasswordBudget => `password_${kind}`
/** Where the attempt comes from besides its network: a browser at the page, or the session of a signed-in user. */
export type Way = { readonly browser?: BrowserCookie; readonly session?: true }

type SignInDeps = StoreDeps & {
  readonly limit: number
  readonly log: Log
  readonly masterKey: Uint8Array
  /** An account whose password is public: nobody gains by guessing it, so its wrong attempts are not counted. */
  readonly isOpen?: (userId: string) => boolean
}
/** Checks user name and password with all limits; the page, the password grant and the sandbox all use it. */
export function createSignIn({ db, write, wall, limit, log, masterKey, isOpen = () => false }: SignInDeps) {
  const addresses = createAddressLimit(limit, wall)
  // Attempts run one at a time: a right password is not refused because others in flight might be wrong.
  const inTurn = createTurns(PASSWORDS.free)
  const now = () => Math.floor(wall() / 1000)
  const at = () => new Date(wall()).toISOString()
  const known = (tx: Db, userId: string, place: string) => knownPlaceOf(tx, userId, place, wall() - PASSWORDS.knownMs)

  const accountOf = (phone: string | undefined): AccountRow | undefined =>
    phone === undefined ? undefined : accountByUsername(db).get({ username: phone })

  function laneOf(userId: string, address: string, { browser, session }: Way): Lane {
    if (session) return { kind: 'session', place: placeOf(masterKey, userId, 'session') }
    const place = browser?.placeFor(userId)
    if (place !== undefined && known(db, userId, place)) return { kind: 'browser', place }
    const network = placeOf(masterKey, userId, networkOf(address))
    return !isLoopbackAddress(address) && known(db, userId, network) ? { kind: 'network', place: network } : STRANGERS
  }

  /** Failures so far, and the end of the wait in epoch seconds. */
  function countOf(tx: Tx, row: AccountRow, { place }: Lane) {
    const counted = place === '' ? undefined : known(tx, row.id, place)
    const { failures, lockedUntil, since } =
      place === ''
        ? { failures: row.failures, lockedUntil: row.lockedUntil, since: Date.parse(row.updatedAt) }
        : { failures: counted?.failures ?? 0, lockedUntil: counted?.waitUntil ?? null, since: counted?.lastAt ?? 0 }
    return { failures: since + PASSWORDS.forgiveSeconds * 1000 < wall() ? 0 : failures, lockedUntil: lockedUntil ?? 0 }
  }
  function setCount(tx: Tx, userId: string, { place }: Lane, failures: number, lockedUntil: number | null): void {
    if (place === '') setFailures(tx).run({ userId, failures, lockedUntil, at: at() })
    else putPlace(tx, { userId, place, failures, waitUntil: lockedUntil, lastAt: wall() })
  }

  /**
   * Counts the attempt before the comparison, so that a crash in between does not make it free. @returns seconds to
   * wait
   */
  function admit(tx: Tx, id: string, lane: Lane): number {
    const row = accountById(tx).get({ id })
    if (!row) return 1
    if (isOpen(id)) return 0
    const { failures, lockedUntil } = countOf(tx, row, lane)
    if (now() < lockedUntil) return lockedUntil - now()
    const day = dayOf(wall())
    if (spentOnDay(tx, budgetOf(lane), id, day) >= PASSWORDS.aDay[lane.kind]) return (day + 1) * 86_400 - now()
    spendDay(tx, { budget: budgetOf(lane), key: id, day })
    const wait = waitAfter(failures + 1)
    setCount(tx, id, lane, failures + 1, wait > 0 ? now() + wait : null)
    return 0
  }

  /** Undoes the count of an attempt whose password was never compared. */
  function giveBack(tx: Tx, id: string, lane: Lane): void {
    const row = accountById(tx).get({ id })
    if (!row || isOpen(id)) return
    setCount(tx, id, lane, Math.max(0, countOf(tx, row, lane).failures - 1), null)
    spendDay(tx, { budget: budgetOf(lane), key: id, day: dayOf(wall()) }, -1)
  }

  /**
   * Resets the count of a lane unless the account changed during the password check, and remembers browser and network
   * as known.
   */
  function admitted(tx: Tx, checked: AccountRow, lane: Lane, address: string, { browser, session }: Way) {
    const row = accountById(tx).get({ id: checked.id })
    if (row?.status !== 'ACTIVE' || row.passwordHash !== checked.passwordHash) return undefined
    if (!isOpen(row.id)) {
      setCount(tx, row.id, lane, 0, null)
      spendDay(tx, { budget: budgetOf(lane), key: row.id, day: dayOf(wall()) }, -1)
    }
    // Behind a proxy that is not trusted everybody comes from loopback: it tells nobody apart.
    const isOwn = !isLoopbackAddress(address)
    const network = isOwn ? placeOf(masterKey, row.id, networkOf(address)) : undefined
    const places = session ? [] : [network, browser?.remember(row.id)]
    for (const place of places)
      if (place !== undefined) rememberPlace(tx, { userId: row.id, place, lastAt: wall() }, PASSWORDS.places)
    if (!session && isOwn) rememberSite(tx, row.id, sitePlaceOf(masterKey, address), wall())
    return row
  }

  async function compare(phone: string | undefined, password: string, address: string, way: Way): Promise<AccountRow> {
    const known = accountOf(phone)
    const lane = known ? laneOf(known.id, address, way) : STRANGERS
    const own = lane.kind === 'browser' || lane.kind === 'session'
    const release = own ? () => undefined : addresses.enter(address)
    const waitSeconds = await write(null, (tx) => {
      const wait = known === undefined ? 1 : admit(tx, known.id, lane)
      // Unknown and waiting users cost the same disk write, so that the time tells nothing.
      if (wait > 0) putDecoy(tx, wall())
      return wait
    })
    if (waitSeconds > 0 && way.session) throw new AppError('too_many_requests', undefined, { retryAfter: waitSeconds })
    const tried = waitSeconds === 0
    const matches = await verifyPassword(known?.passwordHash, password).catch(async (e: unknown) => {
      release()
      if (known && tried) await write(null, (tx) => giveBack(tx, known.id, lane))
      throw e
    })
    const account =
      known && tried && matches ? await write(null, (tx) => admitted(tx, known, lane, address, way)) : undefined
    if (!account) {
      log.warn('sign_in_refused', {
        userId: known?.id,
        reason: !known ? 'unknown' : !tried ? 'waiting' : !matches ? 'password' : 'disabled',
      })
      throw new AppError('invalid_credentials')
    }
    release()
    return account
  }

  /**
   * The account, or AppError: `invalid_credentials` for a wrong password, an unknown or disabled user and during a wait
   * alike, all at the same cost; `too_many_requests` for the address, and during a wait of a signed-in
   * user; `overloaded`, also for the sixth concurrent attempt at one account in one lane, whether the account exists or not.
   */
  return async function signIn(
    username: string,
    password: string,
    address: string,
    way: Way = {},
  ): Promise<AccountRow> {
    const phone = normalizePhone(username)
    const known = accountOf(phone)
    const { place } = known ? laneOf(known.id, address, way) : STRANGERS
    const account = await inTurn(`${phone ?? username} ${place}`, () => compare(phone, password, address, way))
    if (needsRehash(account.passwordHash)) {
      const passwordHash = await hashPassword(password)
      await write(null, (tx) => void rehash(tx).run({ userId: account.id, passwordHash, was: account.passwordHash }))
    }
    const move = readMove(db, account.orgId)
    if (move?.state === 'MOVED') throw movedAway(move.to)
    log.info('signed_in', { userId: account.id, orgId: account.orgId })
    return account
  }
}
export type SignIn = ReturnType<typeof createSignIn>
