import { Type } from '@sinclair/typebox'
import { ExpiresAt, exampleId } from '../../../http/members.ts'
import { Maybe, oneOf, Text } from '../../../http/schema.ts'
import { CHANNELS } from './rules.ts'

const By = oneOf(CHANNELS, {
  $id: 'Channel',
  description: 'The channel on which the code was sent.',
  examples: ['WHATSAPP'],
})
export const PhoneChallenge = Type.Object(
  {
    challengeId: Type.String({
      description: 'The id of the code, from the answer that announced it.',
      examples: [exampleId(48)],
    }),
    channel: By,
    expiresAt: ExpiresAt,
    maskedDestination: Type.String({
      description: 'The number that the code was sent to; all but the last digits are hidden.',
      examples: ['+237 *** *** 456'],
    }),
  },
  { $id: 'PhoneChallenge' },
)
export const Channel = Maybe({
  ...By,
  description: 'The channel of the message; if omitted, WhatsApp, then SMS if WhatsApp does not arrive.',
})
export const ChallengeId = Text({
  max: 64,
  description: 'The id of the code, from the answer that announced it.',
  examples: [exampleId(48)],
})
/** A code of somebody without a token, which may be long; a reset also takes one that an administrator handed over. */
export const AnyCode = Type.String({
  pattern: '^[0-9]{6}([0-9]{6})?$',
  description:
    'The six digits that were sent, or the twelve if many codes were requested; for a password reset also the twelve digits of a recovery code.',
  examples: ['482913'],
})
export const Code = Type.String({
  pattern: '^[0-9]{6}$',
  description: 'The six digits that were sent.',
  examples: ['482913'],
})
