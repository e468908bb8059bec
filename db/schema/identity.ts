import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { json } from './columns.ts'
import { appUser } from './users.ts'

/** What the embedded OpenID provider remembers: sessions, grants, codes, refresh tokens. Times in epoch seconds. */
export const oidcPayload = sqliteTable(
  'oidc_payload',
  {
    model: text().notNull(),
    /** SHA-256 of the token, code or cookie value: a copy of the database signs nobody in. */
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
  /** First second at which it may sign; published before that. */
  useFrom: integer('use_from').notNull(),
  createdAt: text('created_at').notNull(),
})

/** The password of an account of the embedded provider, and its failed sign-ins. */
export const credential = sqliteTable('credential', {
  userId: text('user_id')
    .primaryKey()
    .references(() => appUser.id),
  passwordHash: text('password_hash').notNull(),
  failures: integer().notNull().default(0),
  /** Epoch seconds until which every attempt is refused; null when none is. */
  lockedUntil: integer('locked_until'),
  changedAt: text('changed_at').notNull(),
  updatedAt: text('updated_at').notNull(),
})

/**
 * Where an account signed in before: a network or a browser, each with its own count of wrong passwords, so that those of
 * strangers hold nobody back there. Times in epoch milliseconds.
 */
export const knownPlace = sqliteTable(
  'known_place',
  {
    userId: text('user_id').notNull(),
    /** A keyed digest: the table tells nobody where people are. */
    place: text().notNull(),
    failures: integer().notNull().default(0),
    waitUntil: integer('wait_until'),
    /** The last good sign-in, or the last failure after it. */
    lastAt: integer('last_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.place] }), index('known_place_last').on(t.lastAt)],
)

/** How much of a budget was spent on a day; days are those of UTC since 1970. */
export const budgetDay = sqliteTable(
  'budget_day',
  { budget: text().notNull(), key: text().notNull(), day: integer().notNull(), spent: integer().notNull() },
  (t) => [primaryKey({ columns: [t.budget, t.key, t.day] }), index('budget_day_day').on(t.day)],
)

/** What an account proves itself with beside its password. Passkeys hold a public key; the secret of an app is sealed. */
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
    /** The last time step taken of an app's codes, or the signature counter of a passkey: neither goes back. */
    counter: integer().notNull(),
    createdAt: text('created_at').notNull(),
    usedAt: text('used_at'),
  },
  (t) => [index('second_factor_user').on(t.userId, t.id), uniqueIndex('second_factor_credential').on(t.credentialId)],
)

/** Single-use codes for who has lost the second factor: an HMAC under the master key, deleted at its use. */
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

/** Wrong codes of an account in a row, and until when none is taken. Times in epoch seconds. */
export const secondFactorTry = sqliteTable('second_factor_try', {
  userId: text('user_id')
    .primaryKey()
    .references(() => appUser.id),
  failures: integer().notNull(),
  lockedUntil: integer('locked_until'),
  updatedAt: integer('updated_at').notNull(),
})
