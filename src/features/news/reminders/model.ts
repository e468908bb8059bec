import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import {
  BookingId,
  CreatedAt,
  CurrencyCode,
  Id,
  InvoiceId,
  OrgId,
  PropertyName,
  UnitLabel,
} from '../../../http/members.ts'
import { Body, DateOnly, DateTime, Locale, Maybe, oneOf, Uuid } from '../../../http/schema.ts'
import { MESSAGE_STATUS, WITHHELD } from '../../people/messages/rules.ts'
import { HANDLINGS, MANUAL_STEPS, MOST_IN_OUTBOX, OUTBOX_DAYS, STEPS } from './rules.ts'
import type { RentMessageRow } from './store.ts'

const Forward = {
  text: Type.Optional(
    Type.String({
      description:
        'The message, in the language of the tenant; returned with NONE or dryRun, and if `withheld` says that nothing was sent.',
      examples: [
        'You have received 85,000 XAF from NGO BASSA MARIE (237677123456) on your mobile money account at 2026-03-05 16:30:51. Your new balance: 112,500 XAF. Financial Transaction Id: 7712345678.',
      ],
    }),
  ),
  link: Type.Optional(
    Type.String({
      format: 'uri',
      description: 'The link in the text, which shows the invoice; present if you are to send it yourself.',
    }),
  ),
  forwardUrl: Type.Optional(
    Type.String({
      format: 'uri',
      description:
        "A link that opens WhatsApp with the text, addressed to the tenant's number; present if you are to send it yourself.",
    }),
  ),
}

export const RentMessage = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    bookingId: BookingId,
    invoiceId: InvoiceId,
    step: oneOf(STEPS, {
      description:
        'RENT_CALL: when the invoice is issued. UPCOMING, DUE, REMINDER and FINAL: by the schedule or by hand. FORMAL_NOTICE (mise en demeure): by hand only.',
    }),
    amount: Type.Integer({
      description:
        'The amount that the message asks for: the open amount of the invoice when it was sent, with everything overdue on the lease; for a FORMAL_NOTICE only what was overdue. Once the lease has ended, less the deposit held; 0 for a RENT_CALL that the deposit covers.',
      examples: [85_000],
    }),
    currency: CurrencyCode,
    locale: Locale,
    maskedDestination: Type.String({
      description: 'The number that the code was sent to; all but the last digits are hidden.',
      examples: ['+237 *** *** 456'],
    }),
    sentBy: Type.Optional(Type.String({ format: 'uuid', description: 'The user who sent it by hand.' })),
    linkExpiresAt: { ...DateTime, description: 'When the link in the message to the invoice expires.' },
    linkRevokedAt: Type.Optional({ ...DateTime, description: 'When the link was revoked.' }),
    withheld: Type.Optional(
      oneOf(WITHHELD, {
        description:
          'Present if no message was sent. NUMBER_NOT_ALLOWED: the number is outside the prefixes that the operator allows. BUDGET_SPENT: the messages of today and of the next two days are used up. NO_VENDOR: no messaging vendor is configured here. Inform the tenant yourself: a reminder by hand returns the text and link for it.',
      }),
    ),
    sendAfter: Type.Optional(
      Type.String({
        format: 'date-time',
        description: "When the message will be sent, if today's messages are used up; absent if it was sent at once.",
      }),
    ),
    handling: Type.Optional(
      oneOf(HANDLINGS, {
        $id: 'MessageHandling',
        description:
          'For a message that was not sent from here: what a person did with it. OPENED: in WhatsApp. SENT_BY_HAND: sent, as they say. SKIPPED: not to be sent. Absent while it waits.',
      }),
    ),
    handledAt: Type.Optional({ ...DateTime, description: 'When they said so.' }),
    handledBy: Type.Optional(Type.String({ format: 'uuid', description: 'The user who did.' })),
    handledByName: Type.Optional(Type.String({ description: 'Their name, in lists.', examples: ['Odile Owona'] })),
    delivery: Type.Optional(
      oneOf(MESSAGE_STATUS, {
        $id: 'MessageDelivery',
        description: 'For a message that was sent from here, in lists: how far it has come.',
      }),
    ),
    createdAt: CreatedAt,
    ...Forward,
  },
  { $id: 'RentMessage' },
)
export type RentMessage = Static<typeof RentMessage>

const Count = Type.Integer({ minimum: 0 })
const OutboxEntry = Type.Object(
  {
    to: Type.Object(
      {
        name: Type.String({ description: 'The name of the tenant.', examples: ['Ngo Bassa Marie-Claire'] }),
        phoneNumber: Type.String({ description: 'In international form.', examples: ['+237677123456'] }),
      },
      { description: 'Whom the message is for.' },
    ),
    status: oneOf(['WAITING', 'OPENED', 'SENT_BY_HAND'] as const, {
      $id: 'OutboxStatus',
      description: 'SENT_BY_HAND: today, as the person who sent it says.',
    }),
    text: Type.String({
      description: 'What is owed now, in the language of the tenant.',
      examples: ['Le loyer pour A1, Villa, n’est pas encore réglé\u00a0: il reste 85\u202f000\u00a0FCFA.'],
    }),
    forwardUrl: Type.String({
      format: 'uri',
      description: 'Opens WhatsApp on a chat with the tenant, with the text.',
      examples: ['https://wa.me/237677123456?text=Bonjour'],
    }),
    handledAt: Type.Optional({ ...DateTime, description: 'When it was opened or sent.' }),
    messages: Type.Array(
      Type.Object({
        id: Id,
        step: oneOf(STEPS, { description: 'The step of the reminder.' }),
        bookingId: BookingId,
        invoiceId: InvoiceId,
        propertyName: PropertyName,
        unitLabel: UnitLabel,
        amount: { ...Count, description: 'The amount that it asks for. In XAF.', examples: [85_000] },
        daysLate: Type.Optional({ ...Count, description: 'Days since the due date of the invoice.', examples: [22] }),
        preparedAt: { ...DateTime, description: 'When it was prepared.' },
      }),
      { description: 'The messages that the text is of.' },
    ),
  },
  { $id: 'OutboxEntry' },
)
export type OutboxEntry = Static<typeof OutboxEntry>
export const Outbox = Type.Object(
  {
    today: { ...DateOnly, description: "Today in the organization's time zone." },
    waiting: { ...Count, description: 'How many messages wait, or are opened.', examples: [5] },
    entries: Type.Array(OutboxEntry, {
      maxItems: MOST_IN_OUTBOX,
      description: `By person, the oldest first. A newer message about a lease replaces an older one; a payment or a declaration takes it away, and so do ${OUTBOX_DAYS} days.`,
    }),
  },
  { $id: 'Outbox', description: 'Messages about rent that are to be sent by hand.' },
)
export type Outbox = Static<typeof Outbox>
export const HandleMessage = Body(
  {
    status: oneOf([...HANDLINGS, 'WAITING'] as const, {
      $id: 'MessageHandled',
      description: 'What you did with the message; WAITING: nothing yet.',
    }),
  },
  { $id: 'HandleMessage', examples: [{ status: 'SENT_BY_HAND' }] },
)

export const Remind = Body(
  {
    step: Maybe(
      oneOf(MANUAL_STEPS, {
        $id: 'ManualReminderStep',
        description: 'The step of the reminder; decided by the due date if omitted.',
      }),
    ),
    channel: Maybe(
      oneOf(['WHATSAPP', 'SMS'] as const, {
        description: 'The channel of the message; if omitted, WhatsApp, then SMS if WhatsApp does not arrive.',
      }),
    ),
  },
  { $id: 'InvoiceReminder', examples: [{ step: 'FINAL' }] },
)
const MOST_AT_ONCE = 200
export const RemindMany = Body(
  {
    invoiceIds: Type.Array(Uuid, {
      minItems: 1,
      maxItems: MOST_AT_ONCE,
      description: 'The invoices whose tenants are reminded; an invoice named twice counts once.',
    }),
    step: Maybe(
      oneOf(MANUAL_STEPS, {
        $id: 'ManualReminderStep',
        description: 'The step of the reminder; decided by the due date if omitted.',
      }),
    ),
    channel: Maybe(
      oneOf(['WHATSAPP', 'SMS', 'NONE'] as const, {
        description: 'NONE sends nothing: the answer has the text and link, for a message that you send yourself.',
      }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({
        description: 'Only check: nothing is sent or stored, and the text is returned. false if omitted.',
      }),
    ),
  },
  { $id: 'Reminders', examples: [{ invoiceIds: ['019cd6c2-8c00-70a1-8b9a-78c04e0842c8'], step: 'REMINDER' }] },
)
export type RemindMany = Static<typeof RemindMany>

export const Reminded = Type.Object(
  {
    invoiceId: InvoiceId,
    messageId: Type.Optional(Type.String({ format: 'uuid', description: 'The message that was made.' })),
    step: Type.Optional(oneOf(MANUAL_STEPS, { description: 'The step of the reminder.' })),
    withheld: Type.Optional(
      oneOf(WITHHELD, { description: 'Why no message is sent, as in the answer for one invoice.' }),
    ),
    sendAfter: Type.Optional({
      ...DateTime,
      description: 'When the message is sent, if it waits for the end of quiet hours or for the next day.',
    }),
    ...Forward,
    problem: Type.Optional(
      Type.Object(
        {
          code: Type.String({ description: 'The code of the refusal.', examples: ['invalid_state'] }),
          detail: Type.String({
            description: 'Why this reminder was not sent, in a sentence.',
            examples: ['This is not possible in the present state.'],
          }),
        },
        { description: 'Present if the tenant was not reminded; the other reminders were sent.' },
      ),
    ),
  },
  { $id: 'Reminded' },
)
export type Reminded = Static<typeof Reminded>

export type Remind = Static<typeof Remind>

export const toRentMessage = ({
  once: _o,
  sentOn: _s,
  updatedAt: _u,
  version: _v,
  ...row
}: RentMessageRow): RentMessage => dto(row)
