import type { Db, Tx } from '../../../db/open.ts'
import type { Role } from '../../core/roles.ts'

export type NewAccount = {
  readonly orgId: string
  /** E.164; also the user name. */
  readonly phoneNumber: string
  /** Whether the number was verified by a one-time code. */
  readonly phoneVerified: boolean
  readonly password: string
  readonly firstName: string
  readonly lastName: string
  readonly email?: string | undefined
  readonly locale?: 'fr' | 'en' | undefined
  readonly roles: readonly Role[]
  /** The invited user (status INVITED) that becomes this account, at a provider that shares the user rows. */
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
  /** The `sid` claim of the session to keep; without it all sessions end, and earlier access tokens become invalid. */
  readonly keepSession?: string | undefined
}
export type Change = EndSessions & {
  /** Called before anything is changed; an error thrown here rejects the operation with nothing done. */
  readonly holds?: ((db: Db) => void) | undefined
  /** Writes accompanying rows: in the change's transaction, or once an external provider has made the change. */
  readonly also?: ((tx: Tx) => void) | undefined
}

/**
 * Accounts at the identity provider, embedded or external: what registration, password reset, phone change and
 * administration need of it. Every method rejects with an AppError: `duplicate` (409: the number has an account),
 * `not_found` (no such account), `identity_unavailable`, `storage_unavailable` or `overloaded` (503: nothing was
 * done, the caller's ticket or challenge stays good).
 */
export type Identity = {
  /** The caller has checked the password against the rules and the form of the number. */
  createAccount(account: NewAccount): Promise<{ readonly userId: string }>
  /** Also ends a sign-in wait, and the account's sessions and refresh tokens. */
  setPassword(userId: string, password: string, options?: Change): Promise<void>
  /** Changes number and user name together, marks the number verified, and ends sessions and refresh tokens. */
  setPhone(userId: string, phoneNumber: string, options?: Change): Promise<void>
  /** The next token carries the new roles; the caller drops cached tokens of the account. */
  setRoles(userId: string, roles: readonly Role[]): Promise<void>
  findByPhone(phoneNumber: string): Promise<Account | undefined>
  /** Blocks sign-in and refresh until `enable` is true again, and ends all sessions. */
  disable(userId: string, options?: { readonly enable?: boolean }): Promise<void>
  endSessions(userId: string, options?: EndSessions): Promise<void>
  /** Deletes the account with its password and sessions and frees the number. Idempotent: a missing account is no error. */
  deleteAccount(userId: string): Promise<void>
}

export type FactorEvent = 'ADDED' | 'REMOVED' | 'CODE_USED' | 'CODES_RENEWED'
export type FactorChange = {
  readonly event: FactorEvent
  readonly kind?: 'TOTP' | 'PASSKEY'
  /** Number of unused recovery codes. */
  readonly left?: number
}
/** Notifies the person and the audit trail, in the transaction of the change. */
export type FactorNews = (
  tx: Tx,
  account: { readonly id: string; readonly orgId: string },
  change: FactorChange,
) => void

type Text = { readonly version: string; readonly text: string }
export type TermsTexts = { readonly terms: Text; readonly privacy: Text }
type Person = { readonly id: string; readonly orgId: string }
/** The terms and the privacy notice, which people accept again when they have changed. */
export type Terms = {
  readonly texts: (locale: 'fr' | 'en') => TermsTexts
  /** Whether somebody accepted an earlier version than the one in force. */
  readonly isDue: (person: Person) => boolean
  /** Records the acceptance; false if these versions are not, or no longer, in force. */
  readonly accept: (
    person: Person,
    locale: 'fr' | 'en',
    versions: { readonly terms: string; readonly privacy: string },
  ) => Promise<boolean>
}
