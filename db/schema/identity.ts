import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { json } from './columns.ts'
import { appUser } from './users.ts'

/** State of the embedded OpenID provider: sessions, grants, codes, refresh tokens. Times in epoch seconds. */
export const oidcPayload = sqliteTable(
  'oidc_payload',
  {
    model: text().notNull(),
    /** SHA-256 of the token, code or cookie: nobody can sign in with a copy of the database. */
    id: text().notNull(),
    payload: json<Record<string, unknown>>()().notNull(),
    grantId: text('grant_id'),
    uid: text(),
    userCode: text('user_code'),
    accountId: text('account_id'),
    expiresAt: integer('expires_at').notNull(),
    consumedAt: integer('consumed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.model, t.id] }),
    index('oidc_payload_grant').on(t.grantId),
    index('oidc_payload_uid').on(t.uid),
    index('oidc_payload_account').on(t.accountId),
    index('oidc_payload_expires').on(t.expiresAt),
  ],
)

/** Token signing keys; the private part is wrapped with a key from the data folder. Times in epoch seconds. */
export const signingKey = sqliteTable('signing_key', {
  kid: text().primaryKey(),
  alg: text({ enum: ['RS256', 'ES256'] }).notNull(),
  publicJwk: json<Record<string, string>>()('public_jwk').notNull(),
  /** base64url of nonce, ciphertext and tag: AES-256-GCM over the private JWK, bound to kid and alg. */
  wrappedJwk: text('wrapped_jwk').notNull(),
  /** Epoch second from which it may sign; it is published earlier. */
  useFrom: integer('use_from').notNull(),
  createdAt: text('created_at').notNull(),
})

/** The password of an account of the embedded provider, and the count of failed sign-ins. */
export const credential = sqliteTable('credential', {
  userId: text('user_id')
    .primaryKey()
    .references(() => appUser.id),
  passwordHash: text('password_hash').notNull(),
  failures: integer().notNull().default(0),
  /** Every attempt is refused until this time (epoch seconds); null if not locked. */
  lockedUntil: integer('locked_until'),
  changedAt: text('changed_at').notNull(),
  updatedAt: text('updated_at').notNull(),
})

/**
 * Networks and browsers where an account has signed in before. Each has its own count of wrong passwords, so that a
 * stranger's attempts do not lock the owner out there. Times in epoch milliseconds.
 */
export const knownPlace = sqliteTable(
  'known_place',
  {
    userId: text('user_id').notNull(),
    /** A keyed digest, so that the table does not reveal where people are. */
    place: text().notNull(),
    failures: integer().notNull().default(0),
    waitUntil: integer('wait_until'),
    /** The last good sign-in, or the last failure after it. */
    lastAt: integer('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.place] }), index('known_place_last').on(t.lastAt)],
)

/** How much of a budget was spent on a day (UTC, counted from 1970). */
export const budgetDay = sqliteTable(
  'budget_day',
  { budget: text().notNull(), key: text().notNull(), day: integer().notNull(), spent: integer().notNull() },
  (t) => [primaryKey({ columns: [t.budget, t.key, t.day] }), index('budget_day_day').on(t.day)],
)

/** Second factors of an account. A passkey has a public key; the secret of an authenticator app is encrypted. */
export const secondFactor = sqliteTable(
  'second_factor',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => appUser.id),
    kind: text({ enum: ['TOTP', 'PASSKEY'] }).notNull(),
    /** The secret of an authenticator app: AES-256-GCM under the master key, bound to the row's id. */
    sealed: text(),
    /** base64url, of a passkey. */
    credentialId: text('credential_id'),
    /** base64url of the COSE key, of a passkey. */
    publicKey: text('public_key'),
    /** The last time step used by an app's codes, or the signature counter of a passkey: neither may go back. */
    counter: integer().notNull(),
    createdAt: text('created_at').notNull(),
    usedAt: text('used_at'),
  },
  (t) => [index('second_factor_user').on(t.userId, t.id), uniqueIndex('second_factor_credential').on(t.credentialId)],
)

/** Single-use codes for people who have lost their second factor: an HMAC under the master key, deleted when used. */
export const secondFactorCode = sqliteTable(
  'second_factor_code',
  {
    userId: text('user_id')
      .notNull()
      .references(() => appUser.id),
    digest: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.digest] })],
)

/** Count of wrong codes in a row for an account, and until when it is locked. Times in epoch seconds. */
export const secondFactorTry = sqliteTable('second_factor_try', {
  userId: text('user_id')
    .primaryKey()
    .references(() => appUser.id),
  failures: integer().notNull(),
  lockedUntil: integer('locked_until'),
  updatedAt: integer('updated_at').notNull(),
})
