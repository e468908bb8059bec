import { type Static, Type } from '@sinclair/typebox'
import { NEWS } from '../../../core/budgets.ts'
import { PAYMENT_METHODS } from '../../../core/money.ts'
import { dto } from '../../../http/cache.ts'
import { Body, DateOnly, Locale, Maybe, oneOf, Phone, Text, Uuid } from '../../../http/schema.ts'
import { quietHoursOf, remindersOf, SECOND_FACTOR } from './rules.ts'
import type { OrganizationRow } from './store.ts'

const DueDay = Type.Integer({ minimum: 1, maximum: 28 })
const Schedule = Type.Array(Type.Integer({ minimum: -30, maximum: 90 }), {
  maxItems: 10,
  description: 'Days around the due date on which tenants are reminded; negative is before, 0 the day itself.',
})
const Time = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
const QuietHours = Type.Object(
  { from: Time, to: Time },
  {
    additionalProperties: false,
    description: 'Local times between which no reminder is sent, also past midnight; the same time twice is never.',
    examples: [{ from: '20:00', to: '07:00' }],
  },
)
const SecondFactor = oneOf(SECOND_FACTOR, {
  description:
    'STAFF: ADMIN and MANAGER sign in with a second factor (an authenticator app or a passkey), and who has none is led to set one up. Sessions without one end at their next refresh, and sensitive operations answer 401 `step_up_required` until then. OFF, the default: only those who chose a second factor themselves are asked for it.',
})

const ConfirmCash = Type.Boolean({
  description: 'Whether cash that another person received counts only once that person confirms it.',
})
const MessagesPerDay = Type.Integer({
  minimum: 1,
  maximum: NEWS.organization,
  description: `Messages a day (UTC) to tenants and members, at most; ${NEWS.organization} where none is set. Those beyond it go out on the next two days, then no more; codes are not counted.`,
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
      'MTN_MOMO, ORANGE_MONEY and BANK_TRANSFER need a number; WITHHOLDING is refused, as nobody pays to it: 422.',
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
    phoneNumber: Type.Optional(Type.String({ description: 'Where tenants reach it.' })),
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
          'For administrators of the organization that operates the server: its state and backups are theirs to see.',
      }),
    ),
    team: Type.Optional(
      Type.Array(Type.Object({ userId: Uuid, name: Type.String() }, { $id: 'TeamMember' }), {
        description:
          'Where cash is confirmed, for those who let: who may have received it. Managers and administrators, and for these the owners too; the first 50.',
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
          "Where tenants reach it: printed on papers and pages beside its name; without it the owner's own number is.",
      }),
    ),
    niu: Type.Optional(Type.String({ description: "The taxpayer's number." })),
    rccm: Type.Optional(Type.String({ description: 'The trade register number.' })),
    tvaRegistered: Type.Boolean({
      description: 'Whether it is registered for VAT, by the last of tvaChanges where there are any.',
    }),
    tvaChanges: Type.Optional(
      Type.Array(
        Type.Object({
          from: DateOnly,
          before: Type.Integer({ description: 'The rate before, in basis points; 0: not registered.' }),
          after: Type.Integer({
            description: 'The rate from this day on, in basis points; 0: not registered any more.',
          }),
        }),
        { description: 'Registrations for VAT and changes of its rate, by their day, coming ones too.' },
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
    Type.Boolean({ description: 'Registers for VAT at 1925 from today on, or ends that: as tvaChange does.' }),
  ),
  tvaChange: Maybe(
    Type.Object(
      {
        from: { ...DateOnly, description: 'From a year back to two years ahead, and not before a change in force.' },
        basisPoints: Type.Integer({
          minimum: 0,
          maximum: 10_000,
          description: 'Of business premises; 0: not registered.',
        }),
      },
      {
        additionalProperties: false,
        description:
          'The rate of VAT from a day on. Running leases at the rate before follow it in every period that begins on that day or later and is not invoiced yet; what was invoiced stays. Where the rate before was 0, business premises alone follow. A coming change of the same day gives way, and is taken away by the rate that holds before it.',
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
