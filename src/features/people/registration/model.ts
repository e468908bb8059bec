import { Kind, type Static, Type, TypeRegistry } from '@sinclair/typebox'
import { Body, DateTime, Email, Maybe, PersonName, Phone, Text } from '../../../http/schema.ts'
import { AnyCode, ChallengeId, Channel } from '../challenges/model.ts'

// Lengths count code points after NFKC, so the service checks them with the other rules of weak_password.
TypeRegistry.Set('Password', (_s, value) => typeof value === 'string' && value.length > 0 && value.length <= 1024)
export const Password = Type.Unsafe<string>({
  [Kind]: 'Password',
  type: 'string',
  minLength: 8,
  maxLength: 128,
  description: '8 to 128 characters; common passwords and keyboard sequences are refused.',
})
export const OtpRequest = Body(
  { phoneNumber: Phone, channel: Channel },
  { examples: [{ phoneNumber: '+237677123456' }] },
)
export const OtpVerify = Body({ challengeId: ChallengeId, code: AnyCode })
export const Ticket = Type.Object({ ticket: Type.String(), expiresAt: DateTime }, { $id: 'RegistrationTicket' })
export const Completion = Body({
  ticket: Text({ max: 200 }),
  firstName: PersonName,
  lastName: PersonName,
  password: Password,
  acceptedTermsVersion: Text({ max: 60 }),
  acceptedPrivacyVersion: Text({ max: 60 }),
  email: Maybe(Email),
})
export type Completion = Static<typeof Completion>
export const Registered = Type.Object({ userId: Type.String(), username: Type.String() }, { $id: 'Registered' })
