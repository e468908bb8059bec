import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/cache.ts'
import { Body, DateTime, Locale, Maybe, oneOf, Uuid } from '../../../http/schema.ts'
import { MANUAL_STEPS, STEPS, WITHHELD } from './rules.ts'
import type { NoticeRow } from './store.ts'

const Forward = {
  text: Type.Optional(
    Type.String({
      description:
        'The message, in the language of the tenant: with NONE or dryRun, and where `withheld` says that nothing was sent.',
    }),
  ),
  link: Type.Optional(
    Type.String({
      format: 'uri',
      description: 'The link in the text, where it is yours to send: it shows the invoice.',
    }),
  ),
  forwardUrl: Type.Optional(
    Type.String({
      format: 'uri',
      description: "Opens WhatsApp with the text, written to the tenant's number: present where it is yours to send.",
    }),
  ),
}

export const Notice = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    bookingId: Uuid,
    invoiceId: Uuid,
    step: oneOf(STEPS, {
      description:
        'RENT_CALL when the invoice is issued; UPCOMING, DUE, REMINDER and FINAL by the schedule or by hand; FORMAL_NOTICE (mise en demeure) by hand only.',
    }),
    amount: Type.Integer({
      description:
        'What the message asks for: what was open of the invoice when it was sent, with all that was overdue on the lease; of a FORMAL_NOTICE what was overdue alone. Once the lease has ended, less the deposit held; 0 for a RENT_CALL that the deposit covers.',
    }),
    currency: Type.String(),
    locale: Locale,
    maskedDestination: Type.String(),
    sentBy: Type.Optional(Type.String({ format: 'uuid', description: 'Who sent it by hand.' })),
    linkExpiresAt: DateTime,
    linkRevokedAt: Type.Optional(DateTime),
    withheld: Type.Optional(
      oneOf(WITHHELD, {
        description:
          'Present where no message went out: NUMBER_NOT_ALLOWED, the number is outside of the prefixes that the operator allows; BUDGET_SPENT, the messages of today and of the next two days are spent; NO_VENDOR, nobody sends messages from here. Tell the tenant by yourself: a reminder by hand answers text and link for it.',
      }),
    ),
    sendAfter: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          "When the message goes out, where today's messages were spent; absent for one that went out at once.",
      }),
    ),
    createdAt: DateTime,
    ...Forward,
  },
  { $id: 'Notice' },
)
export type Notice = Static<typeof Notice>

export const Remind = Body(
  {
    step: Maybe(oneOf(MANUAL_STEPS, { $id: 'ManualReminderStep' })),
    channel: Maybe(oneOf(['WHATSAPP', 'SMS'] as const)),
  },
  { $id: 'InvoiceReminder', examples: [{ step: 'FINAL' }] },
)
const MOST_AT_ONCE = 200
export const RemindMany = Body(
  {
    invoiceIds: Type.Array(Uuid, {
      minItems: 1,
      maxItems: MOST_AT_ONCE,
      description: 'The invoices whose tenants are reminded; one that is named twice counts once.',
    }),
    step: Maybe(oneOf(MANUAL_STEPS, { $id: 'ManualReminderStep' })),
    channel: Maybe(
      oneOf(['WHATSAPP', 'SMS', 'NONE'] as const, {
        description: 'NONE sends nothing: text and link are answered, for a message that you send yourself.',
      }),
    ),
    dryRun: Type.Optional(
      Type.Boolean({ description: 'Only tried: nothing is sent or kept, the text is answered. false when not given.' }),
    ),
  },
  { $id: 'Reminders', examples: [{ invoiceIds: ['019cd6c2-8c00-70a1-8b9a-78c04e0842c8'], step: 'REMINDER' }] },
)
export type RemindMany = Static<typeof RemindMany>

export const Reminded = Type.Object(
  {
    invoiceId: Uuid,
    noticeId: Type.Optional(Type.String({ format: 'uuid', description: 'The notice that was made.' })),
    step: Type.Optional(oneOf(MANUAL_STEPS, { description: 'Which reminder it is.' })),
    withheld: Type.Optional(oneOf(WITHHELD, { description: 'Why no message goes out, as in the notice.' })),
    sendAfter: Type.Optional(DateTime),
    ...Forward,
    problem: Type.Optional(
      Type.Object(
        {
          code: Type.String({ description: 'The code of the refusal.' }),
          detail: Type.String({ description: 'Why this one was not reminded, in a sentence.' }),
        },
        { description: 'Present where the tenant was not reminded; the others were.' },
      ),
    ),
  },
  { $id: 'Reminded' },
)
export type Reminded = Static<typeof Reminded>

export type Remind = Static<typeof Remind>

export const toNotice = ({ once: _o, sentOn: _s, updatedAt: _u, version: _v, ...row }: NoticeRow): Notice => dto(row)
