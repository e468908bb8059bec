import { join } from 'node:path'
import { type Db, openStore, type Store, type Write } from '../db/open.ts'
import manifest from '../package.json' with { type: 'json' }
import type { Unzip, Zip } from './adapters/archive/port.ts'
import { unzip } from './adapters/archive/unzip.ts'
import { zip } from './adapters/archive/zip.ts'
import type { BackupState, Backups } from './adapters/backups/port.ts'
import { planOf, readState } from './adapters/backups/run.ts'
import { createBackups } from './adapters/backups/thread.ts'
import { openBlobs } from './adapters/blobs/blobs.ts'
import { createLinks, type Links } from './adapters/blobs/links.ts'
import type { Blobs, Room } from './adapters/blobs/port.ts'
import { createRoom } from './adapters/blobs/room.ts'
import { createEmbeddedIdentity, type EmbeddedIdentity } from './adapters/identity/embedded/embedded.ts'
import { WrongMasterKey } from './adapters/identity/embedded/rows/keys.ts'
import { createKeycloakIdentity } from './adapters/identity/keycloak/keycloak.ts'
import { createRemoteKeys } from './adapters/identity/keys/jwks.ts'
import { localKeys } from './adapters/identity/keys/local-keys.ts'
import type { Identity } from './adapters/identity/port.ts'
import { createVerifier } from './adapters/identity/verify.ts'
import { findDecoder } from './adapters/images/decoder.ts'
import { createImages } from './adapters/images/images.ts'
import type { Images } from './adapters/images/port.ts'
import type { ImportThread } from './adapters/imports/port.ts'
import { createImportThread } from './adapters/imports/thread.ts'
import { checkInThread } from './adapters/integrity/check.ts'
import type { CheckDatabase } from './adapters/integrity/port.ts'
import type { ListThread } from './adapters/lists/port.ts'
import { createListThread } from './adapters/lists/thread.ts'
import { counted } from './adapters/messaging/counted.ts'
import { createMessenger } from './adapters/messaging/messenger.ts'
import type { Messenger } from './adapters/messaging/port.ts'
import type { Outbound } from './adapters/outbound/port.ts'
import { createPdf } from './adapters/pdf/pool.ts'
import type { Pdf } from './adapters/pdf/port.ts'
import type { Tables } from './adapters/tables/port.ts'
import { createTables } from './adapters/tables/tables.ts'
import { listenToChanges } from './changes/record.ts'
import { listeners } from './changes/registry.ts'
import type { Config } from './config.ts'
import { createIdSource } from './core/id.ts'
import { AppError } from './errors.ts'
import { resolveCaller } from './features/people/account/service.ts'
import { type Legal, readLegal, termsInForce } from './features/people/legal/service.ts'
import { factorNews } from './features/people/second-factor/service.ts'
import { movableClock } from './features/system/sandbox/clock.ts'
import { inboxMessenger } from './features/system/sandbox/messenger.ts'
import { createSetup, type Setup } from './features/system/setup/service.ts'
import { type Access, createAccess } from './http/auth.ts'
import type { Limiter } from './http/limits.ts'
import { createObserver, type Observer, type Seen } from './http/observe.ts'
import { masterKey, refuseLostDatabase, refuseLostKey, wrongKey } from './keys.ts'
import type { Log } from './log.ts'
import { confirmationIn, openTime, type Time } from './time.ts'

/** `now` is business time (billing, createdAt, ids), `wall` real time (tokens, lifetimes, limits, links); both epoch ms. */
export type Clock = { readonly now: () => number; readonly wall: () => number }

export type Deps = {
  readonly store: Store
  readonly db: Db
  readonly write: Write
  readonly clock: Clock
  readonly newId: () => string
  readonly config: Config
  readonly log: Log
  readonly observer: Observer
  readonly messenger: Messenger
  /** Requests to addresses that users choose. */
  readonly outbound: Outbound
  /** Uploaded files, their signed links, and the preparation of photos. */
  readonly blobs: Blobs
  readonly links: Links
  readonly images: Images
  /** Keeps `clock` from going back; absent in tests, which move it. */
  readonly time?: Time | undefined
  /** Free disk space; absent where no disk is used. */
  readonly room?: Room | undefined
  /** Checks a database file for damage, outside the serving thread. */
  readonly checkDatabase: CheckDatabase
  /** Backups of the data folder; absent where they are switched off, and for a database in memory. */
  readonly backups?: Backups | undefined
  /** What is known of backups, those made by the command too; absent for a database in memory. */
  readonly backupState?: (() => BackupState) | undefined
  /** Runs imports beside the service; absent for a database in memory, which threads cannot share. */
  readonly importThread?: ImportThread | undefined
  /** Absent for a database in memory, which has one connection only. */
  readonly listThread?: ListThread | undefined
  /** Streams files as an archive. */
  readonly zip: Zip
  readonly unzip: Unzip
  /** CSV and XLSX. */
  readonly tables: Tables
  /** Generated documents: where their files are stored, and the renderer. */
  readonly documents: Blobs
  readonly pdf: Pdf
  /** The terms and privacy texts in force. */
  readonly legal: Legal
  /** Verifies bearer tokens. */
  readonly access: Access
  /** Accounts at the identity provider; absent with an external one and no AUTH_ADMIN_CLIENT_SECRET. */
  readonly identity?: Identity | undefined
  /** The embedded OpenID provider; absent when AUTH_URL names an external one. */
  readonly embedded?: EmbeddedIdentity | undefined
  /** The first run, while nobody has an account; absent with an external provider. */
  readonly setup?: Setup | undefined
  /** Moves the business date (sandbox only); returns the new business time, epoch ms. */
  readonly advanceClock?: ((days: number) => Promise<number>) | undefined
  /** Puts a demo back as it was, and resolves once that is done; absent elsewhere. @throws too_many_requests */
  readonly reset?: (() => Promise<void>) | undefined
  /** The data folder's master key, 32 bytes; each purpose derives its own key from it. */
  readonly masterKey: Uint8Array
  /** Signals shutdown: long work stops at its next chance, and continues at the next start. */
  readonly stopping: AbortSignal
  /** What the processes of one service share; absent where one process does everything. */
  readonly team?: Team | undefined
  /** Check answers against their schemas: on in tests, off in production (it costs a list a quarter of its speed). */
  readonly checkAnswers: boolean
}

/** The part of a process in a service of several. */
export type Team = {
  /** A limiter, see http/limits.ts, that counts for all processes. */
  readonly limiter: (perSecond: number, burst: number) => Limiter
  /** In a worker: leaves costly operations to the writer. */
  readonly inTurn?: <T>(userId: string, work: () => Promise<T>) => Promise<T>
  /** In the writer: its workers, how often each was started again, and the answers that they gave. */
  readonly workers?: () => { readonly wanted: number; readonly serving: number; readonly restarts: readonly number[] }
  readonly seen?: () => Promise<readonly Seen[]>
}

export type Running = {
  readonly deps: Deps
  /** Interrupts long work, so that the scheduler stops soon. */
  readonly stop: () => void
  readonly close: () => Promise<void>
}

/** Opens what the settings name and selects the adapters. `forgotten`: see verify.ts. @throws StoreError with a sentence and an exit code */
export async function buildDeps(config: Config, log: Log, forgotten?: (subject?: string) => void): Promise<Running> {
  listenToChanges(listeners)
  if (!config.primary) refuseLostDatabase(config)
  const store = config.primary
    ? await (await import('./shared.ts')).openNode(config, config.primary, log)
    : openStore(config.databaseFile, refuseLostKey(config.dataDir))
  try {
    const key = masterKey(config.dataDir)
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
      listThread: store.file === ':memory:' ? undefined : createListThread(store.file),
      backups: plan && store.file !== ':memory:' ? createBackups(plan) : undefined,
      backupState: store.file === ':memory:' ? undefined : () => readState(config.dataDir),
      importThread:
        // Changes by another connection would be missing from the log that other nodes play.
        store.file === ':memory:' || store.node
          ? undefined
          : createImportThread({
              file: store.file,
              files: { dataDir: config.dataDir, files: config.files },
              ahead: () => clock.now() - clock.wall(),
              lead: time.lead,
              lend: store.lend,
            }),
      zip,
      unzip,
      outbound: outbound(config.webhookPrivateAddresses),
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
    const messenger = counted(config.sandbox ? inboxMessenger(vendors, base) : vendors, observer, config.messagePrices)
    const { keys, issuer, identity, embedded, algorithms } = await identityProvider(config, { ...base, messenger })
    const verifier = createVerifier({ issuer, audience: 'svc-api', algorithms, keys, wall: clock.wall, forgotten })
    const resolve = resolveCaller({ ...base, messenger })
    const access = createAccess(verifier, async (claims) => {
      if (embedded?.tokensEnded(claims.sid, claims.iat)) throw new AppError('unauthorized')
      return resolve(claims)
    })
    embedded?.onTokensEnded(access.forget)
    if (store.node) (await import('./shared.ts')).learnFromOthers(store.node, { forget: verifier.forget, embedded })
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
        void base.importThread?.close()
      },
      close: async () => {
        const threads = [base.pdf, base.importThread, base.listThread, base.backups]
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
const outbound = (allowPrivate: boolean): Outbound => ({
  async post(url, headers, body) {
    const { createOutbound } = await import('./adapters/outbound/outbound.ts')
    return createOutbound({ allowPrivate }).post(url, headers, body)
  },
  async leadsInside(url) {
    const { createOutbound } = await import('./adapters/outbound/outbound.ts')
    return createOutbound({ allowPrivate }).leadsInside(url)
  },
})

const ask = (url: string, init: RequestInit): Promise<Response> => fetch(url, init)

type Base = Pick<Deps, 'db' | 'write' | 'clock' | 'newId' | 'log' | 'masterKey' | 'config' | 'messenger' | 'legal'>

/** The embedded provider, or the key set and the accounts of the external one. */
async function identityProvider(config: Config, base: Base) {
  const { db, write, clock, newId, log, masterKey: key } = base
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
    now: clock.now,
    newId,
    config: {
      ...{ publicUrl, sandbox, redirectUris, alg, corsOrigins, addressLimit: config.rateLimits ? 20 : 0 },
      links: { register: '/register', reset: '/recover' },
    },
    masterKey: key,
    log,
    factorNews: factorNews(base),
    terms: termsInForce(base),
  })
  const { issuer, identity } = embedded
  return { issuer, keys: localKeys(embedded), identity, embedded, algorithms: ['RS256', 'ES256'] }
}
