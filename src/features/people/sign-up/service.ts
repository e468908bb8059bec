import type { Deps } from '../../../deps.ts'
import { LEGAL_DOCUMENTS } from '../legal/service.ts'
import { completeReset, requestReset } from '../password-reset/service.ts'
import { completeRegistration, requestRegistration, verifyRegistration } from '../registration/service.ts'

/** The use cases of the API that these pages call. */
export const signUp = { requestRegistration, verifyRegistration, completeRegistration, requestReset, completeReset }

/** The texts that an account accepts, with their versions. */
export const termsOf = ({ legal }: Pick<Deps, 'legal'>, locale: 'fr' | 'en') => {
  const [terms, privacy] = LEGAL_DOCUMENTS.map((document) => {
    const { version, text } = legal.current(document)
    return { version, text: text[locale] }
  })
  if (!terms || !privacy) throw new Error('there are two texts')
  return { terms, privacy }
}
