import type { Tx } from '../../../db/open.ts'
import { type Budget, CODES, NUMBER_CHANGES, PASSWORDS } from '../../core/budgets.ts'
import { networkOf, siteOf } from '../../core/network.ts'
import { placeOf } from '../../core/place.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { prefixOf, type SendKind } from '../challenges/rules.ts'
import { dayOf, refillOf, waitOf } from './rules.ts'
import { type Counted, isKnownPlace, type Key, spendDay, spentOf, spentOnDay } from './store.ts'

export const tooMany = (ms: number): AppError =>
  new AppError('too_many_requests', undefined, { retryAfter: Math.max(1, Math.ceil(ms / 1000)) })

export type Asking = {
  readonly purpose: string
  readonly phoneNumber: string
  readonly userId: string | null
  readonly subject?: string | undefined
  readonly address: string
  /** By somebody of the service: a landlord or an administrator gave this number. */
  readonly invited?: boolean | undefined
}
/** `waitMs`: 0 where a code may be sent now. */
export type Verdict = { readonly kind: SendKind; readonly waitMs: number }

const keyOf = ({ purpose, phoneNumber, userId, subject, address }: Asking): Key => ({
  phoneNumber,
  prefix: prefixOf(phoneNumber),
  purpose,
  address: networkOf(address),
  site: siteOf(address),
  userId,
  subject: subject ?? null,
})

/** Whether an account signed in before from where a request comes. */
const isKnown = (
  { masterKey, clock }: Pick<Deps, 'masterKey' | 'clock'>,
  tx: Tx,
  userId: string,
  address: string,
): boolean => isKnownPlace(tx, userId, placeOf(masterKey, userId, networkOf(address)), clock.wall() - PASSWORDS.knownMs)

/**
 * What a request for a code may spend. The asker's own budgets are refused here; what strangers share, and the operator's
 * stop, is told by `waitMs`: a reset must not let it show. @throws too_many_requests
 */
export function judgeCode(deps: Pick<Deps, 'masterKey' | 'clock'>, tx: Tx, r: Asking): Verdict {
  const now = deps.clock.wall()
  const key = keyOf(r)
  const spent = (of: Counted, ms: number) => spentOf(tx, of, key, now - ms)
  const wait = (of: Counted, budgets: readonly Budget[]): number =>
    Math.max(...budgets.map((b) => waitOf(b, spent(of, b.ms), now)))
  const own = (of: Counted, budgets: readonly Budget[]): void => {
    const ms = wait(of, budgets)
    if (ms > 0) throw tooMany(ms)
  }
  const stop = wait('service', CODES.service)
  const number = () => refillOf(CODES.number, spent('number', CODES.number.ms), false, now)
  if (r.purpose !== 'REGISTRATION' && r.purpose !== 'PASSWORD_RESET') {
    own('account', [r.purpose === 'SIGNING' ? CODES.signing : CODES.account])
    if (r.purpose === 'SIGNING') own('accountAndSubject', [CODES.account])
    return { kind: 'OWN', waitMs: Math.max(stop, r.purpose === 'PHONE_CHANGE' ? number() : 0) }
  }
  own('network', CODES.network)
  if (key.site?.endsWith('/48')) own('site', CODES.site)
  own('numberAndNetwork', CODES.numberAndNetwork)
  if (r.userId !== null && isKnown(deps, tx, r.userId, r.address) && wait('account', [CODES.account]) === 0)
    return { kind: 'KNOWN', waitMs: stop }
  if (r.invited) return { kind: 'KNOWN', waitMs: Math.max(stop, number()) }
  const HOUR = CODES.prefix.ms
  const waits = [stop, number()]
  waits.push(
    refillOf(CODES.prefix, spent('prefix', CODES.prefix.ms), spent('prefixAndSite', HOUR).n === 0, now),
    ...CODES.strangers.map((b) => refillOf(b, spent('strangers', b.ms), spent('strangersOfSite', HOUR).n === 0, now)),
  )
  return { kind: 'STRANGER', waitMs: Math.max(...waits) }
}

/** Counts one look at whether a number is free to change to: the same for every number. @throws too_many_requests */
export function spendNumberChange({ clock }: Pick<Deps, 'clock'>, tx: Tx, userId: string): true {
  const now = clock.wall()
  const day = dayOf(now)
  if (spentOnDay(tx, 'number_change', userId, day) >= NUMBER_CHANGES.most)
    throw tooMany((day + 1) * NUMBER_CHANGES.ms - now)
  spendDay(tx, 'number_change', userId, day)
  return true
}
