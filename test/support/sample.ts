import type { Kind } from './kinds.ts'

export type Json = Record<string, unknown>
/** A payment in cash of the day before. */
export const cash = (amount: number, more: Json = {}): Json => ({
  amount,
  method: 'CASH',
  paidOn: '2026-03-09',
  ...more,
})

/** A deposit taken on the day before. */
export const received: Json = { type: 'RECEIVED', amount: 50_000, paidOn: '2026-03-09' }

/** A request that succeeds for whoever may make it at all. `mine` is Ana's and Tom's, and a state that allows it. */
export type Sample = {
  readonly line: string
  readonly status: number
  /** Of an answer that is no success: what cannot be done in a test without an identity provider or a file. */
  readonly code?: string
  /** Their own, of those who may not see Ana's. */
  readonly theirs?: Readonly<Record<string, string>>
  readonly kind?: Kind
  readonly mine?: string
  readonly body?: Json
}

/** What is read: of one object where `kind` and `mine` say which. */
export const get = (path: string, kind?: Kind, mine?: string): Sample => ({
  line: `GET ${path}`,
  status: 200,
  ...(kind && mine ? { kind, mine } : {}),
})

/** What is done to one object. */
export const on = (line: string, kind: Kind, mine: string, body: Json = {}, status = 200): Sample => ({
  line,
  status,
  kind,
  mine,
  body,
})

/** What is refused to whoever may ask for it at all. */
export const refused = (line: string, status: number, code: string, body?: Json): Sample => ({
  line,
  status,
  code,
  ...(body ? { body } : {}),
})

/** The answer to a challenge that nobody asked for. */
export const code = { challengeId: 'unknown', code: '123456' }
export const password = 'correct horse battery'
export const phoneNumber = '+237677000111'
