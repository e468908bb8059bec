import { type Static, Type } from '@sinclair/typebox'
import { dto } from '../../../http/json.ts'
import { CreatedAt, CurrencyCode, Id, OrgId, PropertyId, PropertyName, RecordedBy } from '../../../http/members.ts'
import { Body, Currency, DateOnly, Maybe, oneOf, PositiveAmount, Text, Uuid } from '../../../http/schema.ts'
import { TRANSFER_METHODS, TRANSFER_STATUS } from './rules.ts'
import type { TransferRow } from './store.ts'

const Method = oneOf(TRANSFER_METHODS, {
  $id: 'OwnerTransferMethod',
  description: 'The way it was transferred.',
  examples: ['MTN_MOMO'],
})

export const OwnerTransfer = Type.Object(
  {
    id: Id,
    orgId: OrgId,
    propertyId: PropertyId,
    ownerUserId: { ...Uuid, description: 'The owner of the property.' },
    amount: PositiveAmount,
    currency: CurrencyCode,
    method: Method,
    paidOn: { ...DateOnly, description: 'The day of the transfer.', examples: ['2026-03-04'] },
    reference: Type.Optional(
      Type.String({ description: 'The number of the transaction or of the cheque.', examples: ['7712345678'] }),
    ),
    note: Type.Optional(Type.String({ description: 'A note in your own words.' })),
    status: oneOf(TRANSFER_STATUS, {
      $id: 'RecordStatus',
      description: 'CANCELLED: it no longer counts anywhere.',
    }),
    recordedBy: RecordedBy,
    createdAt: CreatedAt,
    propertyName: Type.Optional(PropertyName),
  },
  { $id: 'OwnerTransfer', description: 'Money that the management transferred to the owner of a property.' },
)

export const OwnerTransferCreate = Body(
  {
    propertyId: PropertyId,
    amount: PositiveAmount,
    currency: Maybe({ ...Currency, description: 'The currency of the amounts: XAF.' }),
    method: Method,
    paidOn: { ...DateOnly, description: 'Today, or a day of the last ten years.', examples: ['2026-03-04'] },
    reference: Maybe({
      ...Text({ max: 100 }),
      description: 'The number of the transaction or of the cheque; once only for each property and method.',
    }),
    note: Maybe(Text({ max: 500, lines: true, description: 'A note in your own words.' })),
  },
  {
    examples: [
      {
        propertyId: '0190a5f0-0000-7000-8000-000000000001',
        amount: 405000,
        method: 'MTN_MOMO',
        paidOn: '2026-03-31',
        reference: '7712345678',
      },
    ],
  },
)
export type OwnerTransferCreate = Static<typeof OwnerTransferCreate>

export const toTransfer = (row: TransferRow) => dto(row, 'updatedAt', 'version')
