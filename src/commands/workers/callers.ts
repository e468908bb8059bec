import { decodeJwt } from 'jose'
import type { Caller } from '../../context.ts'
import type { Memory } from './memory.ts'

/** The writer's answer about a valid token. `exp`: epoch seconds. */
export type Introduced = { readonly caller: Caller; readonly subject: string; readonly exp: number }
const MOST = 10_000
const LONGEST_TOKEN = 8192

/** The caller behind a token that the writer has just verified, as its workers learn it. */
export function introduction(token: string, caller: Caller): Introduced {
  const { sub = '', exp = 0 } = decodeJwt(token)
  return { caller, subject: sub, exp }
}

/**
 * The callers behind tokens, as a worker knows them: the writer verifies each token once, and announces in the
 * shared memory whose tokens became invalid. `ask`: undefined for an invalid token.
 */
export function createCallers(
  memory: Memory,
  wall: () => number,
  ask: (token: string) => Promise<Introduced | undefined>,
) {
  const entries = new Map<string, { readonly caller: Caller; readonly exp: number; readonly number: bigint }>()
  let lastCount = memory.forgotten()

  function forget(): void {
    const now = memory.forgotten()
    if (now === lastCount) return
    const numbers = memory.forgottenSince(lastCount)
    lastCount = now
    if (numbers === undefined) entries.clear()
    else for (const [token, { number }] of entries) if (numbers.has(number)) entries.delete(token)
  }
  function known(token: string): Caller | undefined {
    forget()
    const entry = entries.get(token)
    if (entry === undefined) return undefined
    if (entry.exp * 1000 > wall()) return entry.caller
    entries.delete(token)
    return undefined
  }
  return {
    known,
    /** Whether somebody has signed in. */
    isEmpty: (): boolean => entries.size === 0,
    /** Asks the writer for the caller behind a token. */
    async learn(token: string): Promise<void> {
      if (token.length > LONGEST_TOKEN || known(token)) return
      const before = memory.forgotten()
      const introduced = await ask(token)
      // Somebody's tokens were revoked meanwhile: the writer's answer may be out of date.
      if (introduced === undefined || memory.forgotten() !== before) return
      entries.set(token, {
        caller: introduced.caller,
        exp: introduced.exp,
        number: memory.numberOf(introduced.subject),
      })
      if (entries.size > MOST) entries.delete(entries.keys().next().value ?? '')
    },
  }
}
