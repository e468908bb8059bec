import {
  createRemoteKeys,
  KeysUnavailable,
  type RemoteKeys,
  UnknownKey,
} from '../../src/adapters/identity/keys/jwks.ts'
import { createVerifier, TokenRefused } from '../../src/adapters/identity/verify.ts'
import { createIssuer, type KeyServer, type TestKey } from './tokens.ts'

export const ISSUER = 'https://id.example.cm/realms/svc'
export const START = Date.UTC(2026, 2, 1, 12)
export const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

/** Time that only the test moves. `setBack` moves the wall clock alone, as an operator or NTP does. */
export function createClock() {
  let [wall, ticks] = [START, 1_000]
  return {
    wall: () => wall,
    monotonic: () => ticks,
    pass: (ms: number) => {
      wall += ms
      ticks += ms
    },
    setBack: (ms: number) => {
      wall -= ms
    },
  }
}

type Options = { readonly file?: string; readonly timeout?: number; readonly clock?: ReturnType<typeof createClock> }

/** Remote keys and a verifier over a stub server, with the times of all outbound fetches. */
export function createWorld(server: KeyServer, key: TestKey, { file, timeout, clock = createClock() }: Options = {}) {
  const fetches: number[] = []
  const warnings: string[] = []
  const keys: RemoteKeys = createRemoteKeys({
    url: server.url,
    file,
    fetch: (url, init) => {
      fetches.push(clock.monotonic())
      return fetch(url, init)
    },
    wall: clock.wall,
    monotonic: clock.monotonic,
    // A short wait where no answer is expected; a long one where a busy machine may answer late.
    get timeout() {
      return timeout ?? (server.mode === 'slow' ? 30 : 3_000)
    },
    log: { warn: (event, fields) => void warnings.push(`${event} ${JSON.stringify(fields)}`) },
  })
  const verifier = createVerifier({ issuer: ISSUER, audience: 'svc-api', keys, wall: clock.wall })
  const idp = createIssuer(ISSUER, clock.wall, key)
  let serial = 0
  /** What a caller with a new, good token of `signer` is told: 200, 401 or 503. */
  const ask = (signer = key): Promise<200 | 401 | 503> =>
    verifier.verify(idp.mint({ key: signer, claims: { jti: `${serial++}` } })).then(
      () => 200,
      (error: unknown) => {
        if (error instanceof TokenRefused || error instanceof UnknownKey) return 401
        if (error instanceof KeysUnavailable && Number(error.details.retryAfter) >= 1) return 503
        throw error
      },
    )
  /** The most fetches in any 60 s. */
  const perMinute = () =>
    Math.max(0, ...fetches.map((from) => fetches.filter((at) => at >= from && at < from + MINUTE).length))
  return { ask, clock, fetches, keys, perMinute, verifier, warnings }
}
