import { Kind, type Static, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { ExpiresAt, Id } from '../../../http/members.ts'
import {
  Body,
  DateTime,
  Email,
  Maybe,
  oneOf,
  PersonName,
  Phone,
  StrictPhone,
  Text,
  Uuid,
} from '../../../http/schema.ts'
import { AnyCode, ChallengeId, Channel, Code } from '../codes/model.ts'
import { RECOVERY_KINDS, RECOVERY_STATUS } from '../codes/rules.ts'

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
  {
    phoneNumber: Phone,
    channel: Channel,
  },
  { examples: [{ phoneNumber: '+237677123456' }] },
)
export const OtpVerify = Body({
  challengeId: ChallengeId,
  code: AnyCode,
})
export const Ticket = Type.Object(
  {
    ticket: Type.String({
      description: 'Completes one registration; valid for 15 minutes.',
      examples: ['7hWm0kq1rXy2Zb3Nc4Vd5Lf6Gs7Hj8Kp9Qa0Ws1Ed2R'],
    }),
    expiresAt: ExpiresAt,
  },
  { $id: 'RegistrationTicket' },
)
export const Completion = Body({
  ticket: Text({
    max: 200,
    description: 'Completes one registration; valid for 15 minutes.',
    examples: ['7hWm0kq1rXy2Zb3Nc4Vd5Lf6Gs7Hj8Kp9Qa0Ws1Ed2R'],
  }),
  firstName: { ...PersonName, description: 'First names.', examples: ['Étienne'] },
  lastName: { ...PersonName, description: 'Family name.', examples: ['Mbarga'] },
  password: { ...Password, examples: ['trois mangues mûres'] },
  acceptedTermsVersion: Text({
    max: 60,
    description: 'The version of the terms that the user accepted: the one in force.',
    examples: ['2026-01-15'],
  }),
  acceptedPrivacyVersion: Text({
    max: 60,
    description: 'The version of the privacy statement that the user read: the one in force.',
    examples: ['2026-01-15'],
  }),
  email: Maybe({ ...Email, description: 'The e-mail address; nothing is sent to it.' }),
})
export type Completion = Static<typeof Completion>
export const Registered = Type.Object(
  {
    userId: Type.String({ description: "The user's id.", examples: ['01985f3a-7c00-7000-8000-000000000003'] }),
    username: Type.String({ description: 'The name to sign in with: the phone number.', examples: ['+237677123456'] }),
  },
  { $id: 'Registered' },
)

export const ChangePassword = Body({
  currentPassword: Type.String({
    maxLength: 1024,
    description: 'The current password.',
    examples: ['un vieux cahier bleu'],
  }),
  newPassword: { ...Password, examples: ['trois mangues mûres'] },
})
export const Session = Type.Object(
  {
    id: Type.String({ description: 'The id; it is never reused.', examples: ['b5d1c7a0e4f24c7f9a3b6d8e0f1a2c3d'] }),
    signedInAt: { ...DateTime, description: 'When the session began.' },
    expiresAt: ExpiresAt,
    current: Type.Boolean({ description: 'Whether it is the session of this request.', examples: [true] }),
  },
  { $id: 'Session' },
)

const described = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description })

export const NewPhone = Body(
  {
    newPhoneNumber: { ...StrictPhone, description: 'The number to sign in with from now on, in international form.' },
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
export const OnFile = Body({
  channel: Channel,
})
export const VerifyCode = Body({
  challengeId: ChallengeId,
  code: Code,
})

export const RecoveryCode = Type.Object(
  {
    code: Type.String({
      description: 'Twelve digits, shown only this once: hand them over in person.',
      examples: ['482913077425'],
    }),
    expiresAt: ExpiresAt,
    effectiveAt: Type.Optional({
      ...DateTime,
      description: 'The code of an ADMIN opens nothing before, unless they confirm it; absent: valid at once.',
    }),
  },
  { $id: 'RecoveryCode' },
)
export const Recovery = Type.Object(
  {
    id: Id,
    kind: oneOf(RECOVERY_KINDS, {
      description: 'RECOVERY_CODE: a code for a new password. SECOND_FACTOR: the second factor is removed.',
    }),
    status: oneOf(RECOVERY_STATUS, {
      description: 'PENDING: can still be stopped. EFFECTIVE: confirmed, used or carried out. STOPPED: void.',
    }),
    userId: { ...Uuid, description: 'Whose account it is about.' },
    userName: Type.String({
      description: 'Their name, else the last digits of their number.',
      examples: ['Ngo Bassa Marie-Claire'],
    }),
    askedBy: { ...Uuid, description: 'The ADMIN who asked for it.' },
    askedByName: Type.String({
      description: 'Their name, else the last digits of their number.',
      examples: ['Mbarga Étienne'],
    }),
    askedAt: { ...DateTime, description: 'When it was asked for.' },
    effectiveAt: { ...DateTime, description: 'When it takes effect, unless it is confirmed or stopped before.' },
  },
  { $id: 'Recovery' },
)
