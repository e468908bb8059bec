import { type Static, Type } from '@sinclair/typebox'
import { NEWS } from '../../../core/budgets.ts'
import { countryOf, HOME_COUNTRY } from '../../../core/countries/countries.ts'
import { RULES, UNITS, valueOn } from '../../../core/countries/country.ts'
import { PAYMENT_METHODS } from '../../../core/money.ts'
import { tvaChangesOf } from '../../../core/tva.ts'
import { dto } from '../../../http/json.ts'
import { Id, OrgId, PropertyId, PropertyName } from '../../../http/members.ts'
import { Body, DateOnly, DateTime, Locale, Maybe, oneOf, Phone, Text, Uuid } from '../../../http/schema.ts'
import { quietHoursOf, RULE_NAMES, remindersOf, SECOND_FACTOR, sourceText } from './rules.ts'
import type { OrganizationRow } from './store.ts'

const notice = valueOn(HOME_COUNTRY, 'FORMAL_NOTICE_HOME', '')?.own
const OWN_NOTICE = { minimum: notice?.least ?? 1, maximum: notice?.most ?? 90 }

const Address = Type.String({
  description: 'The postal address, as printed on papers.',
  examples: ['Boulevard de la Liberté, Akwa, Douala'],
})
const TimeZone = Type.String({
  description: 'An IANA name, such as Africa/Douala; it decides the date for leases and invoices.',
  examples: ['Africa/Douala'],
})
const RequireProof = Type.Boolean({
  description: 'Whether a property needs an approved proof of ownership before it can be published.',
})
const Name = Type.String({ description: 'The name.', examples: ['Résidence Bonamoussadi'] })

const DueDay = Type.Integer({
  minimum: 1,
  maximum: 28,
  description: 'The day of the month on which rent is due; if absent, rent is due five days after the period begins.',
  examples: [5],
})
const Schedule = Type.Array(Type.Integer({ minimum: -30, maximum: 90 }), {
  maxItems: 10,
  description:
    'The days on which tenants are reminded, relative to the due date: negative is before, 0 is the due date.',
  examples: [[-3, 0, 3, 7, 15]],
})
const Time = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
const QuietHours = Type.Object(
  {
    from: { ...Time, description: 'The local time, HH:MM, from which nothing is sent that can wait.' },
    to: { ...Time, description: 'The local time, HH:MM, from which it is sent again.' },
  },
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
  description:
    'Whether cash received by another person counts only once that person has confirmed it. Cash that a manager limited to some properties records as received by themselves, whether `receivedBy` is named or not, then counts only once the owner of the property, a manager of all properties or an ADMIN has confirmed it. So does what they record as WITHHOLDING or OTHER, and by any method without a `reference`, as no operator or bank knows of it. Such a manager does not confirm cash, WITHHOLDING or OTHER that a tenant declared, reverse or refund it, refund without a `reference`, or take or return a deposit (403).',
})
const MessagesPerDay = Type.Integer({
  minimum: 1,
  maximum: NEWS.organization,
  description: `The maximum of messages a day (UTC) to tenants and members; ${NEWS.organization} if none is set. Messages beyond it are sent on the next two days, and after that not at all; codes are not counted.`,
})

const CountryCode = Type.String({
  description: 'The country whose law holds, by its ISO 3166-1 code.',
  examples: ['CM'],
})
const FormalNoticeDays = Type.Integer({
  ...OWN_NOTICE,
  description:
    'The days that a formal notice gives to pay the rent of a home; the usual number of the country if none is set.',
  examples: [15],
})

const PAY_EXAMPLE = { method: 'MTN_MOMO', number: '677 12 34 56', holder: 'Agence Owona' }
const PayInstruction = Type.Object(
  {
    method: oneOf(PAYMENT_METHODS, { $id: 'PaymentMethod', description: 'The way to pay.', examples: ['MTN_MOMO'] }),
    number: Type.Optional(Text({ max: 60, description: 'The phone number, account or till to pay to.' })),
    holder: Type.Optional(Text({ max: 120, description: 'The name that the payer sees.' })),
    note: Type.Optional(Text({ max: 300, lines: true, description: 'Further information, such as opening hours.' })),
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

export const Messaging = Type.Object(
  {
    sends: Type.Boolean({ description: 'Whether messages leave by themselves; false: people send them by hand.' }),
    links: Type.Boolean({
      description: 'Whether the links in messages open for everybody: this service is public, and over https.',
    }),
  },
  { $id: 'Messaging', description: 'What becomes of messages here.' },
)
export const PayToChangedOn = Type.Optional({
  ...DateOnly,
  description: 'The day on which where to pay changed; absent if that was more than 30 days ago.',
})

/** What everybody in an organization may know of it. */
export const OrganizationProfile = Type.Object(
  {
    id: Id,
    name: Type.Optional(Name),
    address: Type.Optional(Address),
    phoneNumber: Type.Optional(Type.String({ description: 'The number for tenants.', examples: ['+237677123456'] })),
    timeZone: TimeZone,
    locale: Locale,
    today: { ...DateOnly, description: "The business date, in the organization's time zone." },
    messaging: Messaging,
    payTo: {
      ...PayTo,
      description: 'Where rent is paid; for a tenant, the ways of the property of their newest lease.',
    },
    payToChangedOn: PayToChangedOn,
    places: Type.Optional(
      Type.Array(
        Type.Object({
          propertyId: PropertyId,
          propertyName: PropertyName,
          payTo: {
            ...PayTo,
            description: 'Where rent is paid: at most six ways, in the order in which they are shown.',
          },
          payToChangedOn: PayToChangedOn,
        }),
        { description: 'Each property where the caller rents or still owes rent, and where that rent is paid.' },
      ),
    ),
    requireProof: RequireProof,
    operator: Type.Optional(
      Type.Literal(true, {
        description:
          'true for administrators of the organization that operates the server; they may see its state and backups.',
      }),
    ),
    team: Type.Optional(
      Type.Array(
        Type.Object({ userId: { ...Uuid, description: "The user's id." }, name: Name }, { $id: 'TeamMember' }),
        {
          description:
            'If cash must be confirmed, for landlords only: the people who may have received it. These are managers and administrators, and for these also the owners; the first 50.',
        },
      ),
    ),
  },
  { $id: 'OrganizationProfile' },
)

export const Organization = Type.Object(
  {
    id: { ...Id, examples: OrgId.examples },
    name: Type.Optional(
      Type.String({ description: 'The name on papers and messages.', examples: ['Wouri Gestion Immobilière'] }),
    ),
    address: Type.Optional(Address),
    phoneNumber: Type.Optional(
      Type.String({
        description:
          "The number for tenants, printed on papers and pages beside the name; if absent, the owner's own number is printed.",
        examples: ['+237677123456'],
      }),
    ),
    niu: Type.Optional(Type.String({ description: "The taxpayer's number.", examples: ['M011912345678K'] })),
    rccm: Type.Optional(Type.String({ description: 'The trade register number.', examples: ['RC/DLA/2019/B/1234'] })),
    tvaRegistered: Type.Boolean({
      description:
        'Whether the organization is registered for VAT, according to the last of tvaChanges if there are any.',
    }),
    tvaChanges: Type.Optional(
      Type.Array(
        Type.Object({
          from: { ...DateOnly, description: 'The first day of the new rate.', examples: ['2026-03-01'] },
          before: Type.Integer({ description: 'The previous rate, in basis points; 0: not registered.' }),
          after: Type.Integer({
            description: 'The rate from this day on, in basis points; 0: no longer registered.',
          }),
        }),
        {
          description:
            'Registrations for VAT and changes of the rate, by day, including future ones and those that the law brings.',
        },
      ),
    ),
    timeZone: TimeZone,
    locale: Locale,
    dueDay: Type.Optional(DueDay),
    issueDaysBefore: Type.Integer({
      description: 'The number of days before a period begins on which its invoice is issued.',
    }),
    requireProof: RequireProof,
    reminderSchedule: Schedule,
    quietHours: QuietHours,
    secondFactor: SecondFactor,
    payTo: { ...PayTo, description: 'Where rent is paid: at most six ways, in the order in which they are shown.' },
    payToChangedAt: Type.Optional({ ...DateTime, description: 'When where to pay last changed.' }),
    messagesPerDay: Type.Optional(MessagesPerDay),
    confirmCash: ConfirmCash,
    country: CountryCode,
    formalNoticeDays: Type.Optional(FormalNoticeDays),
  },
  { $id: 'Organization' },
)
const Rate = Type.Object(
  {
    rule: oneOf(RULES, {
      $id: 'LegalRule',
      description:
        'What the value is of. HOME and BUSINESS: by what is let. OPEN and FIXED: notice to end a lease without and with an end; NOTICE_BUSINESS_FIXED is the time by which the tenant asks for its renewal. MANDATORY_BUSINESS: what no contract can set aside.',
      examples: ['TVA_STANDARD'],
    }),
    name: Type.String({ description: 'The rule in the language of the request.', examples: ['Standard rate of VAT'] }),
    from: Type.Optional({
      ...DateOnly,
      description: 'The first day of the value; absent for what is older than the table.',
    }),
    inForce: Type.Boolean({ description: 'Whether the value holds today; false for an earlier or a coming one.' }),
    value: Type.Optional(
      Type.Integer({ description: 'The value, in `unit`; absent where the law sets none.', examples: [1925] }),
    ),
    unit: oneOf(UNITS, {
      $id: 'LegalUnit',
      description: 'What the value counts; 1925 BASIS_POINTS are 19.25 %.',
      examples: ['BASIS_POINTS'],
    }),
    source: Type.Optional(
      Type.String({
        description: 'The text, its article and the year of the finance law; absent where a lawyer has to check it.',
        examples: ['General Tax Code, art. 87, finance law 2026'],
      }),
    ),
    note: Type.Optional(
      Type.String({ description: 'To whom or what it applies.', examples: ['Social housing, sold or let.'] }),
    ),
    own: Type.Optional(
      Type.Object(
        {
          least: Type.Integer({ description: 'The least value that an organization may set.', examples: [1] }),
          most: Type.Integer({ description: 'The largest.', examples: [90] }),
          value: Type.Optional(
            Type.Integer({ description: 'The value that this organization has set.', examples: [15] }),
          ),
        },
        { description: 'Present where an organization may have a value of its own.' },
      ),
    ),
  },
  { $id: 'LegalValue' },
)
/** What the law of the organization's country says of rent. */
export const Law = Type.Object(
  {
    country: CountryCode,
    name: Type.String({ description: 'The country in the language of the request.', examples: ['Cameroon'] }),
    currency: Type.String({ description: 'The currency of every amount.', examples: ['XAF'] }),
    phonePrefix: Type.String({ description: 'The prefix of numbers of the country.', examples: ['+237'] }),
    mobileMoney: Type.Array(Type.String({ examples: ['MTN MoMo'] }), { description: 'The operators of mobile money.' }),
    taxNumbers: Type.Array(Type.String({ examples: ['NIU'] }), {
      description: "The names of the taxpayer's number and of the company's.",
    }),
    today: { ...DateOnly, description: 'The day for which `inForce` is said, in the time zone of the organization.' },
    values: Type.Array(Rate, { description: 'Every value, earlier and coming ones too.' }),
  },
  { $id: 'Law' },
)

/** The law as one organization reads it on a day. */
export function toLaw(org: OrganizationRow, locale: 'fr' | 'en', today: string): Static<typeof Law> {
  const country = countryOf(org.country)
  const { code, name, currency, phone, mobileMoney, taxNumbers, values } = country
  return {
    country: code,
    name: name[locale],
    currency,
    phonePrefix: `+${phone.code}`,
    mobileMoney: [...mobileMoney],
    taxNumbers: [taxNumbers.taxpayer, taxNumbers.company],
    today,
    values: values.map((one) => {
      const { rule, from, value, unit, source, note, own } = one
      const set = rule === 'FORMAL_NOTICE_HOME' ? org.formalNoticeDays : null
      return {
        rule,
        name: RULE_NAMES[rule][locale],
        ...(from === null ? {} : { from }),
        inForce: valueOn(country, rule, today) === one,
        ...(value === null ? {} : { value }),
        unit,
        ...(source ? { source: sourceText(source, locale) } : {}),
        ...(note ? { note: note[locale] } : {}),
        ...(own ? { own: { ...own, ...(set === null ? {} : { value: set }) } } : {}),
      }
    }),
  }
}

export const OrganizationPatch = Body({
  name: Maybe(
    Text({ max: 200, description: 'The name on papers and messages.', examples: ['Résidence Bonamoussadi'] }),
  ),
  address: Maybe(Text({ max: 300, lines: true, description: 'The postal address, as printed on papers.' })),
  phoneNumber: Maybe(Phone),
  niu: Maybe(Text({ max: 20, description: "The taxpayer's number (NIU)." })),
  rccm: Maybe(Text({ max: 60, description: 'The trade register number.' })),
  tvaRegistered: Type.Optional(
    Type.Boolean({
      description:
        'true registers for VAT at the standard rate from today on, false ends the registration, as tvaChange does.',
    }),
  ),
  tvaChange: Maybe(
    Type.Object(
      {
        from: {
          ...DateOnly,
          description: 'From one year ago to two years ahead, and not before a change in force.',
          examples: ['2026-03-01'],
        },
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
  timeZone: Type.Optional(
    Text({ max: 60, description: 'An IANA name, such as Africa/Douala; it decides the date for leases and invoices.' }),
  ),
  locale: Type.Optional(Locale),
  dueDay: Maybe(DueDay),
  issueDaysBefore: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      description: 'The number of days before a period begins on which its invoice is issued.',
    }),
  ),
  requireProof: Type.Optional(RequireProof),
  reminderSchedule: Maybe(Schedule),
  quietHours: Maybe({ ...QuietHours, description: `${QuietHours.description} Both times are set together.` }),
  payTo: Maybe({
    ...PayTo,
    description: 'Where rent is paid: at most six ways, in the order in which they are shown.',
  }),
  messagesPerDay: Maybe(MessagesPerDay),
  confirmCash: Type.Optional(ConfirmCash),
  formalNoticeDays: Maybe(FormalNoticeDays),
  secondFactor: Type.Optional(SecondFactor),
})
export type OrganizationPatch = Static<typeof OrganizationPatch>

export function toOrganization(org: OrganizationRow): Static<typeof Organization> {
  const { version: _v, createdAt: _c, updatedAt: _u, remindedOn: _r, quietFrom: _f, quietTo: _t, ...row } = org
  const tvaChanges = tvaChangesOf(org)
  return {
    ...dto({ ...row, tvaChanges: null }),
    ...(tvaChanges.length > 0 ? { tvaChanges } : {}),
    payTo: [...(row.payTo ?? [])],
    reminderSchedule: [...remindersOf(org)],
    quietHours: quietHoursOf(org),
  }
}
