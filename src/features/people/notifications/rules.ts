import type { Role } from '../../../core/roles.ts'

/** When a person is told: at once (landlords not in quiet hours), with other news in the morning, or never. */
export const NEWS_TIMES = ['NOW', 'MORNING', 'OFF'] as const
export type NewsTime = (typeof NEWS_TIMES)[number]

type Kind = {
  /** Only people with one of these roles are told. */
  readonly roles: readonly Role[]
  readonly times: readonly NewsTime[]
  /** The time for people who have not chosen one. */
  readonly usual: NewsTime
}
const LANDLORDS = ['OWNER', 'MANAGER', 'ADMIN'] as const
const landlords = (usual: NewsTime): Kind => ({ roles: LANDLORDS, times: NEWS_TIMES, usual })
/** What owners and administrators are told of managers. */
const above: Kind = { roles: ['OWNER', 'ADMIN'], times: NEWS_TIMES, usual: 'NOW' }
/** A tenant's news carries a link or a date of its own, so it does not wait for a digest. */
const tenants: Kind = { roles: ['TENANT'], times: ['NOW', 'OFF'], usual: 'NOW' }

/**
 * What people are told of, and can choose. Not in here, because nobody can do without it: codes, changes of an account,
 * a lease to sign, rent that is late, and formal notices.
 */
const OF_LANDLORDS = {
  PAYMENT_DECLARED: landlords('NOW'),
  LEASE_REQUESTED: landlords('NOW'),
  LEASE_SIGNED: landlords('NOW'),
  RENT_ANSWERED: landlords('NOW'),
  NOTICE_GIVEN: landlords('NOW'),
  MESSAGE_UNDELIVERED: landlords('MORNING'),
  ADJUSTMENT_MADE: above,
}
const KINDS = {
  ...OF_LANDLORDS,
  RENT_CALL: tenants,
  RENT_REMINDER: tenants,
  CHARGES_SHARED: tenants,
  PAYMENT_CONFIRMED: tenants,
  PAYMENT_REFUSED: tenants,
  PAYMENT_REVERSED: tenants,
  LEASE_CHANGED: tenants,
}
/** The kinds of news for landlords. */
export type LandlordKind = keyof typeof OF_LANDLORDS
export type NewsKind = keyof typeof KINDS
export const NEWS_KINDS = Object.keys(KINDS) as [NewsKind, ...NewsKind[]]
const LANDLORD_KINDS = Object.keys(OF_LANDLORDS) as readonly LandlordKind[]
/** Whether a kind is news for landlords. */
export const isOfLandlords = (kind: NewsKind): kind is LandlordKind => LANDLORD_KINDS.some((one) => one === kind)

/** What a person chose; what they did not choose is as usual. */
export type Notifications = {
  /** Absent: WhatsApp, or what the landlord entered for a tenant. */
  readonly channel?: 'WHATSAPP' | 'SMS'
  readonly kinds: Readonly<Partial<Record<NewsKind, NewsTime>>>
}

/** The kinds that a person with these roles can be told of. */
export const kindsFor = (roles: readonly string[]): NewsKind[] =>
  NEWS_KINDS.filter((kind) => KINDS[kind].roles.some((role) => roles.includes(role)))
export const timesOf = (kind: NewsKind): readonly NewsTime[] => KINDS[kind].times

/** When a person is told of a kind: as they chose, else as usual. */
export const timeOf = (chosen: Notifications | null | undefined, kind: NewsKind): NewsTime =>
  chosen?.kinds[kind] ?? KINDS[kind].usual

/**
 * When somebody other than the owner is told what happens on a property: as they chose; otherwise a manager in the
 * morning if its owner is told at once, and an administrator never. What managers do is told to administrators alone.
 */
export function timeOfStaff(
  { notifications, roles }: { readonly notifications: Notifications | null; readonly roles: readonly string[] },
  kind: LandlordKind,
): NewsTime {
  if (KINDS[kind] === above) return roles.includes('ADMIN') ? timeOf(notifications, kind) : 'OFF'
  return notifications?.kinds[kind] ?? (roles.includes('MANAGER') ? 'MORNING' : 'OFF')
}

/** Somebody, and the properties that a manager is limited to. */
type Person = { readonly id: string; readonly roles: readonly string[]; readonly limits: readonly string[] | undefined }
type Place = { readonly propertyId: string; readonly ownerUserId: string | null }
/** Whether a person owns a property or looks after it. */
export const isInCharge = ({ id, roles, limits }: Person, { propertyId, ownerUserId }: Place): boolean =>
  id === ownerUserId ||
  (roles.some((role) => role === 'MANAGER' || role === 'ADMIN') && (limits?.includes(propertyId) ?? true))

/** Waiting news, with the present owner of its property. */
type Waiting = {
  readonly kind: NewsKind
  readonly amount: number | null
  readonly propertyId: string | null
  readonly ownerUserId: string | null
}
type Reader = Person & { readonly notifications: Notifications | null }
/** Whether a person still wants news that waited, and is still the one to be told. */
function isStillFor(reader: Reader, { kind, propertyId, ownerUserId }: Waiting): boolean {
  if (!isOfLandlords(kind) || !kindsFor(reader.roles).includes(kind)) return false
  if (propertyId === null) return timeOf(reader.notifications, kind) !== 'OFF'
  const when = reader.id === ownerUserId ? timeOf(reader.notifications, kind) : timeOfStaff(reader, kind)
  return when !== 'OFF' && isInCharge(reader, { propertyId, ownerUserId })
}

/** What a digest says: how many of each kind, and the francs that they are about. */
export function digestFor(reader: Reader, waiting: readonly Waiting[]) {
  const sums = new Map<LandlordKind, { n: number; amount: number | null }>()
  for (const news of waiting) {
    if (!isStillFor(reader, news) || !isOfLandlords(news.kind)) continue
    const { n, amount } = sums.get(news.kind) ?? { n: 0, amount: null }
    sums.set(news.kind, { n: n + 1, amount: news.amount === null ? amount : (amount ?? 0) + news.amount })
  }
  return [...sums].map(([kind, sum]) => ({ kind, ...sum }))
}
