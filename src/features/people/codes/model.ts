import { Type } from '@sinclair/typebox'
import { DateTime, Maybe, oneOf, Text } from '../../../http/schema.ts'
import { CHANNELS } from './rules.ts'

const By = oneOf(CHANNELS, { $id: 'Channel' })
export const PhoneChallenge = Type.Object(
  { challengeId: Type.String(), channel: By, expiresAt: DateTime, maskedDestination: Type.String() },
  { $id: 'PhoneChallenge' },
)
export const Channel = Maybe(By)
export const ChallengeId = Text({ max: 64 })
/** A code of somebody without a token, which may be long; a reset also takes one that an administrator handed over. */
export const AnyCode = Type.String({
  pattern: '^[0-9]{6}([0-9]{6})?$',
  description:
    'The six digits that were sent, or the twelve if many codes were requested; for a password reset also the twelve digits of a recovery code.',
})
export const Code = Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits that were sent.' })
