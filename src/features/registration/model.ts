import { type Static, Type } from '@sinclair/typebox'
import { Body, DateTime, Email, Maybe, Phone, Text } from '../../http/schema.ts'
import { ChallengeId, Channel, Code } from '../challenges/model.ts'

/** Lengths in code points after NFKC; the common ones are refused by name (weak_password). */
export const Password = Type.String({ minLength: 1, maxLength: 1024, description: '8 to 128 characters.' })
export const OtpRequest = Body(
  { phoneNumber: Phone, channel: Channel },
  { examples: [{ phoneNumber: '+237677123456' }] },
)
export const OtpVerify = Body({ challengeId: ChallengeId, code: Code })
export const Ticket = Type.Object({ ticket: Type.String(), expiresAt: DateTime }, { $id: 'RegistrationTicket' })
export const Completion = Body({
  ticket: Text({ max: 200 }),
  firstName: Text({ max: 100 }),
  lastName: Text({ max: 100 }),
  password: Password,
  acceptedTermsVersion: Text({ max: 60 }),
  acceptedPrivacyVersion: Text({ max: 60 }),
  email: Maybe(Email),
})
export type Completion = Static<typeof Completion>
export const Registered = Type.Object({ userId: Type.String(), username: Type.String() }, { $id: 'Registered' })
