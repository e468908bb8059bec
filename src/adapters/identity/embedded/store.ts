import { createHash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { InvalidGrant } from 'oidc-provider/lib/helpers/errors.js'
import type { Db, Tx, Write } from '../../../../db/open.ts'
import { byUid, ofAccount, one, type PayloadRow, prolong, purge, put, remove, removeGrant, take } from './payloads.ts'

/** Seconds in which a rotated refresh token is taken again: a phone that lost the answer asks once more. */
const GRACE_SECONDS = 10

export type StoreDeps = { readonly db: Db; readonly write: Write; readonly wall: () => number }

/** What stands in the column is a digest: whoever reads the database cannot use it as a token or cookie. */
const digest = (id: string): string => createHash('sha256').update(id).digest('base64url')
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** One sign-in of an account, as the account's own list of sessions shows it; `id` is the `sid` claim. */
export type SessionRow = { readonly id: string; readonly signedInAt: number; readonly expiresAt: number }

/** The provider's memory in SQLite: one adapter for each of its models, and what an account's end needs. */
export function createStore({ db, write, wall }: StoreDeps) {
  const seconds = () => Math.floor(wall() / 1000)
  // A request that began before a session was ended must not write it back: one process, so memory is enough.
  const ended = new Map<string, number>()

  const toPayload = (row: PayloadRow, id: string | undefined): AdapterPayload => ({
    ...row.payload,
    ...(id === undefined ? {} : { jti: id }),
    // Prolonged by refreshes, see upsert.
    exp: row.expiresAt,
    ...(row.consumedAt === null || graceful(row) ? {} : { consumed: row.consumedAt }),
  })
  const graceful = (row: PayloadRow): boolean =>
    row.model === 'RefreshToken' && row.consumedAt !== null && seconds() - row.consumedAt <= GRACE_SECONDS

  const adapter = (model: string): Adapter => ({
    async upsert(id, payload, expiresIn) {
      const { jti: _, session, ...rest } = payload as AdapterPayload & { session?: Record<string, unknown> }
      // The interaction's copy of the session carries its cookie value, which nothing reads back.
      const { cookie: __, ...kept } = session ?? {}
      const stored = session === undefined ? rest : { ...rest, session: kept }
      const expiresAt = payload.exp ?? seconds() + (expiresIn ?? 0)
      await write(null, (tx) => {
        if (model === 'Session' && ended.has(payload.uid ?? '')) return
        put(tx).run({
          model,
          id: digest(id),
          payload: stored,
          // A grant's row carries its own id too: one statement then ends a grant with all that hangs on it.
          grantId: model === 'Grant' ? id : text(payload.grantId),
          uid: text(payload.uid),
          accountId: text(payload.accountId),
          expiresAt,
        })
        // A session in use by an app lives on although its browser cookie was not sent.
        const sessionUid = (payload as { sessionUid?: unknown }).sessionUid
        if (model === 'RefreshToken' && typeof sessionUid === 'string')
          prolong(tx).run({ uid: sessionUid, until: expiresAt })
      })
    },
    async find(id) {
      const row = one(db).get({ model, id: digest(id) })
      return row && toPayload(row, id)
    },
    async findByUid(uid) {
      const row = byUid(db).get({ model, uid })
      return row && toPayload(row, undefined)
    },
    async findByUserCode() {
      return undefined
    },
    async consume(id) {
      const row = one(db).get({ model, id: digest(id) })
      const first = await write(null, (tx) => {
        const won = take(tx).run({ model, id: digest(id), at: seconds() }).changes === 1
        if (!won && model === 'AuthorizationCode' && row?.grantId) removeGrant(tx).run({ grantId: row.grantId })
        return won
      })
      // Two exchanges of one code at the same moment: the library has seen both as unused.
      if (!first && model === 'AuthorizationCode') throw new InvalidGrant('authorization code already consumed')
    },
    async destroy(id) {
      await write(null, (tx) => void remove(tx).run({ model, id: digest(id) }))
    },
    async revokeByGrantId(grantId) {
      await write(null, (tx) => void removeGrant(tx).run({ grantId }))
    },
  })

  /** Ends an account's sessions with their grants, codes and refresh tokens, all but the one named. */
  function endSessions(tx: Tx, accountId: string, keep?: string): void {
    const rows = ofAccount(tx).all({ accountId })
    const kept = new Set(rows.filter((r) => r.model === 'Session' && r.uid === keep).flatMap(grantsOf))
    for (const [uid, until] of ended) if (until < wall()) ended.delete(uid)
    for (const row of rows) {
      if (row.model === 'Session' ? row.uid === keep : kept.has(row.grantId ?? '')) continue
      if (row.model === 'Session' && row.uid) ended.set(row.uid, wall() + 120_000)
      remove(tx).run({ model: row.model, id: row.id })
    }
  }

  return {
    adapter,
    endSessions,
    /** Ends one session by its `sid`; false when the account has none of that id. */
    endSession: (accountId: string, uid: string): Promise<boolean> =>
      write(null, (tx) => {
        const row = byUid(tx).get({ model: 'Session', uid })
        if (row?.accountId !== accountId) return false
        ended.set(uid, wall() + 120_000)
        for (const grantId of grantsOf(row)) removeGrant(tx).run({ grantId })
        remove(tx).run({ model: 'Session', id: row.id })
        return true
      }),
    sessions(accountId: string): readonly SessionRow[] {
      const rows = ofAccount(db).all({ accountId })
      const live = new Set(rows.filter((row) => row.model === 'Grant').map((row) => row.grantId))
      return rows
        .filter(
          (row) => row.model === 'Session' && row.expiresAt > seconds() && grantsOf(row).some((id) => live.has(id)),
        )
        .map((row) => ({
          id: row.uid ?? '',
          signedInAt: Number(row.payload.loginTs ?? row.payload.iat),
          expiresAt: row.expiresAt,
        }))
    },
    /** Deletes what has expired, a few rows at a time so that requests get between. */
    async purge(): Promise<void> {
      while ((await write(null, (tx) => purge(tx).run({ now: seconds() }).changes)) === 500);
    },
  }
}
export type OidcStore = ReturnType<typeof createStore>

function grantsOf(row: PayloadRow): string[] {
  const authorizations = row.payload.authorizations
  if (typeof authorizations !== 'object' || authorizations === null) return []
  return Object.values(authorizations).flatMap((a: unknown) =>
    typeof a === 'object' && a !== null && 'grantId' in a && typeof a.grantId === 'string' ? [a.grantId] : [],
  )
}
