import { createHash } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import { record } from '../../../changes/record.ts'
import { type Ctx, systemCtx } from '../../../context.ts'
import { NEWS } from '../../../core/budgets.ts'
import { DAY_MS, localDate, localTime } from '../../../core/dates.ts'
import { signedBy } from '../../../core/message-text.ts'
import { maskPhone } from '../../../core/phone.ts'
import type { Deps } from '../../../deps.ts'
import { invalid, notFound } from '../../../errors.ts'
import { enqueue } from '../../../jobs/queue.ts'
import { planNews, spendSingle } from '../messages/budgets.ts'
import { enqueueMessage } from '../messages/service.ts'
import type { PayInstruction } from '../organizations/rules.ts'
import { isQuiet, quietHoursOf, quietMs } from '../organizations/rules.ts'
import { findOrganization, type OrganizationRow } from '../organizations/store.ts'
import { fullNameOf } from '../users/rules.ts'
import { updateProfile } from '../users/service.ts'
import { findUser, propertiesOf, type UserRow } from '../users/store.ts'
import type { ChooseNews } from './model.ts'
import {
  digestFor,
  isInCharge,
  kindsFor,
  type LandlordKind,
  type NewsKind,
  timeOf,
  timeOfStaff,
  timesOf,
} from './rules.ts'
import { senderOf } from './senders.ts'
import { dropNews, keepNews, payToRecipients, staffOf, waitingNews } from './store.ts'
import { PAY_TO_TEXTS, TEXTS } from './texts.ts'

type Work = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'masterKey' | 'messenger' | 'log' | 'config'>

/** Sets what the caller is told of. @throws validation_failed for a kind or a time that is not theirs to choose */
export function chooseNews(ctx: Ctx, { channel, kinds }: ChooseNews): UserRow {
  const before = findUser(ctx.tx, ctx.caller.orgId, ctx.caller.userId)
  if (!before) throw notFound()
  const own = kindsFor(before.roles)
  for (const [i, { kind, when }] of kinds.entries()) {
    if (!own.includes(kind) || kinds.findIndex((one) => one.kind === kind) !== i)
      throw invalid(
        `/kinds/${i}/kind`,
        'Name each kind once, and only kinds that your roles can get.',
        'Nommez chaque sujet une seule fois, parmi ceux que vos rôles reçoivent.',
      )
    if (!timesOf(kind).includes(when))
      throw invalid(
        `/kinds/${i}/when`,
        'This cannot wait for the morning: choose NOW or OFF.',
        'Ce sujet n’attend pas le lendemain\u00a0: choisissez NOW ou OFF.',
      )
  }
  const notifications = {
    ...(channel ? { channel } : {}),
    kinds: Object.fromEntries(kinds.map(({ kind, when }) => [kind, when])),
  }
  return updateProfile(ctx, { notifications })
}

/** News for a tenant; `kind`: of what they may do without. `id`: the job's. */
export type TenantNews = {
  readonly id: string
  readonly purpose: string
  readonly kind?: NewsKind
  readonly say: (locale: 'fr' | 'en', portal: Portal) => string
}
/** The address of a page of the portal; undefined for a tenant without an account, whom it would only ask for one. */
export type Portal = (page: string) => string | undefined
type Reached = { readonly orgId: string; readonly userId: string | null; readonly channel: 'WHATSAPP' | 'SMS' | null }
/** The channel for a tenant's news, theirs before the landlord's; undefined where they do not want this kind. */
export function channelFor({ db }: Pick<Deps, 'db'>, { orgId, userId, channel }: Reached, kind: NewsKind | undefined) {
  const chosen = userId === null ? undefined : findUser(db, orgId, userId)?.notifications
  return kind !== undefined && timeOf(chosen, kind) === 'OFF' ? undefined : (chosen?.channel ?? channel ?? 'WHATSAPP')
}

type News = {
  /** The job's, so that each person is told once however often it runs. */
  readonly id: string
  readonly orgId: string
  readonly ownerUserId: string
  readonly propertyId: string
  readonly kind: LandlordKind
  /** Who did it: nobody is told of what they did themselves. */
  readonly by?: string | null
  /** The only user to be told, if it concerns nobody else. */
  readonly only?: string
  /** The amount that it is about, in francs. */
  readonly amount?: number
  readonly say: (locale: 'fr' | 'en') => string
}
/** Managers and administrators who are told of one event, at most. */
const MOST_STAFF = 20

/** One id for an event and a person, as a UUID. */
const idFor = (event: string, userId: string): string =>
  createHash('sha256')
    .update(`${event} ${userId}`)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')

/**
 * Tells the landlords what happened on a property: its owner, and the staff who want it. Each chooses: at once, or in the
 * morning; news beyond ten single messages a day waits for the morning too.
 */
export async function tellLandlords(deps: Work, news: News): Promise<void> {
  const { orgId, ownerUserId, propertyId, by, kind, only } = news
  await deps.write(orgId, (tx) => {
    const organization = findOrganization(tx, orgId)
    if (!organization) return null
    const owner = findUser(tx, orgId, only ?? ownerUserId)
    const readers = [
      ...(owner?.status === 'ACTIVE' && isInCharge(withLimits(tx, owner), news)
        ? [{ user: owner, when: timeOf(owner.notifications, kind) }]
        : []),
      ...(only === undefined ? staffOf(tx, { orgId, propertyId, limit: MOST_STAFF }) : [])
        .filter(({ id }) => id !== ownerUserId)
        .map((user) => ({ user, when: timeOfStaff(user, kind) })),
    ]
    for (const { user, when } of readers)
      if (user.id !== by && when !== 'OFF') tell(deps, tx, { organization, user, when }, news)
    return true
  })
}

type Recipient = { readonly organization: OrganizationRow; readonly user: UserRow; readonly when: 'NOW' | 'MORNING' }

function tell(deps: Work, tx: Tx, { organization, user, when }: Recipient, news: News): void {
  const { orgId, phoneNumber } = user
  if (phoneNumber === null) return
  const ctx = systemCtx(deps, tx, orgId, idFor(news.id, user.id))
  const wall = deps.clock.wall()
  if (when === 'MORNING' || !spendSingle(deps, tx, user.id)) {
    keep(ctx, organization, user, news, wall)
    return
  }
  const hours = quietHoursOf(organization)
  const time = localTime(ctx.nowMs, organization.timeZone)
  const quietUntil = isQuiet(hours, time) ? wall + quietMs(hours, time) : undefined
  const locale = user.locale ?? organization.locale
  send(deps, ctx, {
    id: idFor(news.id, user.id),
    user,
    to: phoneNumber,
    purpose: news.kind.toLowerCase(),
    locale,
    text: signedBy(news.say(locale), senderOf(tx, orgId, news.ownerUserId)),
    sendAtMs: quietUntil,
  })
}

/** Keeps news for the digest of the next morning, and asks for that. */
function keep(ctx: Ctx, organization: OrganizationRow, { orgId, id: userId }: UserRow, news: News, wall: number): void {
  if (waitingNews(ctx.tx, orgId, userId).length >= NEWS.digest) return
  const { kind, amount = null, propertyId } = news
  keepNews(ctx.tx, { id: idFor(news.id, userId), orgId, userId, kind, amount, propertyId, createdAt: ctx.now })
  const { timeZone } = organization
  // The next time of day at which quiet hours end, whether they are set or not.
  const runAt = wall + (quietMs(quietHoursOf(organization), localTime(ctx.nowMs, timeZone)) || DAY_MS)
  enqueue(ctx, 'news.digest', `${userId}:${localDate(ctx.nowMs + runAt - wall, timeZone)}`, { userId }, runAt)
}

const withLimits = (tx: Tx, user: UserRow) => ({ ...user, limits: propertiesOf(tx, user) })

/**
 * Sends a person all waiting news in one message, and deletes it. News that they turned off meanwhile, or of a property
 * that is no longer theirs, is left out. `id`: the job's.
 */
export async function sendDigest(deps: Work, { id, orgId, userId }: { id: string; orgId: string; userId: string }) {
  await deps.write(orgId, (tx) => {
    const all = waitingNews(tx, orgId, userId)
    if (all.length === 0) return null
    dropNews(tx, orgId, userId)
    const user = findUser(tx, orgId, userId)
    const organization = findOrganization(tx, orgId)
    if (user?.status !== 'ACTIVE' || user.phoneNumber === null || !organization) return true
    const waiting = digestFor(withLimits(tx, user), all)
    if (waiting.length === 0) return true
    const locale = user.locale ?? organization.locale
    const text = signedBy(TEXTS[locale].digest(waiting, `${deps.config.publicUrl}/console`), senderOf(tx, orgId, null))
    const ctx = systemCtx(deps, tx, orgId, id)
    send(deps, ctx, { id, user, to: user.phoneNumber, purpose: 'news_digest', locale, text, sendAtMs: undefined })
    return true
  })
}

type Outgoing = {
  readonly id: string
  readonly user: UserRow
  readonly to: string
  readonly purpose: string
  readonly locale: 'fr' | 'en'
  readonly text: string
  readonly sendAtMs: number | undefined
}
/** Enqueues a message within the budgets; the audit trail says what became of it. */
function send(deps: Work, ctx: Ctx, { id, user, to, purpose, locale, text, sendAtMs }: Outgoing): void {
  const { orgId } = user
  const channel = user.notifications?.channel ?? 'WHATSAPP'
  const plan = planNews(deps, ctx.tx, { orgId, to })
  const details = { purpose, channel, maskedDestination: maskPhone(to) }
  if (plan.withheld !== null) {
    record(ctx, 'message.withheld', { type: 'message', after: { id }, details: { ...details, reason: plan.withheld } })
    return
  }
  const at = plan.sendAtMs ?? sendAtMs
  const sent = enqueueMessage(deps, ctx.tx, {
    ...{ id, orgId, to, channel, purpose, locale, text },
    ...(at === undefined ? {} : { sendAtMs: at }),
  })
  if (sent !== undefined) record(ctx, 'message.send', { type: 'message', after: { id }, details })
}

/** A change of where the rent is paid, as its job holds it; without a property, it is that of the whole organization. */
export type PayToChange = {
  readonly propertyId?: string
  readonly propertyName?: string
  readonly by: string
  /** JSON of the ways to pay. */
  readonly before: string
  readonly after: string
}
/** Tells administrators and owners at once, whatever they chose, that the rent is to be paid elsewhere. `id`: the job's. */
export async function tellOfPayTo(
  deps: Work,
  { id, orgId, change }: { id: string; orgId: string; change: PayToChange },
) {
  const { propertyId, propertyName, by } = change
  const ways = (json: string): PayInstruction[] => JSON.parse(json)
  const [before, after] = [ways(change.before), ways(change.after)]
  await deps.write(orgId, (tx) => {
    const organization = findOrganization(tx, orgId)
    if (!organization) return null
    const who = findUser(tx, orgId, by)
    const page = `${deps.config.publicUrl}/console/${propertyId === undefined ? 'settings' : `properties/${propertyId}`}`
    for (const user of payToRecipients(tx, orgId, propertyId)) {
      // Whoever enters the first number needs no warning of themselves.
      if (user.phoneNumber === null || (user.id === by && before.length === 0)) continue
      const locale = user.locale ?? organization.locale
      const text = PAY_TO_TEXTS[locale].changed({
        propertyName,
        who: fullNameOf(who) || (who?.username ?? ''),
        before,
        after,
        page,
      })
      const ctx = systemCtx(deps, tx, orgId, idFor(id, user.id))
      send(deps, ctx, {
        ...{ id: ctx.requestId, user, to: user.phoneNumber, purpose: 'pay_to_changed', locale, sendAtMs: undefined },
        text: signedBy(text, senderOf(tx, orgId, null)),
      })
    }
    return true
  })
}
