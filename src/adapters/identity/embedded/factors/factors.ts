import { createHmac, randomInt } from 'node:crypto'
import { dayOf, knownPlaceOf, putPlace, rememberPlace, spendDay, spentOnDay } from '../../../../../db/budgets.ts'
import type { Tx } from '../../../../../db/open.ts'
import { requiresFactor } from '../../../../../db/settings.ts'
import { isLoopbackAddress } from '../../../../core/addresses.ts'
import { FACTORS, PASSKEYS, PASSWORDS } from '../../../../core/budgets.ts'
import { placeOf } from '../../../../core/known-places.ts'
import { networkOf } from '../../../../core/network.ts'
import { seal, unseal } from '../../../../core/seal.ts'
import type { Log } from '../../../../log.ts'
import type { FactorNews } from '../../port.ts'
import type { BrowserCookie } from '../pages/browsers.ts'
import { waitAfter } from '../pages/sign-in.ts'
import { deriveKey } from '../rows/keys.ts'
import type { OidcStore, StoreDeps } from '../rows/store.ts'
import type { AccountRow } from '../rows/users.ts'
import {
  addCode,
  addFactor,
  codesOf,
  countTry,
  dropCodes,
  dropFactor,
  dropFactors,
  type FactorRow,
  factorsOf,
  forgiveTries,
  moveCounter,
  takeStep,
  triesOf,
  useCode,
} from './factor-rows.ts'
import { authenticationOptions, readAuthentication, readRegistration, registrationOptions, siteOf } from './passkeys.ts'
import { addressOf, newSecret, stepOf } from './totp.ts'

const RECOVERY_CODES = 10
const RECOVERY_DIGITS = 10
const MAX_PENDING = 10_000
const PENDING_MS = 1800_000
const FORGIVE_SECONDS = 12 * 3600

export type FactorDeps = StoreDeps & {
  readonly store: Pick<OidcStore, 'endSessions'>
  /** The clock of codes: a phone makes them by the right time, even while `wall` is still ahead of it. */
  readonly machine: () => number
  readonly newId: () => string
  readonly masterKey: Uint8Array
  readonly publicUrl: string
  readonly news: FactorNews
  readonly log: Log
}
/** The address and browser that answer a second step. */
export type SecondWay = { readonly address: string; readonly browser?: BrowserCookie | undefined }
/** Pending state of one sign-in or session: an unconfirmed secret, an unanswered challenge. */
type Pending = { readonly userId: string; readonly until: number; secret?: string; challenge?: string }

/** Second factors of accounts: authenticator apps, passkeys and recovery codes. */
export function createFactors({ db, write, wall, machine, store, newId, masterKey, publicUrl, news, log }: FactorDeps) {
  const sealKey = deriveKey(masterKey, 'second factor')
  const codeKey = deriveKey(masterKey, 'recovery codes')
  const site = siteOf(publicUrl)
  const seconds = () => Math.floor(wall() / 1000)
  const at = () => new Date(wall()).toISOString()
  const digest = (userId: string, code: string): string =>
    createHmac('sha256', codeKey).update(`${userId} ${code}`).digest('base64url')

  // Kept in memory because there is one process: after a restart the person reloads the page.
  const pending = new Map<string, Pending>()
  function underWay(key: string, userId: string): Pending {
    const known = pending.get(key)
    if (known?.userId === userId && known.until > wall()) return known
    for (const [k, p] of pending) if (p.until <= wall() || pending.size >= MAX_PENDING) pending.delete(k)
    const entry: Pending = { userId, until: wall() + PENDING_MS }
    pending.set(key, entry)
    return entry
  }
  /** A challenge is used once, whether or not the answer is right. */
  function takeChallenge(key: string, userId: string): string | undefined {
    const entry = underWay(key, userId)
    const { challenge } = entry
    delete entry.challenge
    return challenge
  }

  const of = (userId: string): readonly FactorRow[] => factorsOf(db).all({ userId })

  /** New recovery codes of ten digits, shown only this once; earlier codes are deleted. */
  function renew(tx: Tx, userId: string): string[] {
    dropCodes(tx).run({ userId })
    const codes = new Set<string>()
    while (codes.size < RECOVERY_CODES)
      codes.add(String(randomInt(10 ** RECOVERY_DIGITS)).padStart(RECOVERY_DIGITS, '0'))
    for (const code of codes) addCode(tx).run({ userId, digest: digest(userId, code) })
    return [...codes].map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
  }

  /**
   * Adds a factor. The first factor ends all other sessions, which were signed in without one, and returns recovery
   * codes.
   */
  const add = (account: AccountRow, row: FactorRow, keepSession: string | undefined): Promise<readonly string[]> =>
    write(account.orgId, (tx) => {
      const first = factorsOf(tx).all({ userId: account.id }).length === 0
      addFactor(tx).run({ ...row, at: row.createdAt })
      if (first) store.endSessions(tx, account.id, keepSession)
      news(tx, account, { event: 'ADDED', kind: row.kind })
      return first ? renew(tx, account.id) : []
    })
  const rowOf = (account: AccountRow, kind: FactorRow['kind'], more: Partial<FactorRow>): FactorRow => ({
    id: newId(),
    userId: account.id,
    kind,
    sealed: null,
    credentialId: null,
    publicKey: null,
    counter: 0,
    createdAt: at(),
    usedAt: null,
    ...more,
  })

  const today = () => dayOf(wall())
  /** The browser and the network of a sign-in, as places where the second step was passed. */
  function placesOf(userId: string, { address, browser }: SecondWay) {
    const place = (what: string): string => placeOf(masterKey, userId, `second step ${what}`)
    const known = browser?.placeFor(userId)
    return [
      ...(known === undefined ? [] : [{ kind: 'browser', place: place(`browser ${known}`) } as const]),
      ...(isLoopbackAddress(address) ? [] : [{ kind: 'network', place: place(networkOf(address)) } as const]),
    ]
  }
  /** Which attempts share a count, the failures in a row, and the end of their wait in epoch seconds. */
  function laneOf(tx: Tx, userId: string, way: SecondWay) {
    const recent = (failures: number, at: number) => (at + FORGIVE_SECONDS > seconds() ? failures : 0)
    for (const { kind, place } of placesOf(userId, way)) {
      const row = knownPlaceOf(tx, userId, place, wall() - PASSWORDS.knownMs)
      if (!row) continue
      const counted = { failures: recent(row.failures, row.lastAt / 1000), lockedUntil: row.waitUntil ?? 0 }
      const count = (failures: number, waitUntil: number | null) =>
        putPlace(tx, { userId, place, failures, waitUntil, lastAt: wall() })
      return { kind, counted, count } as const
    }
    const tries = triesOf(tx).get({ userId })
    const counted = {
      failures: recent(tries?.failures ?? 0, tries?.updatedAt ?? 0),
      lockedUntil: tries?.lockedUntil ?? 0,
    }
    const count = (failures: number, lockedUntil: number | null): void => {
      if (failures === 0) forgiveTries(tx).run({ userId })
      else countTry(tx).run({ userId, failures, lockedUntil, at: seconds() })
    }
    return { kind: 'strangers', counted, count } as const
  }

  function takeAppCode(tx: Tx, userId: string, code: string): boolean {
    for (const { id, sealed } of factorsOf(tx).all({ userId })) {
      const step = sealed === null ? undefined : stepOf(unseal(sealKey, id, sealed), code, machine())
      if (step !== undefined && takeStep(tx).run({ id, step, at: at() }).changes === 1) return true
    }
    return false
  }
  function takeRecoveryCode(tx: Tx, account: AccountRow, code: string): boolean {
    if (useCode(tx).run({ userId: account.id, digest: digest(account.id, code) }).changes !== 1) return false
    news(tx, account, { event: 'CODE_USED', left: codesOf(tx).all({ userId: account.id }).length })
    return true
  }

  return {
    of,
    has: (userId: string): boolean => of(userId).length > 0,
    /** Whether sign-in to this account has a second step: the account has a factor, or its organization requires one. */
    isRequired: (account: AccountRow): boolean =>
      of(account.id).length > 0 || requiresFactor(db, account.orgId, account.roles),
    codesLeft: (userId: string): number => codesOf(db).all({ userId }).length,

    /**
     * Verifies an authenticator code, with the same waits as passwords and a budget a day, or a recovery code; `locked`
     * during a wait. Attempts of strangers are counted apart from those of people who passed this step here before.
     */
    checkCode: (account: AccountRow, typed: string, way: SecondWay): Promise<'taken' | 'wrong' | 'locked'> =>
      write(account.orgId, (tx) => {
        const code = typed.replace(/\D/g, '')
        const userId = account.id
        if (code.length === RECOVERY_DIGITS) {
          const from = placeOf(masterKey, userId, `recovery ${networkOf(way.address)}`)
          if (spentOnDay(tx, 'factor_recovery', from, today()) >= FACTORS.recovery) return 'locked'
          if (takeRecoveryCode(tx, account, code)) return 'taken'
          spendDay(tx, { budget: 'factor_recovery', key: from, day: today() })
          log.warn('second_factor_refused', { userId, kind: 'RECOVERY' })
          return 'wrong'
        }
        const lane = laneOf(tx, userId, way)
        const { failures, lockedUntil } = lane.counted
        const spent = spentOnDay(tx, `factor_${lane.kind}`, userId, today()) >= FACTORS[lane.kind]
        if (spent || seconds() < lockedUntil) return 'locked'
        const taken = takeAppCode(tx, userId, code)
        const wait = taken ? 0 : waitAfter(failures + 1)
        lane.count(taken ? 0 : failures + 1, wait > 0 ? seconds() + wait : null)
        if (taken) return 'taken'
        spendDay(tx, { budget: `factor_${lane.kind}`, key: userId, day: today() })
        log.warn('second_factor_refused', { userId, failures: failures + 1, from: lane.kind })
        return 'wrong'
      }),
    /** Browser and network have passed the second step: wrong codes of strangers do not hold them back. */
    remember: ({ id, orgId }: AccountRow, way: SecondWay): Promise<void> =>
      write(orgId, (tx) => {
        for (const { place } of placesOf(id, way))
          rememberPlace(tx, { userId: id, place, lastAt: wall() }, PASSWORDS.places)
      }),

    /** The secret offered to an account that sets up an app; it stays the same for one sign-in or session. */
    offered(key: string, account: AccountRow): { secret: string; address: string } {
      const entry = underWay(key, account.id)
      entry.secret ??= newSecret()
      return { secret: entry.secret, address: addressOf(entry.secret, account.username ?? 'Loyer') }
    },
    /** Undefined for a wrong code; otherwise the recovery codes, if the account had none. */
    async addApp(key: string, account: AccountRow, typed: string, keepSession: string | undefined) {
      const { secret } = underWay(key, account.id)
      const step = secret === undefined ? undefined : stepOf(secret, typed.replace(/\D/g, ''), machine())
      if (secret === undefined || step === undefined || of(account.id).some((f) => f.kind === 'TOTP')) return undefined
      pending.delete(key)
      const row = rowOf(account, 'TOTP', { counter: step })
      return add(account, { ...row, sealed: seal(sealKey, row.id, secret) }, keepSession)
    },

    /** Undefined where the service is reached by an IP address: passkeys need a host name. */
    async passkeyToMake(key: string, account: AccountRow): Promise<string | undefined> {
      if (!site || of(account.id).length > PASSKEYS) return undefined
      const person = { id: account.id, name: account.username ?? 'Loyer' }
      const { challenge, json } = await registrationOptions(site, person, of(account.id))
      underWay(key, account.id).challenge = challenge
      return json
    },
    async addPasskey(key: string, account: AccountRow, answer: string, keepSession: string | undefined) {
      const challenge = takeChallenge(key, account.id)
      if (!site || challenge === undefined || of(account.id).length > PASSKEYS) return undefined
      const passkey = await readRegistration(site, challenge, answer)
      if (!passkey) return undefined
      return add(account, rowOf(account, 'PASSKEY', passkey), keepSession)
    },
    async passkeyToAsk(key: string, account: AccountRow): Promise<string | undefined> {
      const known = of(account.id).filter((f) => f.kind === 'PASSKEY')
      if (!site || known.length === 0) return undefined
      const { challenge, json } = await authenticationOptions(site, known)
      underWay(key, account.id).challenge = challenge
      return json
    },
    async checkPasskey(key: string, account: AccountRow, answer: string): Promise<boolean> {
      const challenge = takeChallenge(key, account.id)
      if (!site || challenge === undefined) return false
      const signed = await readAuthentication(site, challenge, answer, of(account.id))
      if (!signed) {
        log.warn('second_factor_refused', { userId: account.id, kind: 'PASSKEY' })
        return false
      }
      const { factor, counter } = signed
      // If two answers carry the same counter, only the first one updates it.
      return write(
        null,
        (tx) => moveCounter(tx).run({ id: factor.id, was: factor.counter, counter, at: at() }).changes === 1,
      )
    },

    /** False when the account has no such factor. Removing the last factor deletes the recovery codes. */
    remove: (account: AccountRow, id: string, keepSession: string | undefined): Promise<boolean> =>
      write(account.orgId, (tx) => {
        const row = factorsOf(tx)
          .all({ userId: account.id })
          .find((f) => f.id === id)
        if (!row) return false
        dropFactor(tx).run({ id, userId: account.id })
        if (factorsOf(tx).all({ userId: account.id }).length === 0) dropCodes(tx).run({ userId: account.id })
        store.endSessions(tx, account.id, keepSession)
        news(tx, account, { event: 'REMOVED', kind: row.kind })
        return true
      }),
    renewCodes: (account: AccountRow): Promise<readonly string[]> =>
      write(account.orgId, (tx) => {
        news(tx, account, { event: 'CODES_RENEWED' })
        return renew(tx, account.id)
      }),
  }
}
export type Factors = ReturnType<typeof createFactors>

/** Deletes an account's factors; the caller notifies the person. @returns how many there were */
export function forgetFactors(tx: Tx, userId: string): number {
  dropCodes(tx).run({ userId })
  forgiveTries(tx).run({ userId })
  return dropFactors(tx).run({ userId }).changes
}
