import { join } from 'node:path'
import { openStore } from '../db/open.ts'
import manifest from '../package.json' with { type: 'json' }
import { unzip } from './adapters/archive/unzip.ts'
import { zip } from './adapters/archive/zip.ts'
import { createAside } from './adapters/aside/thread.ts'
import { planOf, readState } from './adapters/backups/run.ts'
import { createBackups } from './adapters/backups/thread.ts'
import { openBlobs } from './adapters/blobs/blobs.ts'
import { createLinks } from './adapters/blobs/links.ts'
import { createRoom } from './adapters/blobs/room.ts'
import { copyLongLogs } from './adapters/checkpoints/checkpoints.ts'
import { createEmbeddedIdentity } from './adapters/identity/embedded/embedded.ts'
import { WrongMasterKey } from './adapters/identity/embedded/rows/keys.ts'
import { createKeycloakIdentity } from './adapters/identity/keycloak/keycloak.ts'
import { createRemoteKeys } from './adapters/identity/keys/jwks.ts'
import { localKeys } from './adapters/identity/keys/local-keys.ts'
import { createVerifier } from './adapters/identity/verify.ts'
import { findDecoder } from './adapters/images/decoder.ts'
import { createImages } from './adapters/images/images.ts'
import { checkInThread } from './adapters/integrity/check.ts'
import { counted } from './adapters/messaging/counted.ts'
import { createMessenger } from './adapters/messaging/messenger.ts'
import type { Outbound } from './adapters/outbound/port.ts'
import { createPdf } from './adapters/pdf/pool.ts'
import { createLongReads } from './adapters/reads/thread.ts'
import { createTables } from './adapters/tables/tables.ts'
import { listenToChanges } from './changes/record.ts'
import { listeners } from './changes/registry.ts'
import type { Config } from './config.ts'
import { createIdSource } from './context.ts'
import type { Reach } from './core/addresses.ts'
import type { Deps } from './deps.ts'
import { AppError } from './errors.ts'
import { resolveCaller } from './features/people/accounts/account.ts'
import { factorNews } from './features/people/accounts/second-factor.ts'
import { termsInForce } from './features/people/legal/service.ts'
import { readLegal } from './features/people/legal/texts.ts'
import { movableClock } from './features/system/demo/clock.ts'
import { inboxMessenger } from './features/system/demo/messenger.ts'
import { isDemo, isDemoAccount } from './features/system/demo/service.ts'
import { createSetup } from './features/system/setup/service.ts'
import { createAccess } from './http/auth.ts'
import { createObserver } from './http/observe.ts'
import { masterKey, refuseLostDatabase, refuseLostKey, wrongKey } from './keys.ts'
import type { Log } from './log.ts'
import { type Clock, confirmationIn, openTime, type Time } from './time.ts'

export type Running = {
  readonly deps: Deps
  /** Interrupts long work, so that the scheduler stops soon. */
  readonly stop: () => void
  readonly close: () => Promise<void>
}

/** Opens what the settings name and selects the adapters. @throws StoreError with a sentence and an exit code */
export async function buildDeps(config: Config, log: Log): Promise<Running> {
  listenToChanges(listeners)
  refuseLostDatabase(config)
  const store = openStore(config.databaseFile, refuseLostKey(config.dataDir))
  try {
    const key = masterKey(config.dataDir)
    copyLongLogs(store)
    const { db, write } = store
    const time = await openTime(store, log, Date.now, confirmationIn(config.dataDir))
    const movable = config.sandbox ? movableClock(store, time.now) : undefined
    const clock: Clock = movable ?? { now: time.now, wall: time.now }
    const newId = createIdSource(clock.now)
    const plan = planOf(config, manifest.version)
    const stopping = new AbortController()
    const base = {
      store,
      db,
      write,
      clock,
      newId,
      config,
      log,
      masterKey: key,
      blobs: openBlobs(config, 'media'),
      room: createRoom(config.dataDir),
      links: createLinks(key, config.publicUrl, clock.wall, time.resets),
      images: createImages(await findDecoder()),
      checkDatabase: checkInThread,
      longReads: createLongReads(store, { dataDir: config.dataDir, files: config.files }),
      backups: plan && store.file !== ':memory:' ? createBackups(plan, clock.wall) : undefined,
      backupState: store.file === ':memory:' ? undefined : () => readState(config.dataDir),
      aside:
        store.file === ':memory:'
          ? undefined
          : createAside({
              file: store.file,
              files: { dataDir: config.dataDir, files: config.files },
              ahead: () => clock.now() - clock.wall(),
              lead: time.lead,
              lend: store.lend,
            }),
      zip,
      unzip,
      outbound: outbound(config.webhookReach),
      tables: createTables(zip),
      documents: openBlobs(config, 'documents'),
      pdf: createPdf(),
      stopping: stopping.signal,
      checkAnswers: false,
      legal: readLegal(config.dataDir),
      advanceClock: movable?.advance,
    }
    // Loaded only if the settings ask for it, so that it costs nothing otherwise.
    const traces =
      config.collector &&
      (await import('./adapters/tracing/tracing.ts')).openTraces(config.collector, manifest.version, clock.wall)
    const observer = createObserver(log, traces)
    const vendors = createMessenger(config.messaging, log)
    const messenger = counted(
      config.sandbox ? inboxMessenger(vendors, base, () => isDemo(base.db)) : vendors,
      observer,
      config.messagePrices,
    )
    const { keys, issuer, identity, embedded, algorithms } = await identityProvider(config, {
      ...base,
      messenger,
      time,
    })
    // Another machine's tokens are judged by its clock, which is not ahead when the service's time is.
    const wall = embedded ? clock.wall : time.machine
    const verifier = createVerifier({ issuer, audience: 'svc-api', algorithms, keys, wall })
    const resolve = resolveCaller({ ...base, messenger })
    const access = createAccess(verifier, async (claims) => {
      if (embedded?.tokensEnded(claims.sid, claims.iat)) throw new AppError('unauthorized')
      return resolve(claims)
    })
    embedded?.onTokensEnded(access.forget)
    return {
      deps: {
        ...base,
        messenger,
        access,
        observer,
        identity,
        embedded,
        setup: embedded && createSetup(base),
        time,
      },
      stop: () => {
        stopping.abort()
        void base.aside?.close()
      },
      close: async () => {
        const threads = [base.pdf, base.aside, base.longReads, base.backups]
        await Promise.all([...threads.map((thread) => thread?.close()), traces?.end()])
        await store.close()
      },
    }
  } catch (e) {
    await store.close()
    throw e instanceof WrongMasterKey ? wrongKey(config.dataDir, e) : e
  }
}

/** Node's HTTP client is loaded at the first request. */
const outbound = (reach: Reach): Outbound => ({
  async post(url, headers, body) {
    const { createOutbound } = await import('./adapters/outbound/outbound.ts')
    return createOutbound({ reach }).post(url, headers, body)
  },
  async leadsInside(url) {
    const { createOutbound } = await import('./adapters/outbound/outbound.ts')
    return createOutbound({ reach }).leadsInside(url)
  },
})

const ask = (url: string, init: RequestInit): Promise<Response> => fetch(url, init)

type Base = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'masterKey' | 'config' | 'messenger' | 'legal'> & {
  readonly time: Time
}

/** The embedded provider, or the key set and the accounts of the external one. */
async function identityProvider(config: Config, base: Base) {
  const { db, write, clock, time, newId, log, masterKey: key } = base
  const { authUrl, authAdminClientSecret: secret } = config
  if (authUrl !== undefined) {
    const issuer = `${authUrl}/realms/svc`
    const url = `${issuer}/protocol/openid-connect/certs`
    const keys = createRemoteKeys({
      url,
      file: join(config.dataDir, 'keys', 'issuer.json'),
      fetch: ask,
      wall: clock.wall,
      log,
    })
    const { wall, now } = clock
    const identity =
      secret === undefined
        ? undefined
        : createKeycloakIdentity({ authUrl, secret, db, write, wall, now, fetch: ask, log })
    return { issuer, keys, identity, embedded: undefined, algorithms: ['RS256', 'ES256', 'EdDSA'] }
  }
  const { publicUrl, sandbox, redirectUris, signingAlg: alg, corsOrigins } = config
  const embedded = await createEmbeddedIdentity({
    db,
    write,
    wall: clock.wall,
    machine: time.machine,
    now: clock.now,
    newId,
    config: {
      ...{ publicUrl, sandbox, redirectUris, alg, corsOrigins, addressLimit: config.rateLimits ? 20 : 0 },
      // Both doors ask for a code first, which nobody would get.
      links: base.messenger.mute ? {} : { register: '/register', reset: '/recover' },
    },
    masterKey: key,
    log,
    factorNews: factorNews(base),
    terms: termsInForce(base),
    isOpen: (userId) => sandbox && isDemoAccount(db, userId),
  })
  const { issuer, identity } = embedded
  return { issuer, keys: localKeys(embedded), identity, embedded, algorithms: ['RS256', 'ES256'] }
}
