import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/cache.ts'
import { Amount, Body, Currency, DateOnly, DateTime, Maybe, oneOf, Text, Uuid } from '../../../http/schema.ts'
import { PhoneChallenge } from '../../people/challenges/model.ts'
import { RENT_CHANGE_STATUS } from './rules.ts'
import type { RentChangeRow } from './store.ts'

export const RentChange = Type.Object(
  {
    id: Uuid,
    orgId: Uuid,
    bookingId: Uuid,
    from: { ...DateOnly, description: 'The first day of the new rent; it is the first day of a rent period.' },
    rentAmount: Type.Integer({ description: 'Net rent of a month from that day on. In XAF.' }),
    previousAmount: Type.Integer({ description: 'Net rent of a month until the day before. In XAF.' }),
    reason: Type.Optional(Type.String()),
    status: oneOf(RENT_CHANGE_STATUS, {
      description:
        'PROPOSED: waits for the tenant’s signature and has no effect yet · SCHEDULED: takes effect on its day · IN_FORCE: its day has come · CANCELLED: by the landlord, or declined by the tenant (declinedAt).',
    }),
    needsAgreement: Type.Boolean({ description: 'Whether it takes effect only once the tenant has signed.' }),
    documentId: { ...Uuid, description: 'Its paper, a LEASE_NOTICE: RENT_CHANGE, RIDER, or RIDER_SIGNED once signed.' },
    createdBy: Uuid,
    signedBy: Type.Optional({ ...Uuid, description: 'The tenant’s account that signed by code.' }),
    signedName: Type.Optional(Type.String({ description: 'The name as the signer typed it.' })),
    signedAt: Type.Optional(DateTime),
    channel: Type.Optional(PhoneChallenge.properties.channel),
    maskedNumber: Type.Optional(Type.String({ description: 'The number on file that the code was sent to.' })),
    mediaObjectId: Type.Optional({ ...Uuid, description: 'The scan of the rider signed on paper.' }),
    createdAt: DateTime,
    cancelledAt: Type.Optional(DateTime),
    declinedAt: Type.Optional({
      ...DateTime,
      description: 'When the tenant declined to sign it; since then it is CANCELLED.',
    }),
    declinedReason: Type.Optional(Type.String({ description: 'The reason, in the tenant’s words.' })),
  },
  { $id: 'RentChange' },
)
export type RentChange = Static<typeof RentChange>

export const RentChangeCreate = Body(
  {
    from: {
      ...DateOnly,
      description: 'The first day of a rent period: the current one, or a later one within five years.',
    },
    rentAmount: Amount,
    rentCurrency: Maybe(Currency),
    reason: Maybe(Text({ max: 500, lines: true })),
    confirm: Maybe(
      Type.Boolean({
        description: 'Must be true if periods from that day on are already paid; they keep the rent that was paid.',
      }),
    ),
  },
  { $id: 'RentChangeCreate', examples: [{ from: '2026-04-01', rentAmount: 90000, reason: 'Révision annuelle' }] },
)
export type RentChangeCreate = Static<typeof RentChangeCreate>

export const RentDecline = Body(
  { reason: Maybe(Text({ max: 500, lines: true })) },
  { $id: 'RentChangeDecline', examples: [{ reason: 'La hausse est trop forte pour nous.' }] },
)
export type RentDecline = Static<typeof RentDecline>

export const toRentChange = ({ fromDate, ...row }: RentChangeRow): RentChange => ({
  from: fromDate,
  ...dto(row, 'updatedAt', 'version'),
})
