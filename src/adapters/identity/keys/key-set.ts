import { createHash, hash } from 'node:crypto'
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { importJWK, type JWK } from 'jose'
import type { Log } from '../../../log.ts'

type Warn = Pick<Log, 'warn'>

/** Public signing keys only, with nothing but the members that verification needs. */
export type KeySet = {
  readonly keys: readonly JWK[]
  readonly kids: ReadonlySet<string>
  /** Equal for equal keys, in whatever order the provider lists them. */
  readonly fingerprint: string
}

export const MAX_BYTES = 262_144
const MAX_KEYS = 20
const PUBLIC_MEMBERS = ['kty', 'kid', 'alg', 'use', 'key_ops', 'crv', 'n', 'e', 'x', 'y'] as const
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'priv', 'k']
const BY_CURVE: Readonly<Record<string, string>> = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' }
/** Base64url characters of a 2048-bit modulus (256 bytes). */
const MIN_MODULUS = 342

/**
 * Reads a JWK Set (RFC 7517). Encryption keys are left out silently, as Keycloak publishes one. A private, symmetric,
 * weak or unreadable key is left out and logged, and the rest is used: refusing the whole set would lock everybody out
 * for one bad entry, while tokens of a leaked key stop here at once. Throws Error for no JSON, no set, more than 20
 * keys, or no key left (unless a leaked one was the reason).
 */
export async function readKeySet(body: string, log: Warn): Promise<KeySet> {
  const listed = member(JSON.parse(body), 'keys')
  if (!Array.isArray(listed)) throw new Error('not a key set')
  if (listed.length > MAX_KEYS) throw new Error(`more than ${MAX_KEYS} keys`)
  const keys: JWK[] = []
  let leaked = false
  for (const value of listed) {
    const use = member(value, 'use')
    if (use !== undefined && use !== 'sig') continue
    const fault = await faultOf(value)
    if (fault === undefined) keys.push(publicPart(value))
    else log.warn('identity_key_dropped', { kid: String(member(value, 'kid')).slice(0, 64), reason: fault })
    if (fault === 'private key published') leaked = true
  }
  if (keys.length === 0 && !leaked) throw new Error('no usable key')
  const canonical = keys.map((key) => JSON.stringify(key)).sort()
  return {
    keys,
    kids: new Set(keys.flatMap((key) => key.kid ?? [])),
    fingerprint: hash('sha256', canonical.join('\n'), 'base64'),
  }
}

async function faultOf(value: unknown): Promise<string | undefined> {
  const kty = member(value, 'kty')
  const kid = member(value, 'kid')
  if (kty === 'oct' || typeof kty !== 'string') return 'not an asymmetric key'
  if (PRIVATE_MEMBERS.some((name) => member(value, name) !== undefined)) return 'private key published'
  if (kid !== undefined && typeof kid !== 'string') return 'kid is no string'
  const jwk = publicPart(value)
  if (kty === 'RSA' && (typeof jwk.n !== 'string' || jwk.n.length < MIN_MODULUS)) return 'modulus under 2048 bits'
  const usual = kty === 'RSA' ? 'RS256' : kty === 'OKP' ? 'EdDSA' : (BY_CURVE[jwk.crv ?? ''] ?? 'ES256')
  try {
    await importJWK(jwk, jwk.alg ?? usual)
    return undefined
  } catch {
    return 'unreadable key'
  }
}

function publicPart(value: unknown): JWK {
  const entries = PUBLIC_MEMBERS.map((name) => [name, member(value, name)]).filter(([, part]) => part !== undefined)
  return Object.fromEntries(entries)
}

export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
}

const seal = (url: string, fetchedAt: number, keys: readonly unknown[]): string =>
  createHash('sha256')
    .update(JSON.stringify([url, fetchedAt, keys]))
    .digest('base64')

/**
 * Writes the key set to `file` (0600) by rename, so that a crash leaves either the old file or the new. Failures are
 * logged.
 */
export function saveKeySet(file: string, url: string, set: KeySet, fetchedAt: number, log: Warn): void {
  const draft = `${file}.tmp`
  try {
    // A leftover of a crash may have other permissions, and 'wx' does not follow a planted link.
    rmSync(draft, { force: true })
    const content = { version: 1, url, fetchedAt, keys: set.keys, sha256: seal(url, fetchedAt, set.keys) }
    writeFileSync(draft, JSON.stringify(content), { flag: 'wx', mode: 0o600 })
    renameSync(draft, file)
  } catch (error) {
    log.warn('identity_keys_not_saved', { reason: String(error) })
  }
}

/**
 * Reads what saveKeySet wrote, and validates it like a download. Undefined when the file is absent, or (logged) when it
 * is damaged, edited or another provider's. `fetchedAt` in milliseconds. The checksum detects damage, not forgery: a
 * writer of the data folder can change the database as well.
 */
export async function loadKeySet(
  file: string,
  url: string,
  log: Warn,
): Promise<{ readonly set: KeySet; readonly fetchedAt: number } | undefined> {
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
    if (statSync(file).size > 2 * MAX_BYTES) throw new Error('too large')
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const keys = member(content, 'keys')
    const fetchedAt = member(content, 'fetchedAt')
    if (member(content, 'url') !== url) throw new Error('of another provider')
    if (!Array.isArray(keys) || typeof fetchedAt !== 'number') throw new Error('misshapen')
    if (member(content, 'sha256') !== seal(url, fetchedAt, keys)) throw new Error('checksum')
    return { set: await readKeySet(JSON.stringify({ keys }), log), fetchedAt }
  } catch (error) {
    log.warn('identity_keys_file_ignored', { reason: String(error) })
    return undefined
  }
}
