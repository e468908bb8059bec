import { isDenied, isFull, isNotUnpacked, notUnpacked, reason, StoreError } from '../../db/store-error.ts'
import { ConfigError } from '../config.ts'
import { ERRORS } from '../error-codes.ts'
import { AppError } from '../errors.ts'
import { UsageError } from './command.ts'

type Trouble = { readonly lines: readonly string[]; readonly exitCode: number }

/** The message and exit code (sysexits.h) of a failed command. */
export function troubleOf(e: unknown): Trouble {
  if (e instanceof ConfigError) return { lines: e.problems, exitCode: 78 }
  if (isNotUnpacked(e)) return troubleOf(notUnpacked(e))
  if (e instanceof StoreError) return { lines: [e.message], exitCode: e.exitCode }
  if (e instanceof AppError) {
    if (e.code === 'identity_unavailable' && e.cause !== undefined)
      return { lines: [`AUTH_URL: the identity provider cannot be used: ${reason(e.cause)}.`], exitCode: 69 }
    const members = (e.details.errors ?? []).map(({ path, message }) => `${path.replace('/', '--')}: ${message.en}`)
    return { lines: members.length > 0 ? members : [e.text?.en ?? ERRORS[e.code].en], exitCode: 1 }
  }
  if (isFull(e)) return { lines: [`Not done: ${reason(e)}. Make room there, then try again.`], exitCode: 73 }
  if (isDenied(e)) {
    const may = 'This user may not do that there: choose another place, or give it to this user.'
    return { lines: [`Not done: ${reason(e)}. ${may}`], exitCode: 77 }
  }
  return { lines: [e instanceof Error ? e.message : String(e)], exitCode: e instanceof UsageError ? 64 : 1 }
}
