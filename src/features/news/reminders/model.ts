import { type Static, Type } from '@sinclair/typebox'
import { Body, DateTime, dto, Locale, Maybe, oneOf, Uuid } from '../../../http/schema.ts'
import { MANUAL_STEPS, STEPS, WITHHELD } from './rules.ts'
import type { NoticeRow } from './store.ts'

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
        'What was open of the invoice when it was sent; with a FORMAL_NOTICE all that was overdue on the lease.',
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
          'Present where no message went out: NUMBER_NOT_ALLOWED, the number is outside of the prefixes that the operator allows; BUDGET_SPENT, the messages of today and of the next two days are spent. Tell the tenant by yourself.',
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
export type Remind = Static<typeof Remind>

export const toNotice = ({ once: _o, sentOn: _s, updatedAt: _u, version: _v, ...row }: NoticeRow): Notice => dto(row)
