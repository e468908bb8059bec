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
  token: Text({ max: 200 }),
  organizationName: Text({ max: 200 }),
  firstName: PersonName,
  lastName: PersonName,
  phoneNumber: Phone,
  password: Password,
  locale: Locale,
  sampleData: Maybe(Type.Boolean()),
})
export type SetupBody = Static<typeof SetupBody>
export const SetUp = Type.Object(
  {
    organizationId: Uuid,
    userId: Type.String(),
    username: Type.String({ description: 'The phone number to sign in with.' }),
  },
  { $id: 'SetUp' },
)
