import type { Role } from '../../../core/roles.ts'

/** When a person is told: at once (outside of quiet hours, for landlords), with others in the morning, or never. */
export const NEWS_TIMES = ['NOW', 'MORNING', 'OFF'] as const
export type NewsTime = (typeof NEWS_TIMES)[number]

type Kind = {
  /** Whoever has one of these roles can be told. */
  readonly roles: readonly Role[]
  readonly times: readonly NewsTime[]
  /** What holds for whoever chose nothing. */
  readonly usual: NewsTime
}
const LANDLORDS = ['OWNER', 'MANAGER', 'ADMIN'] as const
const landlords = (usual: NewsTime): Kind => ({ roles: LANDLORDS, times: NEWS_TIMES, usual })
/** A tenant's news carries a link or a date of its own, so it does not wait for a digest. */
const tenants: Kind = { roles: ['TENANT'], times: ['NOW', 'OFF'], usual: 'NOW' }

/**
 * What people are told of, and can choose. Not in here, because nobody can do without it: codes, changes of an account,
 * a lease to sign, rent that is late, and formal notices.
 */
const KINDS = {
  PAYMENT_DECLARED: landlords('NOW'),
  LEASE_REQUESTED: landlords('NOW'),
  LEASE_SIGNED: landlords('NOW'),
  NOTICE_GIVEN: landlords('NOW'),
  MESSAGE_UNDELIVERED: landlords('MORNING'),
  RENT_CALL: tenants,
  RENT_REMINDER: tenants,
  PAYMENT_CONFIRMED: tenants,
  PAYMENT_REFUSED: tenants,
  PAYMENT_REVERSED: tenants,
  LEASE_CHANGED: tenants,
} as const satisfies Readonly<Record<string, Kind>>
export type NewsKind = keyof typeof KINDS
export const NEWS_KINDS = Object.keys(KINDS) as [NewsKind, ...NewsKind[]]

/** What a person chose; what they did not choose is as usual. */
export type Notifications = {
  /** Absent: WhatsApp, or what the landlord entered for a tenant. */
  readonly channel?: 'WHATSAPP' | 'SMS'
  readonly kinds: Readonly<Partial<Record<NewsKind, NewsTime>>>
}
