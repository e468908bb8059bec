import type { Tx } from '../../../../db/open.ts'
import { type Budget, CODES, NEWS, NUMBER_CHANGES } from '../../../core/budgets.ts'
import { networkOf, siteOf } from '../../../core/network.ts'
import { prefixAllowed } from '../../../core/phone.ts'
import { placeOf } from '../../../core/place.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Withheld } from '../../news/reminders/rules.ts'
import type { SendKind } from '../challenges/rules.ts'
import { prefixOf, refillOf, waitOf } from './rules.ts'
import {
  type Counted,
  isKnownPlace,
  isVerifiedNumber,
  type Key,
  knowPlace,
  spendAllOfDay,
  spentOf,
  takeOfDay,
} from './store.ts'

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

type Where = Pick<Deps, 'masterKey' | 'clock'>
/** Whether an account signed in before from where a request comes. */
const isKnown = ({ masterKey, clock }: Where, tx: Tx, userId: string, network: string): boolean =>
  isKnownPlace(tx, userId, placeOf(masterKey, userId, network), clock.wall())

/** A code from there was right: the account is known at the network, and strangers hold nobody back at it. */
export const knowNetwork = ({ masterKey, clock }: Where, tx: Tx, userId: string, network: string): void =>
  knowPlace(tx, userId, placeOf(masterKey, userId, network), clock.wall())

/**
 * What a request for a code may spend. The asker's own budgets are refused here; what strangers share, and the operator's
 * stop, is told by `waitMs`: a reset must not let it show. @throws too_many_requests
 */
export function judgeCode(deps: Where, tx: Tx, r: Asking): Verdict {
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
  const number = () => refillOf(CODES.number, spent('number', CODES.number.ms), 0, now)
  if (r.purpose !== 'REGISTRATION' && r.purpose !== 'PASSWORD_RESET') {
    own('account', [r.purpose === 'SIGNING' ? CODES.signing : CODES.account])
    if (r.purpose === 'SIGNING') own('accountAndSubject', [CODES.account])
    return { kind: 'OWN', waitMs: Math.max(stop, r.purpose === 'PHONE_CHANGE' ? number() : 0) }
  }
  own('network', CODES.network)
  if (key.site?.endsWith('/48')) own('site', CODES.site)
  own('numberAndNetwork', CODES.numberAndNetwork)
  if (r.userId !== null && isKnown(deps, tx, r.userId, networkOf(r.address)) && wait('account', [CODES.account]) === 0)
    return { kind: 'KNOWN', waitMs: stop }
  if (r.invited) return { kind: 'KNOWN', waitMs: Math.max(stop, number()) }
  const HOUR = CODES.prefix.ms
  const waits = [stop, number()]
  waits.push(
    refillOf(CODES.prefix, spent('prefix', CODES.prefix.ms), spent('prefixAndSite', HOUR).n, now),
    ...CODES.strangers.map((b) => refillOf(b, spent('strangers', b.ms), spent('strangersOfSite', HOUR).n, now)),
  )
  return { kind: 'STRANGER', waitMs: Math.max(...waits) }
}

/** Counts one look at whether a number is free to change to: the same for every number. @throws too_many_requests */
export function spendNumberChange({ clock }: Pick<Deps, 'clock'>, tx: Tx, userId: string): true {
  const ms = takeOfDay(tx, 'number_change', userId, NUMBER_CHANGES, clock.wall())
  if (ms > 0) throw tooMany(ms)
  return true
}

const DAY = 86_400_000
/** What becomes of news: sent now, sent later for want of a day's budget, or withheld. */
export type NewsPlan = { readonly withheld: Withheld | null; readonly sendAtMs: number | null }

/**
 * Spends one of the budgets of news: of the organization, the number, its neighbours and the operator, on the first day that
 * has room. Numbers elsewhere need the operator's word, but for the verified one of a member.
 */
export function planNews(
  deps: Pick<Deps, 'masterKey' | 'clock' | 'config'>,
  tx: Tx,
  { orgId, to }: { readonly orgId: string; readonly to: string },
): NewsPlan {
  if (!prefixAllowed(to, deps.config.allowedPhonePrefixes) && !isVerifiedNumber(tx, orgId, to))
    return { withheld: 'NUMBER_NOT_ALLOWED', sendAtMs: null }
  // Digests: what was spent says nothing of who was told.
  const of = (what: string) => placeOf(deps.masterKey, orgId, `news ${what}`)
  const budgets = [
    ['news_number', of(to), NEWS.number],
    ['news_prefix', of(prefixOf(to)), NEWS.prefix],
    ['news_organization', orgId, NEWS.organization],
    ['news_service', 'all', NEWS.service],
  ] as const
  const now = deps.clock.wall()
  for (let days = 0; days <= NEWS.postponedDays; days++) {
    const at = now + days * DAY
    if (!spendAllOfDay(tx, budgets, at)) continue
    return { withheld: null, sendAtMs: days === 0 ? null : at }
  }
  return { withheld: 'BUDGET_SPENT', sendAtMs: null }
}
