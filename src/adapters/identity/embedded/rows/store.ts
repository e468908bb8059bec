import { createHash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { InvalidGrant, InvalidRequest } from 'oidc-provider/lib/helpers/errors.js'
import type { Db, Tx, Write } from '../../../../../db/open.ts'
import { SIGN_INS } from '../../../../core/budgets.ts'
import { LIFETIME } from '../claims.ts'
import {
  byUid,
  ENDED,
  ofAccount,
  ofGrant,
  one,
  type PayloadRow,
  prolong,
  purge,
  put,
  putEnded,
  remove,
  removeGrant,
  take,
  trim,
} from './payloads.ts'

/** Seconds in which a rotated refresh token is taken again: a phone that lost the answer asks once more. */
const GRACE_SECONDS = 10
/** Of so many begun sign-ins one is noted. */
const MARK_EVERY = 500
/** How far apart two clocks may be. */
const CLOCK_SECONDS = 60

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
  const listeners: ((accountId: string) => void)[] = []

  /** From now on the access tokens of this session are refused, whose signature alone would let them live out their time. */
  const endTokens = (tx: Tx, sid: string): void =>
    putEnded(tx, sid, seconds(), seconds() + LIFETIME.access + CLOCK_SECONDS)
  /** Tells whoever remembers good tokens; to be called once the end is written. */
  const tell = (accountIds: Iterable<string | null>): void => {
    for (const id of new Set(accountIds)) if (id !== null) for (const listener of listeners) listener(id)
  }
  /** Ends a grant with its codes, refresh tokens and access tokens; the accounts it was of. */
  function endGrant(tx: Tx, grantId: string): (string | null)[] {
    const rows = ofGrant(tx).all({ grantId })
    for (const sid of new Set(rows.map((row) => text(row.payload.sessionUid)))) if (sid !== null) endTokens(tx, sid)
    removeGrant(tx).run({ grantId })
    return rows.map((row) => row.accountId)
  }

  const toPayload = (row: PayloadRow, id: string | undefined): AdapterPayload => ({
    ...row.payload,
    ...(id === undefined ? {} : { jti: id }),
    // Prolonged by refreshes, see upsert.
    exp: row.expiresAt,
    ...(row.consumedAt === null || graceful(row) ? {} : { consumed: row.consumedAt }),
  })
  const graceful = (row: PayloadRow): boolean =>
    row.model === 'RefreshToken' && row.consumedAt !== null && seconds() - row.consumedAt <= GRACE_SECONDS

  let begun = 0
  /** When the sign-ins begun last end, one noted of every MARK_EVERY. */
  const marks: number[] = []
  /** A sign-in that anybody can begin is small, and of those begun the oldest give way. @throws invalid_request */
  async function makeRoom(payload: object, expiresAt: number): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(payload)) > SIGN_INS.bytes)
      throw new InvalidRequest('the parameters are too long; shorten state, nonce or login_hint')
    begun += 1
    if (begun % MARK_EVERY !== 0) return
    marks.push(expiresAt)
    const until = marks.length > SIGN_INS.kept / MARK_EVERY ? marks.shift() : undefined
    if (until !== undefined) await write(null, (tx) => void trim(tx).run({ model: 'Interaction', until }))
  }

  const adapter = (model: string): Adapter => ({
    async upsert(id, payload, expiresIn) {
      const { jti: _, session, ...rest } = payload as AdapterPayload & { session?: Record<string, unknown> }
      // The interaction's copy of the session carries its cookie value, which nothing reads back.
      const { cookie: __, ...kept } = session ?? {}
      const stored = session === undefined ? rest : { ...rest, session: kept }
      const expiresAt = payload.exp ?? seconds() + (expiresIn ?? 0)
      if (model === 'Interaction' && payload.accountId === undefined) await makeRoom(stored, expiresAt)
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
      const { first, of } = await write(null, (tx) => {
        const first = take(tx).run({ model, id: digest(id), at: seconds() }).changes === 1
        const reused = !first && model === 'AuthorizationCode' && row?.grantId
        return { first, of: reused ? endGrant(tx, reused) : [] }
      })
      tell(of)
      // Two exchanges of one code at the same moment: the library has seen both as unused.
      if (!first && model === 'AuthorizationCode') throw new InvalidGrant('authorization code already consumed')
    },
    async destroy(id) {
      // A refresh token is destroyed when it is revoked or came twice, before its grant is: then nothing else may be left
      // that names the session.
      const row = model === 'RefreshToken' ? one(db).get({ model, id: digest(id) }) : undefined
      const sid = text(row?.payload.sessionUid)
      await write(null, (tx) => {
        if (sid !== null) endTokens(tx, sid)
        remove(tx).run({ model, id: digest(id) })
      })
      if (row) tell([row.accountId])
    },
    async revokeByGrantId(grantId) {
      tell(await write(null, (tx) => endGrant(tx, grantId)))
    },
  })

  /** Ends an account's sessions with their grants, codes and refresh tokens, all but the one named. */
  function endSessions(tx: Tx, accountId: string, keep?: string): void {
    const rows = ofAccount(tx).all({ accountId })
    const kept = new Set(rows.filter((r) => r.model === 'Session' && r.uid === keep).flatMap(grantsOf))
    for (const [uid, until] of ended) if (until < wall()) ended.delete(uid)
    for (const row of rows) {
      if (row.model === 'Session' ? row.uid === keep : kept.has(row.grantId ?? '')) continue
      if (row.model === 'Session' && row.uid) {
        ended.set(row.uid, wall() + 120_000)
        endTokens(tx, row.uid)
      }
      remove(tx).run({ model: row.model, id: row.id })
    }
  }

  return {
    adapter,
    endSessions,
    /** Ends one session by its `sid`; false when the account has none of that id. */
    async endSession(accountId: string, uid: string): Promise<boolean> {
      const found = await write(null, (tx) => {
        const row = byUid(tx).get({ model: 'Session', uid })
        if (row?.accountId !== accountId) return false
        ended.set(uid, wall() + 120_000)
        for (const grantId of grantsOf(row)) endGrant(tx, grantId)
        endTokens(tx, uid)
        remove(tx).run({ model: 'Session', id: row.id })
        return true
      })
      if (found) tell([accountId])
      return found
    },
    /** Whether the tokens that a session was given up to `iat` (epoch seconds) are worth nothing any more. */
    tokensEnded(sid: unknown, iat: number): boolean {
      const at = typeof sid === 'string' ? one(db).get({ model: ENDED, id: sid })?.payload.at : undefined
      return typeof at === 'number' && iat <= at
    },
    /** Called with the account whose tokens were ended, once they are. */
    onTokensEnded: (listener: (accountId: string) => void): void => void listeners.push(listener),
    tell,
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
