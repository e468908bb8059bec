import { type Static, Type } from '@sinclair/typebox'
import { NEWS } from '../../../core/budgets.ts'
import { PAYMENT_METHODS } from '../../../core/money.ts'
import { dto } from '../../../http/json.ts'
import { Body, DateOnly, Locale, Maybe, oneOf, Phone, Text, Uuid } from '../../../http/schema.ts'
import { quietHoursOf, remindersOf, SECOND_FACTOR } from './rules.ts'
import type { OrganizationRow } from './store.ts'

const DueDay = Type.Integer({ minimum: 1, maximum: 28 })
const Schedule = Type.Array(Type.Integer({ minimum: -30, maximum: 90 }), {
  maxItems: 10,
  description:
    'The days on which tenants are reminded, relative to the due date: negative is before, 0 is the due date.',
})
const Time = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
const QuietHours = Type.Object(
  { from: Time, to: Time },
  {
    additionalProperties: false,
    description:
      'The local times between which no reminder is sent, also past midnight; two equal times switch quiet hours off.',
    examples: [{ from: '20:00', to: '07:00' }],
  },
)
const SecondFactor = oneOf(SECOND_FACTOR, {
  description:
    'STAFF: ADMIN and MANAGER sign in with a second factor (an authenticator app or a passkey); those without one are asked to set one up. Sessions without one end at their next refresh, and until then sensitive operations are refused with 401 `step_up_required`. OFF, the default: only users who chose a second factor themselves are asked for it.',
})

const ConfirmCash = Type.Boolean({
  description: 'Whether cash received by another person counts only once that person has confirmed it.',
})
const MessagesPerDay = Type.Integer({
  minimum: 1,
  maximum: NEWS.organization,
  description: `The maximum of messages a day (UTC) to tenants and members; ${NEWS.organization} if none is set. Messages beyond it are sent on the next two days, and after that not at all; codes are not counted.`,
})

const PAY_EXAMPLE = { method: 'MTN_MOMO', number: '677 12 34 56', holder: 'Agence Owona' }
const PayInstruction = Type.Object(
  {
    method: oneOf(PAYMENT_METHODS, { $id: 'PaymentMethod' }),
    number: Type.Optional(Text({ max: 60 })),
    holder: Type.Optional(Text({ max: 120 })),
    note: Type.Optional(Text({ max: 300, lines: true })),
  },
  {
    $id: 'PayInstruction',
    additionalProperties: false,
    examples: [PAY_EXAMPLE],
    description:
      'MTN_MOMO, ORANGE_MONEY and BANK_TRANSFER need a number or account of at least four digits. WITHHOLDING is refused with 422, because it is not a way to pay the landlord.',
  },
)
export const PayTo = Type.Array(PayInstruction, {
  maxItems: 6,
  examples: [[PAY_EXAMPLE]],
})

/** What everybody in an organization may know of it. */
export const OrganizationProfile = Type.Object(
  {
    id: Uuid,
    name: Type.Optional(Type.String()),
    address: Type.Optional(Type.String()),
    phoneNumber: Type.Optional(Type.String({ description: 'The number for tenants.' })),
    timeZone: Type.String(),
    locale: Locale,
    today: DateOnly,
    messaging: Type.Object({ sends: Type.Boolean() }),
    payTo: PayTo,
    places: Type.Optional(Type.Array(Type.Object({ propertyId: Uuid, propertyName: Type.String(), payTo: PayTo }))),
    requireProof: Type.Boolean(),
    operator: Type.Optional(
      Type.Literal(true, {
        description:
          'true for administrators of the organization that operates the server; they may see its state and backups.',
      }),
    ),
    team: Type.Optional(
      Type.Array(Type.Object({ userId: Uuid, name: Type.String() }, { $id: 'TeamMember' }), {
        description:
          'If cash must be confirmed, for landlords only: the people who may have received it. These are managers and administrators, and for these also the owners; the first 50.',
      }),
    ),
  },
  { $id: 'OrganizationProfile' },
)

export const Organization = Type.Object(
  {
    id: Uuid,
    name: Type.Optional(Type.String()),
    address: Type.Optional(Type.String()),
    phoneNumber: Type.Optional(
      Type.String({
        description:
          "The number for tenants, printed on papers and pages beside the name; if absent, the owner's own number is printed.",
      }),
    ),
    niu: Type.Optional(Type.String({ description: "The taxpayer's number." })),
    rccm: Type.Optional(Type.String({ description: 'The trade register number.' })),
    tvaRegistered: Type.Boolean({
      description:
        'Whether the organization is registered for VAT, according to the last of tvaChanges if there are any.',
    }),
    tvaChanges: Type.Optional(
      Type.Array(
        Type.Object({
          from: DateOnly,
          before: Type.Integer({ description: 'The previous rate, in basis points; 0: not registered.' }),
          after: Type.Integer({
            description: 'The rate from this day on, in basis points; 0: no longer registered.',
          }),
        }),
        { description: 'Registrations for VAT and changes of the rate, by day, including future ones.' },
      ),
    ),
    timeZone: Type.String(),
    locale: Locale,
    dueDay: Type.Optional(DueDay),
    issueDaysBefore: Type.Integer(),
    requireProof: Type.Boolean(),
    reminderSchedule: Schedule,
    quietHours: QuietHours,
    secondFactor: SecondFactor,
    payTo: PayTo,
    messagesPerDay: Type.Optional(MessagesPerDay),
    confirmCash: ConfirmCash,
  },
  { $id: 'Organization' },
)
export const OrganizationPatch = Body({
  name: Maybe(Text({ max: 200 })),
  address: Maybe(Text({ max: 300, lines: true })),
  phoneNumber: Maybe(Phone),
  niu: Maybe(Text({ max: 20 })),
  rccm: Maybe(Text({ max: 60 })),
  tvaRegistered: Type.Optional(
    Type.Boolean({
      description: 'true registers for VAT at 1925 from today on, false ends the registration, as tvaChange does.',
    }),
  ),
  tvaChange: Maybe(
    Type.Object(
      {
        from: { ...DateOnly, description: 'From one year ago to two years ahead, and not before a change in force.' },
        basisPoints: Type.Integer({
          minimum: 0,
          maximum: 10_000,
          description: 'The rate for business premises; 0: not registered.',
        }),
      },
      {
        additionalProperties: false,
        description:
          'The rate of VAT from a given day. Running leases at the previous rate follow it in every period that begins on that day or later and is not invoiced yet; invoices already issued stay. If the previous rate was 0, only business premises follow. This replaces a future change on the same day; the rate already in force before that day removes the change.',
      },
    ),
  ),
  timeZone: Type.Optional(Text({ max: 60 })),
  locale: Type.Optional(Locale),
  dueDay: Maybe(DueDay),
  issueDaysBefore: Type.Optional(Type.Integer({ minimum: 0, maximum: 30 })),
  requireProof: Type.Optional(Type.Boolean()),
  reminderSchedule: Maybe(Schedule),
  quietHours: Maybe(QuietHours),
  payTo: Maybe(PayTo),
  messagesPerDay: Maybe(MessagesPerDay),
  confirmCash: Type.Optional(ConfirmCash),
  secondFactor: Type.Optional(SecondFactor),
})
export type OrganizationPatch = Static<typeof OrganizationPatch>

export const toOrganization = ({
  version: _v,
  createdAt: _c,
  updatedAt: _u,
  quietFrom,
  quietTo,
  reminderSchedule,
  remindedOn: _r,
  tvaChanges,
  ...row
}: OrganizationRow): Static<typeof Organization> => ({
  ...dto(row),
  ...(tvaChanges ? { tvaChanges: [...tvaChanges] } : {}),
  payTo: [...(row.payTo ?? [])],
  reminderSchedule: [...remindersOf({ reminderSchedule, quietFrom, quietTo })],
  quietHours: quietHoursOf({ reminderSchedule, quietFrom, quietTo }),
})
