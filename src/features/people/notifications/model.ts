import { type Static, Type } from '@sinclair/typebox'
import { Body, Maybe, oneOf } from '../../../http/schema.ts'
import { MESSAGE_CHANNELS } from '../messages/rules.ts'
import { quietHoursOf } from '../organizations/rules.ts'
import {
  isOfLandlords,
  kindsFor,
  NEWS_KINDS,
  NEWS_TIMES,
  type Notifications,
  timeOf,
  timeOfStaff,
  timesOf,
} from './rules.ts'

const Kind = oneOf(NEWS_KINDS, {
  $id: 'NewsKind',
  description:
    'For landlords: PAYMENT_DECLARED, a tenant declared a payment; LEASE_REQUESTED, somebody requested a unit; LEASE_SIGNED, a tenant signed; RENT_ANSWERED, a tenant signed or declined a rent change; NOTICE_GIVEN, a tenant gave notice to leave or withdrew it; MESSAGE_UNDELIVERED, a message did not reach a tenant; ADJUSTMENT_MADE, somebody else reversed, cancelled, refunded or returned money or changed a fee (`GET /adjustments`), for owners and administrators. For tenants: RENT_CALL, rent is to be paid; RENT_REMINDER, a reminder up to the due date; CHARGES_SHARED, the share of charges is known, with the amount to pay or to get back; PAYMENT_CONFIRMED, PAYMENT_REFUSED and PAYMENT_REVERSED; LEASE_CHANGED. Messages about late rent, formal notices, leases to sign and changes of the account are always sent.',
})
const When = oneOf(NEWS_TIMES, {
  $id: 'NewsTime',
  description:
    'NOW: one message each, for landlords not before quiet hours end and at most ten a day; the others go into the next digest. MORNING: together with others in one message when quiet hours end. OFF: no message.',
})
const Channel = oneOf(MESSAGE_CHANNELS, {
  description:
    'The first channel to try. If nothing is chosen: WhatsApp, or for a tenant the channel that the landlord entered.',
  examples: ['WHATSAPP'],
})

export const NewsChoice = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The user whose settings these are.' }),
    channel: Type.Optional(Channel),
    digestAt: Type.String({
      description: 'The local time of the digest, HH:MM: when quiet hours end.',
      examples: ['07:00'],
    }),
    sends: Type.Boolean({ description: 'False if no messaging vendor is configured here.' }),
    kinds: Type.Array(
      Type.Object({
        kind: Kind,
        when: When,
        chosen: Type.Boolean({ description: 'Whether the person chose this setting; false: it is the default.' }),
        times: Type.Array(When, { description: 'The times that can be chosen for this kind.' }),
      }),
      {
        description:
          'The kinds that a person with these roles can get. They apply to the properties that the person owns. For other properties, a manager who chose nothing gets them in the morning, and an administrator gets none but ADJUSTMENT_MADE.',
      },
    ),
  },
  { $id: 'Notifications' },
)

export const ChooseNews = Body(
  {
    channel: Maybe(Channel),
    kinds: Type.Array(Type.Object({ kind: Kind, when: When }, { additionalProperties: false }), {
      maxItems: NEWS_KINDS.length,
      uniqueItems: true,
      description: 'The settings; a kind that is left out is reset to its default.',
    }),
  },
  { $id: 'NotificationsPut', examples: [{ channel: 'SMS', kinds: [{ kind: 'PAYMENT_DECLARED', when: 'MORNING' }] }] },
)
export type ChooseNews = Static<typeof ChooseNews>

type Settings = Parameters<typeof quietHoursOf>[0]
type User = { readonly id: string; readonly roles: readonly string[]; readonly notifications: Notifications | null }
/** What a person is told of, and can choose. */
export const toNewsChoice = (user: User, settings: Settings, sends: boolean): Static<typeof NewsChoice> => ({
  id: user.id,
  ...(user.notifications?.channel === undefined ? {} : { channel: user.notifications.channel }),
  digestAt: quietHoursOf(settings).to,
  sends,
  kinds: kindsFor(user.roles).map((kind) => ({
    kind,
    when:
      isOfLandlords(kind) && !user.roles.includes('OWNER') ? timeOfStaff(user, kind) : timeOf(user.notifications, kind),
    chosen: user.notifications?.kinds[kind] !== undefined,
    times: [...timesOf(kind)],
  })),
})
