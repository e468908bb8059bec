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
    'Those who let: PAYMENT_DECLARED, a tenant says that they paid; LEASE_REQUESTED, somebody asks for a unit; LEASE_SIGNED, a tenant signed; RENT_ANSWERED, a tenant signed a change of the rent or refused it; NOTICE_GIVEN, a tenant gives notice to leave or withdraws it; MESSAGE_UNDELIVERED, a tenant could not be reached. Tenants: RENT_CALL, rent is to be paid; RENT_REMINDER, up to the day on which it is due; CHARGES_SHARED, their share of charges is known, with what is to be paid or given back; PAYMENT_CONFIRMED, PAYMENT_REFUSED and PAYMENT_REVERSED; LEASE_CHANGED. Rent that is late, formal notices, leases to sign and changes of the account are always told.',
})
const When = oneOf(NEWS_TIMES, {
  $id: 'NewsTime',
  description:
    'NOW: a message of its own, for those who let after quiet hours at the earliest, and at most ten a day: what comes after them is in the next digest. MORNING: with others in one message when quiet hours end. OFF: none.',
})
const Channel = oneOf(MESSAGE_CHANNELS, {
  description:
    'By which messages come first; WhatsApp where nothing is chosen, and for a tenant what the landlord entered.',
})

export const NewsChoice = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The user whose choice it is.' }),
    channel: Type.Optional(Channel),
    digestAt: Type.String({ description: 'The local time of the digest, HH:MM: when quiet hours end.' }),
    sends: Type.Boolean({ description: 'False where no vendor sends messages from here.' }),
    kinds: Type.Array(
      Type.Object({
        kind: Kind,
        when: When,
        chosen: Type.Boolean({ description: 'Whether this person chose it; false: it is as usual.' }),
        times: Type.Array(When, { description: 'What can be chosen for it.' }),
      }),
      {
        description:
          'What a person with these roles is told of. It holds for the properties that one owns; of others, a manager who chose nothing is told in the morning, and an administrator not at all.',
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
      description: 'What was chosen; a kind that is left out is as usual again.',
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
