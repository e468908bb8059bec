import { Kind, type Static, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { Body, DateTime, Email, Maybe, PersonName, Phone, StrictPhone, Text } from '../../../http/schema.ts'
import { AnyCode, ChallengeId, Channel, Code } from '../codes/model.ts'

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

export const ChangePassword = Body({ currentPassword: Type.String({ maxLength: 1024 }), newPassword: Password })
export const Session = Type.Object(
  { id: Type.String(), signedInAt: DateTime, expiresAt: DateTime, current: Type.Boolean() },
  { $id: 'Session' },
)

const described = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description })

export const NewPhone = Body(
  {
    newPhoneNumber: StrictPhone,
    channel: Channel,
    currentPassword: Maybe(
      Type.String({
        maxLength: 1024,
        description:
          'The password, if the sign-in is older than five minutes. Wrong passwords count as they do at sign-in. Not with an external identity provider.',
      }),
    ),
    oldNumberChallengeId: Maybe(
      described(ChallengeId, 'Instead of the password: the challenge of POST /api/v1/account/phone/old-number/otp.'),
    ),
    oldNumberCode: Maybe(described(Code, 'The six digits that were sent to the present number.')),
  },
  { examples: [{ newPhoneNumber: '+237699887766' }] },
)
export const OnFile = Body({ channel: Channel })
export const VerifyCode = Body({ challengeId: ChallengeId, code: Code })
