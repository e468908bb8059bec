import { gt, lt } from 'drizzle-orm'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose'
import type { Db, Tx, Write } from '../../../../../db/open.ts'
import { query } from '../../../../../db/query.ts'
import { signingKey } from '../../../../../db/schema/identity.ts'
import { deriveKey as derive, seal, unseal } from '../../../../core/seal.ts'
import { dropEveryCode, dropSealed } from '../factors/factor-rows.ts'

export type Alg = 'RS256' | 'ES256'
type Row = typeof signingKey.$inferSelect

/** Relying parties may cache the published keys this long, so a new key is published this long before it signs. */
const PUBLISH_SECONDS = 600
/** Lifetime of access and ID tokens plus the allowed clock difference. */
const VERIFY_SECONDS = 300 + 60
/** Sign-out accepts old ID tokens as hints, so their keys are stored (not published) as long as a sign-in lasts. */
const HINT_SECONDS = 30 * 86_400

export type KeyDeps = {
  readonly db: Db
  readonly write: Write
  readonly wall: () => number
  readonly masterKey: Uint8Array
  /** The signing algorithms: each has its own key, and all keys rotate together. */
  readonly algs: readonly Alg[]
}

/** The master key differs from the one that wrapped the signing keys. */
export class WrongMasterKey extends Error {}

/** Derives a 32-byte key for one purpose: cookies, forms and wrapped keys never share a key. */
export const deriveKey = (masterKey: Uint8Array, purpose: string): Buffer => derive(masterKey, `identity ${purpose}`)

const all = query('signingKey.all', [], (db) =>
  db.select().from(signingKey).orderBy(signingKey.useFrom, signingKey.createdAt),
)
const add = query('signingKey.add', ['kid', 'alg', 'publicJwk', 'wrappedJwk', 'useFrom', 'createdAt'], (db, p) =>
  db.insert(signingKey).values({
    kid: p.kid,
    alg: p.alg,
    publicJwk: p.publicJwk,
    wrappedJwk: p.wrappedJwk,
    useFrom: p.useFrom,
    createdAt: p.createdAt,
  }),
)
const dropBefore = query('signingKey.dropBefore', ['useFrom'], (db, p) =>
  db.delete(signingKey).where(lt(signingKey.useFrom, p.useFrom)),
)

const dropWaiting = query('signingKey.dropWaiting', ['now'], (db, p) =>
  db.delete(signingKey).where(gt(signingKey.useFrom, p.now)),
)

const dropAll = query('signingKey.dropAll', [], (db) => db.delete(signingKey))
/** Deletes what only a lost master key could decrypt; tokens signed with those keys become invalid. */
export function forgetKeys(tx: Tx): void {
  dropAll(tx).run({})
  // Passkeys survive, because only their public keys are stored; apps and recovery codes have to be set up again.
  dropSealed(tx).run({})
  dropEveryCode(tx).run({})
}

function unwrap(key: Uint8Array, context: string, wrapped: string): string {
  try {
    return unseal(key, context, wrapped)
  } catch (e) {
    throw new WrongMasterKey(`cannot open ${context}`, { cause: e })
  }
}

/**
 * The signing keys, kept in the database and wrapped with the master key. Opening makes the first keys, or new ones
 * when other algorithms are asked for. @throws WrongMasterKey, and has changed nothing
 */
export async function openKeys(deps: KeyDeps) {
  const { db, write, wall, masterKey } = deps
  const algs = [...new Set(deps.algs)]
  const now = () => Math.floor(wall() / 1000)
  const wrapping = deriveKey(masterKey, 'signing keys')
  // The wrapping is bound to the key's id and algorithm, so that rows cannot be swapped.
  const contextOf = (row: Pick<Row, 'kid' | 'alg'>) => `${row.alg}.${row.kid}`

  async function newKey(alg: Alg) {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 })
    const [secret, open] = [await exportJWK(privateKey), await exportJWK(publicKey)]
    const kid = await calculateJwkThumbprint(open)
    const publicJwk = { ...open, kid, alg, use: 'sig' }
    const wrappedJwk = seal(wrapping, contextOf({ kid, alg }), JSON.stringify({ ...secret, kid, alg, use: 'sig' }))
    return { kid, alg, publicJwk, wrappedJwk }
  }
  async function generate(useFrom: number): Promise<void> {
    const keys = await Promise.all(algs.map(newKey))
    // Keys made together share one creation time, which distinguishes them from keys of another start in the same
    // second.
    const last = Math.max(...rows.map((row) => Date.parse(row.createdAt)), 0)
    const createdAt = new Date(Math.max(wall(), last + 1)).toISOString()
    await write(null, (tx) => {
      for (const key of keys) add(tx).run({ ...key, useFrom, createdAt })
    })
    load()
  }

  let rows: readonly Row[] = []
  const secrets = new Map<string, JWK>()
  function load(): void {
    rows = all(db).all({})
    for (const row of rows)
      if (!secrets.has(row.kid)) secrets.set(row.kid, JSON.parse(unwrap(wrapping, contextOf(row), row.wrappedJwk)))
  }

  const begun = (): readonly Row[] => rows.filter((row) => row.useFrom <= now())
  /** When a key stopped signing, that is, when its successor started; undefined while it signs or waits. */
  const endOf = (row: Row): number | undefined =>
    begun().find((r) => r.useFrom >= row.useFrom && r.createdAt > row.createdAt)?.useFrom

  /** Whether the keys of this set use the configured algorithms. */
  const fits = (one: Row | undefined): boolean => {
    const together = rows.filter((row) => row.createdAt === one?.createdAt)
    return together.length === algs.length && together.every((row) => algs.includes(row.alg))
  }

  load()
  const fitting = fits(begun().at(-1))
  if (!fitting || !fits(rows.at(-1))) {
    // Waiting keys of the previously configured algorithms must not become current.
    await write(null, (tx) => void dropWaiting(tx).run({ now: now() }))
    load()
  }
  if (!fitting) await generate(now())

  return {
    /** Reads the keys again after another node made or dropped some. */
    /** One of the current signing keys; another object after each rotation. */
    current(): string {
      const kid = begun().at(-1)?.kid
      if (kid === undefined) throw new Error('no signing key')
      return kid
    },
    /** The current signing keys first, then older ones that sign-out hints may still need. */
    signingSet(): { keys: JWK[] } {
      const wanted = begun()
        .toReversed()
        .filter((row) => (endOf(row) ?? now()) + HINT_SECONDS > now())
      return { keys: wanted.flatMap((row) => secrets.get(row.kid) ?? []) }
    },
    /** The next, the current, and past keys as long as one of their tokens may live. */
    publicSet(): JSONWebKeySet {
      const wanted = rows.filter((row) => (endOf(row) ?? now()) + VERIFY_SECONDS > now())
      return { keys: wanted.map((row) => ({ ...row.publicJwk, kty: row.publicJwk.kty ?? '' })) }
    },
    /** Makes the next keys, which sign ten minutes later; does nothing while a set is waiting. */
    async rotate(): Promise<void> {
      if (!rows.some((row) => row.useFrom > now())) await generate(now() + PUBLISH_SECONDS)
    },
    /** Makes new keys that sign at once, after all keys were deleted. */
    async renew(): Promise<void> {
      load()
      await generate(now())
    },
    /** Age of the signing keys in seconds. */
    age: (): number => now() - (begun().at(-1)?.useFrom ?? now()),
    /** Deletes keys that no hint can need: their successor has signed for longer than a sign-in lasts. */
    async purge(): Promise<void> {
      const signing = begun().findLast((row) => row.useFrom + HINT_SECONDS + VERIFY_SECONDS < now())
      if (!signing) return
      await write(null, (tx) => void dropBefore(tx).run({ useFrom: signing.useFrom }))
      load()
    },
  }
}
export type Keys = Awaited<ReturnType<typeof openKeys>>
