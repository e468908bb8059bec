import { type Static, Type } from '@sinclair/typebox'
import { Body } from '../../../http/schema.ts'

export const Closing = Body(
  {
    password: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'The password, to confirm; not needed with an external identity provider.',
        examples: ['trois mangues mûres'],
      }),
    ),
  },
  { examples: [{ password: 'trois mangues mûres' }] },
)
export type Closing = Static<typeof Closing>
