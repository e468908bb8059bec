import type { Tx } from '../../../../db/open.ts'
import type { Ctx } from '../../../context.ts'
import { isLoopbackAddress } from '../../../core/addresses.ts'
import { type Budget, CODES, NEWS, NEWS_SHARE, NUMBER_CHANGES } from '../../../core/budgets.ts'
import { DAY_MS } from '../../../core/dates.ts'
import { ANYBODY, placeOf, sitePlaceOf } from '../../../core/known-places.ts'
import { networkOf, siteOf } from '../../../core/network.ts'
import { prefixAllowed } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, tooManyElsewhere } from '../../../errors.ts'
import type { Sharer } from '../../../jobs/queue.ts'
import { findOrganization } from '../organizations/store.ts'
import { prefixOf, refillOf, type SendKind, type Withheld, waitOf } from './rules.ts'
import {
  type Counted,
  elsewhereLeft,
  hasOtherOwner,
  isKnownPlace,
  isVerifiedNumber,
  type Key,
  knowPlace,
  rememberSite,
  spendAllOfDay,
  spentOf,
  takeOfDay,
  untilRefill,
  waitOfDay,
} from './store.ts'

export const tooMany = (ms: number): AppError =>
  new AppError('too_many_requests', undefined, { retryAfter: Math.max(1, Math.ceil(ms / 1000)) })

export type Asking = {
  readonly purpose: string
  readonly phoneNumber: string
  readonly userId: string | null
  readonly subject?: string | undefined
  readonly address: string
  /**
   * True if a landlord or an administrator entered this number: the budgets that strangers share do not hold it back.
   */
  readonly invited?: boolean | undefined
}
/** `waitMs` is 0 if a code may be sent now; `last`: strangers have few codes left for the number. */
export type Verdict = { readonly kind: SendKind; readonly waitMs: number; readonly last?: boolean }

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
/** Whether the account has signed in from this network before. */
const isKnown = ({ masterKey, clock }: Where, tx: Tx, userId: string, network: string): boolean =>
  !isLoopbackAddress(network) && isKnownPlace(tx, userId, placeOf(masterKey, userId, network), clock.wall())

/** Marks the network as known to the account after a right code, so that strangers cannot use up its budgets there. */
export function knowNetwork(deps: Where, tx: Tx, userId: string, network: string): void {
  if (!isLoopbackAddress(network)) knowPlace(tx, userId, placeOf(deps.masterKey, userId, network), deps.clock.wall())
  knowSite(deps, tx, userId, network)
}
/** Marks the site as one where somebody has an account: its newcomers get codes even during a flood from elsewhere. */
export function knowSite({ masterKey, clock }: Where, tx: Tx, userId: string, address: string): void {
  if (!isLoopbackAddress(address)) rememberSite(tx, userId, sitePlaceOf(masterKey, address), clock.wall())
}

/**
 * Decides which budgets a request for a code spends. If the caller's own budget is spent, this throws; if a shared
 * budget or the operator's stop forbids the code, `waitMs` says so, because a password reset must not reveal it.
 * @throws too_many_requests
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
  const known = !isLoopbackAddress(r.address) && isKnownPlace(tx, ANYBODY, sitePlaceOf(deps.masterKey, r.address), now)
  const ofNumber = () => spent('number', CODES.number.ms)
  // Other budgets have a reserve for quiet sites; that of a number has one for known sites.
  const number = () => refillOf(CODES.number, ofNumber(), { n: known ? 0 : CODES.quietBelow, known: false }, now)
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
  const last = ofNumber().n >= CODES.shortCodes
  if (r.invited) return { kind: 'STRANGER', waitMs: Math.max(stop, number()), last }
  const HOUR = CODES.prefix.ms
  const ofSite = (of: Counted) => ({ n: spent(of, HOUR).n, known })
  const waits = [
    ...[stop, number(), wait('strangers', CODES.strangersAtMost)],
    refillOf(CODES.prefix, spent('prefix', HOUR), ofSite('prefixAndSite'), now),
    ...CODES.strangers.map((b) => refillOf(b, spent('strangers', b.ms), ofSite('strangersOfSite'), now)),
  ]
  return { kind: 'STRANGER', waitMs: Math.max(...waits), last }
}

/** Counts one check of whether a number is free to change to, for every number alike. @throws too_many_requests */
export function spendNumberChange({ clock }: Pick<Deps, 'clock'>, tx: Tx, userId: string): true {
  const now = clock.wall()
  if (!takeOfDay(tx).get({ budget: 'number_change', key: userId, now, most: NUMBER_CHANGES }))
    throw tooMany(untilRefill(now))
  return true
}

/**
 * Called before a new number is looked up. Once the day's limit of accounts elsewhere is reached, no new number is
 * looked up at all, so that the answer reveals nothing.
 * @throws too_many_requests
 */
export function checkElsewhere({ tx, caller, nowMs }: Ctx): void {
  if (elsewhereLeft(tx, caller, nowMs) <= 0) throw tooManyElsewhere(nowMs)
}

/** @throws too_many_requests where an organization's codes of the day, for people who sign by a link, are spent */
export function checkLinkCodes({ clock }: Pick<Deps, 'clock'>, tx: Tx, orgId: string): void {
  const ms = waitOfDay(tx, { budget: 'link_codes', key: orgId, most: CODES.linkHolders }, clock.wall())
  if (ms > 0) throw tooMany(ms)
}
/** Counts a code that was sent; a refused request costs the others nothing. */
export function spendLinkCode({ clock }: Pick<Deps, 'clock'>, tx: Tx, orgId: string): true {
  takeOfDay(tx).run({ budget: 'link_codes', key: orgId, now: clock.wall(), most: CODES.linkHolders })
  return true
}

/** Takes one of the single messages that a person may get in a day; false if they are spent. */
export const spendSingle = ({ clock }: Pick<Deps, 'clock'>, tx: Tx, userId: string): boolean =>
  takeOfDay(tx).get({ budget: 'news_person', key: userId, now: clock.wall(), most: NEWS.singles }) !== undefined

/** What happens to news: sent now, sent later because the day's budget is spent, or withheld. */
export type NewsPlan = { readonly withheld: Withheld | null; readonly sendAtMs: number | null }

/**
 * Spends one from each news budget (organization, number, neighbouring numbers, operator) on the first day that has
 * room; what a person causes, `by`, also spends their share if the organization has several owners. News for a number
 * outside the allowed prefixes is withheld, unless it is the verified number of a member.
 */
export function planNews(
  deps: Pick<Deps, 'masterKey' | 'clock' | 'config' | 'messenger'>,
  tx: Tx,
  { orgId, to, by }: { readonly orgId: string; readonly to: string; readonly by?: Sharer | undefined },
): NewsPlan {
  if (deps.messenger.mute) return { withheld: 'NO_VENDOR', sendAtMs: null }
  if (!prefixAllowed(to, deps.config.allowedPhonePrefixes) && !isVerifiedNumber(tx, orgId, to))
    return { withheld: 'NUMBER_NOT_ALLOWED', sendAtMs: null }
  // The keys are digests, so that the table does not reveal who received news.
  const of = (what: string) => placeOf(deps.masterKey, orgId, `news ${what}`)
  const most = findOrganization(tx, orgId)?.messagesPerDay ?? NEWS.organization
  const part = (share: number): number => Math.max(1, Math.floor(most * share))
  const sharesOf = (who: Sharer): readonly (readonly [string, string, number])[] => {
    const id = 'owner' in who ? who.owner : who.manager
    if (!hasOtherOwner(tx, orgId, id)) return []
    if ('manager' in who) return [['news_manager', of(`by ${id}`), part(NEWS_SHARE.manager)]]
    return [
      ['news_owner', of(`by ${id}`), part(NEWS_SHARE.one)],
      ['news_owners', orgId, part(NEWS_SHARE.all)],
    ]
  }
  const budgets = [
    ['news_number', of(to), NEWS.number],
    ['news_prefix', of(prefixOf(to)), NEWS.prefix],
    ['news_organization', orgId, most],
    ...(by === undefined ? [] : sharesOf(by)),
    ['news_service', 'all', NEWS.service],
  ] as const
  const now = deps.clock.wall()
  for (let days = 0; days <= NEWS.postponedDays; days++) {
    const at = now + days * DAY_MS
    if (!spendAllOfDay(tx, budgets, at)) continue
    return { withheld: null, sendAtMs: days === 0 ? null : at }
  }
  return { withheld: 'BUDGET_SPENT', sendAtMs: null }
}
