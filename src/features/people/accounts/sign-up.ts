import { termsInForce } from '../legal/service.ts'
import { completeReset, requestReset } from './password-reset.ts'
import { completeRegistration, requestRegistration, verifyRegistration } from './registration.ts'

/** The use cases of the API that these pages call. */
export const signUp = {
  requestRegistration,
  verifyRegistration,
  completeRegistration,
  requestReset,
  completeReset,
  termsInForce,
}
