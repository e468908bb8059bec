import { hash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { InvalidGrant, InvalidRequest } from 'oidc-provider/lib/helpers/errors.js'
import type { Db, Tx, Write } from '../../../../../db/open.ts'
import { SESSIONS, SIGN_INS } from '../../../../core/budgets.ts'
import { LIFETIME } from '../claims.ts'
import {
  byUid,
  ENDED,
  forgetRotated,
  GONE,
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
  sessionsBeyond,
  take,
  trim,
} from './payloads.ts'

/** The sampling rate: of this many sign-ins begun, one is recorded. */
const MARK_EVERY = 500
/** Largest difference between two clocks. */
const CLOCK_SECONDS = 60

export type StoreDeps = { readonly db: Db; readonly write: Write; readonly wall: () => number }

/** The column stores a digest, so that a reader of the database cannot use it as a token or cookie. */
const digest = (id: string): string => hash('sha256', id, 'base64url')
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** One session as the account's own list shows it; `id` is the `sid` claim. */
export type SessionRow = { readonly id: string; readonly signedInAt: number; readonly expiresAt: number }

/** Storage of the OpenID library in SQLite: one adapter per model, and the deletions that ending an account needs. */
export function createStore({ db, write, wall }: StoreDeps) {
  const seconds = () => Math.floor(wall() / 1000)
  const listeners: ((accountId: string) => void)[] = []

  /** Revokes the access tokens of this session, whose signatures alone would keep them valid until they expire. */
  const endTokens = (tx: Tx, sid: string): void =>
    putEnded(tx, ENDED, sid, seconds(), seconds() + LIFETIME.access + CLOCK_SECONDS)
  /** A request that began before its session ended must not write the session back, on another machine either. */
  function endWhole(tx: Tx, uid: string): void {
    putEnded(tx, GONE, uid, seconds(), seconds() + LIFETIME.access)
    endTokens(tx, uid)
  }
  /** Notifies the caches of verified tokens; call it after the end of the session is committed. */
  const tell = (accountIds: Iterable<string | null>): void => {
    for (const id of new Set(accountIds)) if (id !== null) for (const listener of listeners) listener(id)
  }
  /** Ends a grant with its codes, refresh tokens and access tokens. @returns the accounts that it belonged to */
  function endGrant(tx: Tx, grantId: string): (string | null)[] {
    const rows = ofGrant(tx).all({ grantId })
    for (const sid of new Set(rows.map((row) => text(row.payload.sessionUid)))) if (sid !== null) endTokens(tx, sid)
    removeGrant(tx).run({ grantId })
    return rows.map((row) => row.accountId)
  }

  /** Ends one session with its grants. */
  function endOne(tx: Tx, row: PayloadRow): void {
    for (const grantId of grantsOf(row)) endGrant(tx, grantId)
    if (row.uid) endWhole(tx, row.uid)
    remove(tx).run({ model: 'Session', id: row.id })
  }

  const toPayload = (row: PayloadRow, id: string | undefined): AdapterPayload => ({
    ...row.payload,
    ...(id === undefined ? {} : { jti: id }),
    // Refreshes extend it, see upsert.
    exp: row.expiresAt,
    ...(row.consumedAt === null || graceful(row) ? {} : { consumed: row.consumedAt }),
  })
  const graceful = (row: PayloadRow): boolean =>
    row.model === 'RefreshToken' && row.consumedAt !== null && seconds() - row.consumedAt <= SESSIONS.graceSeconds

  let begun = 0
  /** Expiry of the latest sign-ins begun; one of every MARK_EVERY is recorded. */
  const marks: number[] = []
  /**
   * Anybody can begin a sign-in, so its row is small, and the oldest unfinished ones are deleted. @throws
   * invalid_request
   */
  async function makeRoom(payload: object, expiresAt: number): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(payload)) > SIGN_INS.bytes)
      throw new InvalidRequest('the parameters are too long; shorten state, nonce or login_hint')
    begun += 1
    if (begun % MARK_EVERY !== 0) return
    marks.push(expiresAt)
    const until = marks.length > SIGN_INS.stored / MARK_EVERY ? marks.shift() : undefined
    if (until !== undefined) await write(null, (tx) => void trim(tx).run({ model: 'Interaction', until }))
  }

  const adapter = (model: string): Adapter => ({
    async upsert(id, payload, expiresIn) {
      const { jti: _, session, ...rest } = payload as AdapterPayload & { session?: Record<string, unknown> }
      // The interaction's copy of the session contains its cookie value, which nothing reads back.
      const { cookie: __, ...sessionData } = session ?? {}
      const stored = session === undefined ? rest : { ...rest, session: sessionData }
      const expiresAt = payload.exp ?? seconds() + (expiresIn ?? 0)
      // A sign-in after a right password was measured when it began, and has grown since.
      const isStranger = [session, payload.result, payload.lastSubmission].every((of) => of === undefined)
      if (model === 'Interaction' && isStranger) await makeRoom(stored, expiresAt)
      const accountId = text(payload.accountId)
      const ended = await write(null, (tx) => {
        if (model === 'Session' && one(tx).get({ model: GONE, id: payload.uid ?? '' })) return false
        const isNew = model === 'Session' && accountId !== null && !one(tx).get({ model, id: digest(id) })
        put(tx).run({
          model,
          id: digest(id),
          payload: stored,
          // A grant's row carries its own id too, so that one statement ends a grant with everything that belongs to
          // it.
          grantId: model === 'Grant' ? id : text(payload.grantId),
          uid: text(payload.uid),
          accountId,
          expiresAt,
        })
        const beyond = isNew ? sessionsBeyond(tx).all({ accountId }) : []
        for (const row of beyond) endOne(tx, row)
        if (model === 'RefreshToken') forgetRotated(tx).run({ grantId: text(payload.grantId) })
        // A session that an app uses lives on even if its browser cookie was not sent.
        const sessionUid = (payload as { sessionUid?: unknown }).sessionUid
        if (model === 'RefreshToken' && typeof sessionUid === 'string')
          prolong(tx).run({ uid: sessionUid, until: expiresAt })
        return beyond.length > 0
      })
      if (ended) tell([accountId])
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
      // Two exchanges of one code at the same moment: the library saw the code unused both times.
      if (!first && model === 'AuthorizationCode') throw new InvalidGrant('authorization code already consumed')
    },
    async destroy(id) {
      // The library destroys a refresh token before its grant, when it is revoked or reused: end everything else of the
      // session too.
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

  /** Ends an account's sessions, except one if named, with their grants, codes and refresh tokens. */
  function endSessions(tx: Tx, accountId: string, keep?: string): void {
    const rows = ofAccount(tx).all({ accountId })
    const keptGrants = new Set(rows.filter((r) => r.model === 'Session' && r.uid === keep).flatMap(grantsOf))
    for (const row of rows) {
      if (row.model === 'Session' ? row.uid === keep : keptGrants.has(row.grantId ?? '')) continue
      if (row.model === 'Session' && row.uid) endWhole(tx, row.uid)
      remove(tx).run({ model: row.model, id: row.id })
    }
  }

  return {
    adapter,
    endSessions,
    /** Ends one session by its `sid`; false when the account has none of that id. */
    async endSession(accountId: string, uid: string): Promise<boolean> {
      const ended = await write(null, (tx) => {
        const row = byUid(tx).get({ model: 'Session', uid })
        if (row?.accountId !== accountId) return false
        endOne(tx, row)
        return true
      })
      if (ended) tell([accountId])
      return ended
    },
    /** Whether the session's tokens issued up to `iat` (epoch seconds) are revoked. */
    tokensEnded(sid: unknown, iat: number): boolean {
      const at = typeof sid === 'string' ? one(db).get({ model: ENDED, id: sid })?.payload.at : undefined
      return typeof at === 'number' && iat <= at
    },
    /** Called with the account after its tokens were ended. */
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
    /** Deletes expired rows in small batches, so that requests can run in between. */
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
