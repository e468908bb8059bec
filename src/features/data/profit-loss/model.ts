import { type Static, Type } from '@sinclair/typebox'
import { oneOf, Uuid } from '../../../http/schema.ts'
import { Expense } from '../../money/expenses/model.ts'
import { Name } from '../figures/model.ts'

export const ProfitRow = Type.Object(
  {
    propertyId: Uuid,
    propertyName: Name,
    line: oneOf(
      [
        'RECEIVED',
        'REFUNDED',
        'SET_OFF',
        'DEPOSITS_KEPT',
        'TENANT_CREDIT',
        'MANAGEMENT_FEE',
        'MANAGEMENT_FEE_TVA',
        'COST',
      ] as const,
      {
        $id: 'ProfitLine',
        description:
          'RECEIVED, REFUNDED, SET_OFF, DEPOSITS_KEPT and TENANT_CREDIT add up to `ownerAmount` of the owner statement. COST: the expenses of a kind, whoever paid.',
      },
    ),
    kind: Type.Optional({ ...Expense.properties.kind, description: 'For expenses: their kind.' }),
    resultAmount: Type.Integer({ description: 'Negative for a cost. In XAF.' }),
  },
  { $id: 'ProfitLossRow' },
)
export type ProfitRow = Static<typeof ProfitRow>
