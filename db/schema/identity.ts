import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
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
