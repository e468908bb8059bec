import { type CryptoKey, createLocalJWKSet, errors } from 'jose'
import { DAY_MS } from '../../../core/dates.ts'
import { AppError } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import { trustedUrl, within } from '../outbound.ts'
import { type KeySet, loadKeySet, MAX_BYTES, readKeySet, saveKeySet } from './key-set.ts'

/** 401: the key set was fetched recently and has no such key. */
export class UnknownKey extends AppError {
  constructor() {
    super('unauthorized')
    this.name = 'UnknownKey'
  }
}

/** 503: the token cannot be checked now. `details.retryAfter` in seconds. */
export class KeysUnavailable extends AppError {
  constructor(retryAfter: number, cause?: unknown) {
    super('identity_unavailable', undefined, { retryAfter }, cause)
    this.name = 'KeysUnavailable'
  }
}

export type RemoteKeysOptions = {
  readonly url: string
  /** The file that caches the last good key set (0600) for a start while the provider is down; undefined disables it. */
  readonly file: string | undefined
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** Real time, milliseconds of the Unix epoch. */
  readonly wall: () => number
  readonly log: Pick<Log, 'warn'>
  /** Monotonic milliseconds; only tests replace it. */
  readonly monotonic?: () => number
  /** Timeout of one fetch in milliseconds, body included; default 3,000. */
  readonly timeout?: number
}

export type RemoteKeysState = {
  readonly source: 'none' | 'disk' | 'network'
  readonly keys: number
  /** Age of the current key set in seconds. */
  readonly ageSeconds?: number
  readonly lastFetch: 'none' | 'ok' | 'failed'
  /** False without a key set, or with one older than 24 h: unverified tokens are then answered 503. */
  readonly usable: boolean
}

export type RemoteKeys = {
  /** The public key for a token header. Rejects with UnknownKey (401) or KeysUnavailable (503). */
  readonly find: (header: { readonly kid?: string; readonly alg: string }) => Promise<CryptoKey>
  /** Called after the keys have changed; a listener must not throw. */
  readonly onChange: (listener: () => void) => void
  readonly state: () => RemoteKeysState
}

type Held = KeySet & {
  readonly lookup: ReturnType<typeof createLocalJWKSet>
  readonly source: 'disk' | 'network'
  readonly wallAt: number
  readonly tickAt: number
}

const FRESH = 600_000
const STALE = DAY_MS
const COOL_DOWN = 30_000

/**
 * Caches the provider's public keys through its outages (jose's own remote set drops them, and refetches without
 * pause). Fresh for 600 s, then refreshed in the background; usable up to 24 h while refreshing fails; at least 30 s
 * between fetches whatever their outcome; one fetch at a time; redirects, more than 256 KiB and slow answers are
 * failures. key-set.ts decides which keys of a set are accepted. Throws TypeError for a `url` that is neither https nor
 * loopback.
 */
export function createRemoteKeys(options: RemoteKeysOptions): RemoteKeys {
  const { file, log, wall } = options
  const monotonic = options.monotonic ?? (() => performance.now())
  const url = trustedUrl(options.url)
  const listeners: (() => void)[] = []
  let keySet: Held | undefined
  let last: { readonly ok: boolean; readonly at: number } | undefined
  let flight: Promise<void> | undefined

  // The later of two clocks: a wall clock set back must not make old keys young, and a monotonic one stops in sleep.
  const age = (set: Held): number => Math.max(wall() - set.wallAt, monotonic() - set.tickAt, 0)
  const current = (): Held | undefined => (keySet && age(keySet) <= STALE ? keySet : undefined)
  const coolDown = (): number => (last ? Math.max(0, COOL_DOWN - (monotonic() - last.at)) : 0)

  function adopt(set: KeySet, source: Held['source'], fetchedAt: number): void {
    const changed = keySet !== undefined && keySet.fingerprint !== set.fingerprint
    const tickAt = monotonic() - Math.max(0, wall() - fetchedAt)
    keySet = { ...set, lookup: createLocalJWKSet({ keys: [...set.keys] }), source, wallAt: fetchedAt, tickAt }
    if (changed) for (const listener of listeners) listener()
  }

  async function fetchOnce(): Promise<void> {
    try {
      const body = await within(options.timeout ?? 3_000, (signal) => download(options.fetch, url, signal))
      const set = await readKeySet(body, log)
      const fetchedAt = wall()
      adopt(set, 'network', fetchedAt)
      last = { ok: true, at: monotonic() }
      if (file !== undefined) saveKeySet(file, url, set, fetchedAt, log)
    } catch (error) {
      last = { ok: false, at: monotonic() }
      log.warn('identity_keys_fetch_failed', { reason: String(error) })
    }
  }

  /** Joins the fetch in flight or starts one; undefined during the cool-down. Never rejects. */
  function refresh(): Promise<void> | undefined {
    if (!flight && coolDown() > 0) return undefined
    flight ??= fetchOnce().finally(() => {
      flight = undefined
    })
    return flight
  }

  async function restore(path: string): Promise<void> {
    const saved = await loadKeySet(path, url, log)
    if (!saved || keySet) return
    // A fetch time slightly in the future is accepted: a clock set back must not lock everybody out.
    if (Math.abs(wall() - saved.fetchedAt) <= STALE) adopt(saved.set, 'disk', saved.fetchedAt)
    else log.warn('identity_keys_file_ignored', { reason: 'older than 24 h' })
  }
  const restored = file === undefined ? undefined : restore(file)

  async function find(header: { readonly kid?: string; readonly alg: string }): Promise<CryptoKey> {
    await restored
    const known = current()
    if (known) {
      // Not awaited, so that a token with a cached key never waits for a slow provider.
      if (age(known) > FRESH) refresh()
      const key = await pick(known, header)
      if (key) return key
      // The key exists for another algorithm: a fetch would not help.
      if (header.kid !== undefined && known.kids.has(header.kid)) throw new UnknownKey()
    }
    await refresh()
    const fetched = current()
    const key = fetched && (await pick(fetched, header))
    if (key) return key
    if (fetched && last?.ok) throw new UnknownKey()
    throw new KeysUnavailable(Math.max(1, Math.ceil(coolDown() / 1000)))
  }

  function state(): RemoteKeysState {
    return {
      source: keySet?.source ?? 'none',
      keys: keySet?.keys.length ?? 0,
      ...(keySet ? { ageSeconds: Math.round(age(keySet) / 1000) } : {}),
      lastFetch: last === undefined ? 'none' : last.ok ? 'ok' : 'failed',
      usable: current() !== undefined,
    }
  }

  return { find, onChange: (listener) => void listeners.push(listener), state }
}

async function pick(
  set: Held,
  header: { readonly kid?: string; readonly alg: string },
): Promise<CryptoKey | undefined> {
  try {
    return await set.lookup({ ...header })
  } catch (error) {
    // No key fits, or several fit and the token names none.
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

async function download(fetch: RemoteKeysOptions['fetch'], url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual', signal })
  if (response.status !== 200) throw new Error(`status ${response.status}`)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let [text, size] = ['', 0]
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
