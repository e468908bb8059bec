import { type Static, Type } from '@sinclair/typebox'
import { Body, Locale, Maybe, PersonName, Phone, Text, Uuid } from '../../../http/schema.ts'
import { Password } from '../../people/registration/model.ts'

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
    username: Type.String({ description: 'The number, which signs in.' }),
  },
  { $id: 'SetUp' },
)
