import type { Tx } from '../../../../db/open.ts'
import type { Deps } from '../../../deps.ts'
import { answersNaming, answersOf, dropOwn, endOfSlice, rewriteAnswer, type Span } from './store.ts'

type Instead = ReadonlyMap<string, unknown>
type Person = { readonly orgId: string; readonly id: string; readonly phoneNumber: string | null }

/** Deletes the answers that are kept for a person's Idempotency-Keys, in several writes. */
export async function dropAnswersOf({ write }: Pick<Deps, 'write'>, { orgId, id }: Person): Promise<void> {
  while (!(await write(null, (tx) => dropOwn(tx, orgId, id))));
}

/** Removes a person from a stored answer; a member without a value is left out, as in a new answer. */
function withoutPerson(body: string, instead: Instead): string {
  const without: unknown = JSON.parse(body, function (this: unknown, _, value: unknown) {
    if (typeof value !== 'string' || !instead.has(value)) return value
    return instead.get(value) ?? (Array.isArray(this) ? null : undefined)
  })
  return JSON.stringify(without)
}

/**
 * Removes a person from the answers that are kept for others, in several writes: these answers stay, so that a retry
 * does not act twice. `instead` maps each text that names the person to its replacement.
 */
export async function forgetAnswers({ write }: Pick<Deps, 'write'>, person: Person, instead: Instead): Promise<void> {
  const { orgId, id, phoneNumber } = person
  const texts = { a: id, b: phoneNumber ?? id }
  const rewriteSlice = (tx: Tx, span: Span): Span | null => {
    const end = endOfSlice(tx, span)
    const upTo = end ? { scope: end.scope, until: end.key } : { scope: span.to, until: '' }
    for (const { scope, key, body } of answersNaming(tx, { after: span.after, key: span.key, ...upTo, ...texts })) {
      rewriteAnswer(tx, scope, key, withoutPerson(body, instead))
    }
    return end ? { ...span, after: end.scope, key: end.key } : null
  }
  let span: Span | null = answersOf(orgId)
  while (span) {
    const from: Span = span
    span = await write(null, (tx) => rewriteSlice(tx, from))
  }
}
