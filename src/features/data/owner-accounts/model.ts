import { type Static, Type } from '@sinclair/typebox'
import { DateOnly, oneOf, Uuid } from '../../../http/schema.ts'
import { Name } from '../figures/model.ts'

export const AccountRow = Type.Object(
  {
    propertyId: Uuid,
    propertyName: Name,
    happenedOn: { ...DateOnly, description: 'The day of the line; for sums, the first or the last day of the time.' },
    line: oneOf(['CARRIED', 'COLLECTED', 'MANAGEMENT_FEE', 'MANAGEMENT_FEE_TVA', 'EXPENSE', 'TRANSFER'] as const, {
      $id: 'OwnerAccountLine',
      description:
        'CARRIED: the balance before `from`, since the first fee. COLLECTED: `ownerAmount` of the owner statement. MANAGEMENT_FEE and its VAT. EXPENSE: paid by the management. TRANSFER: transferred to the owner.',
    }),
    kind: Type.Optional(Type.String({ description: 'For an expense its kind; for a transfer the way it was paid.' })),
    label: Type.Optional(Type.String({ description: 'The supplier, the reference or the note.' })),
    dueAmount: Type.Integer({ description: 'The amount due to the owner; negative if it is deducted. In XAF.' }),
  },
  { $id: 'OwnerAccountRow' },
)
export type AccountRow = Static<typeof AccountRow>
