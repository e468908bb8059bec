import { type Static, Type } from '@sinclair/typebox'
import { MediaObjectId } from '../../../http/members.ts'
import { Body, FullName } from '../../../http/schema.ts'
import { ChallengeId, Channel, Code } from '../../people/codes/model.ts'

export const SigningCode = Body({
  channel: Channel,
})
export const Sign = Body(
  {
    challengeId: ChallengeId,
    code: Code,
    fullName: Type.Unsafe<string>({
      ...FullName,
      description: 'The full name of the signer, as they type it.',
      examples: ['Ngo Bassa Marie-Claire'],
    }),
  },
  { examples: [{ challengeId: '01a1fc4b-236c-7768-8e80-d882e183f8cf', code: '482913', fullName: 'Odile Owona' }] },
)
export type Sign = Static<typeof Sign>
export const AttachCopy = Body({ mediaObjectId: MediaObjectId })
