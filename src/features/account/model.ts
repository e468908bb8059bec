import { Type } from '@sinclair/typebox'
import { Body, DateTime, Phone } from '../../http/schema.ts'
import { ChallengeId, Channel, Code } from '../challenges/model.ts'
import { Password } from '../registration/model.ts'

export const NewPhone = Body(
  { newPhoneNumber: Phone, channel: Channel },
  { examples: [{ newPhoneNumber: '+237699887766' }] },
)
export const OnFile = Body({ channel: Channel })
export const VerifyCode = Body({ challengeId: ChallengeId, code: Code })
export const ChangePassword = Body({ currentPassword: Type.String({ maxLength: 1024 }), newPassword: Password })
export const Session = Type.Object(
  { id: Type.String(), signedInAt: DateTime, expiresAt: DateTime, current: Type.Boolean() },
  { $id: 'Session' },
)
