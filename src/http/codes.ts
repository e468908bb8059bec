import type { Asking, Caller } from '../context.ts'
import { languageOf } from './language.ts'
import { edgeOf } from './request.ts'

/** Not replayed by Idempotency-Key: codes and passwords are never stored, and a code is single-use by itself. */
export const ONCE = { 'x-idempotent': false } as object

/** Who asks for a code or uses one. Where neither the account nor the request names a language, it is the operator's. */
export const askingOf =
  ({ config }: { readonly config: { readonly locale: Asking['locale'] } }) =>
  (request: Request, caller: Caller): Asking => {
    const { address, requestId } = edgeOf(request)
    return { caller, address, requestId, locale: languageOf(request, config.locale) }
  }
