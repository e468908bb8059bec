import type { Db, Tx } from '../../../db/open.ts'
import type { Role } from '../../core/roles.ts'

export type NewAccount = {
  readonly orgId: string
  /** E.164; also the user name. */
  readonly phoneNumber: string
  /** Whether a code sent to the number has been given back. */
  readonly phoneVerified: boolean
  readonly password: string
  readonly firstName: string
  readonly lastName: string
  readonly email?: string | undefined
  readonly locale?: 'fr' | 'en' | undefined
  readonly roles: readonly Role[]
  /** The user that waits for this account (status INVITED): a provider that shares its rows makes it this one. */
  readonly invitedUserId?: string | undefined
}

/** `userId` is the `sub` of the account's tokens. */
export type Account = {
  readonly userId: string
  readonly orgId: string | undefined
  readonly phoneNumber: string
  readonly roles: readonly Role[]
  readonly enabled: boolean
}

export type EndSessions = {
  /** The `sid` claim of the one session that goes on; without it all end, and access tokens issued before are dead. */
  readonly keepSession?: string | undefined
}
export type Change = EndSessions & {
  /** Asked when it is the account's turn, before anything is changed: what it throws is the answer, and nothing was done. */
  readonly holds?: ((db: Db) => void) | undefined
  /** Writes what goes with the change: in its transaction, or as soon as a provider elsewhere has taken it. */
  readonly also?: ((tx: Tx) => void) | undefined
}

/**
 * Accounts at the identity provider, embedded or external: what registration, password reset, phone change and
 * administration need of it. Every method rejects with an AppError: `duplicate` (409: the number has an account),
 * `not_found` (no such account), `identity_unavailable`, `storage_unavailable` or `overloaded` (503: nothing was
 * done, the caller's ticket or challenge stays good).
 */
export type Identity = {
  /** The caller has checked the password's rules and the number's form. */
  createAccount(account: NewAccount): Promise<{ readonly userId: string }>
  /** Also lifts a sign-in wait, and ends the account's sessions and refresh tokens. */
  setPassword(userId: string, password: string, options?: Change): Promise<void>
  /** Changes number and user name together, marks the number verified, and ends sessions and refresh tokens. */
  setPhone(userId: string, phoneNumber: string, options?: Change): Promise<void>
  /** The next token carries the new roles; the caller forgets verified tokens of the account. */
  setRoles(userId: string, roles: readonly Role[]): Promise<void>
  findByPhone(phoneNumber: string): Promise<Account | undefined>
  /** No sign-in and no refresh from now on, until `enable` is true again. Ends all sessions. */
  disable(userId: string, options?: { readonly enable?: boolean }): Promise<void>
  endSessions(userId: string, options?: EndSessions): Promise<void>
  /** Forgets the account with its password and sessions; the number is free again. None is no error: it may be said twice. */
  deleteAccount(userId: string): Promise<void>
}

export type FactorEvent = 'ADDED' | 'REMOVED' | 'CODE_USED' | 'CODES_RENEWED'
export type FactorChange = {
  readonly event: FactorEvent
  readonly kind?: 'TOTP' | 'PASSKEY'
  /** Recovery codes that are left. */
  readonly left?: number
}
/** Tells the person and the audit trail, in the transaction of the change. */
export type FactorNews = (
  tx: Tx,
  account: { readonly id: string; readonly orgId: string },
  change: FactorChange,
) => void
