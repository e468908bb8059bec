import { type TSchema, Type } from '@sinclair/typebox'
import { Body, Maybe, StrictPhone } from '../../../http/schema.ts'
import { ChallengeId, Channel, Code } from '../challenges/model.ts'

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
