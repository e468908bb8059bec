import { type Static, Type } from '@sinclair/typebox'
import { Body, Locale, Maybe, PersonName, Phone, Text, Uuid } from '../../../http/schema.ts'
import { Password } from '../../people/accounts/model.ts'

/** The first run of a server: open until somebody has an account. */
export type Setup = {
  readonly isOpen: () => boolean
  /** Makes the link's token, which replaces an earlier one; undefined when nothing is left to set up. */
  readonly begin: () => Promise<string | undefined>
  /** Whether this is the token of the link. */
  readonly fits: (token: string) => boolean
  /** Runs one at a time. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

export const SetupBody = Body({
  token: Text({
    max: 200,
    description: 'The part after the # of the link that `loyer serve` prints.',
    examples: ['qM3p0Yc1hV8xUOq5cN2mB7r4sT9wZ6aLk1JdEfGhIjK'],
  }),
  organizationName: Text({
    max: 200,
    description: "The organization's name, as printed on leases and receipts.",
    examples: ['Agence Bonamoussadi'],
  }),
  firstName: { ...PersonName, description: 'First names.', examples: ['Étienne'] },
  lastName: { ...PersonName, description: 'Family name.', examples: ['Mbarga'] },
  phoneNumber: Phone,
  password: { ...Password, examples: ['trois mangues mûres'] },
  locale: Locale,
  sampleData: Maybe(
    Type.Boolean({
      description: 'Adds a sample building with tenants and rents, which `DELETE /api/v1/admin/sample-data` removes.',
    }),
  ),
})
export type SetupBody = Static<typeof SetupBody>
export const SetUp = Type.Object(
  {
    organizationId: { ...Uuid, description: 'The organization.' },
    userId: Type.String({ description: "The user's id.", examples: ['01985f3a-7c00-7000-8000-000000000003'] }),
    username: Type.String({ description: 'The phone number to sign in with.', examples: ['+237677123456'] }),
  },
  { $id: 'SetUp' },
)
