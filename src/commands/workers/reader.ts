import { openReader } from '../../../db/reader.ts'
import { zip } from '../../adapters/archive/zip.ts'
import { openBlobs } from '../../adapters/blobs/blobs.ts'
import { createLinks } from '../../adapters/blobs/links.ts'
import type { EmbeddedIdentity } from '../../adapters/identity/embedded/embedded.ts'
import { createListThread } from '../../adapters/lists/thread.ts'
import { createMessenger } from '../../adapters/messaging/messenger.ts'
import type { Messenger } from '../../adapters/messaging/port.ts'
import { createLongReads } from '../../adapters/reads/thread.ts'
import { createTables } from '../../adapters/tables/tables.ts'
import type { Traces } from '../../adapters/tracing/port.ts'
import type { Config } from '../../config.ts'
import { type Access, createIdSource } from '../../context.ts'
import type { Deps } from '../../deps.ts'
import { HandedOn } from '../../errors.ts'
import { readLegal } from '../../features/people/legal/texts.ts'
import { createObserver } from '../../http/observe.ts'
import { masterKey } from '../../keys.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../../time.ts'
import type { Memory } from './memory.ts'

const handOn = (): never => {
  throw new HandedOn()
}
/** Stands in for dependencies of the writer: a request that needs more of one than `known` goes to the writer. */
const ofWriter = <T extends object>(known: Partial<T> = {}): T =>
  new Proxy(known as T, {
    get: (target, name) => (Object.hasOwn(target, name) ? Reflect.get(target, name) : handOn()),
  })

/** The same times as the writer's: it tells how far they are from the machine's clock. */
function clockOf({ lead, times }: Memory): Clock {
  return {
    wall: () => Date.now() + lead(),
    now() {
      const { lead, business } = times()
      return Date.now() + lead + business
    },
  }
}

/** The dependencies of a process that answers reads beside the writer. `epoch`: that of the writer's store. */
export function buildReader(
  config: Config,
  log: Log,
  {
    memory,
    epoch,
    access,
    traces,
  }: {
    readonly memory: Memory
    readonly epoch: string
    readonly access: Access
    readonly traces: Traces | undefined
  },
): { readonly deps: Deps; readonly arrive: () => void; readonly close: () => Promise<void> } {
  const store = openReader(config.databaseFile, epoch, memory)
  const clock = clockOf(memory)
  const key = masterKey(config.dataDir)
  const stopping = new AbortController()
  const listThread = createListThread(config.databaseFile)
  const longReads = createLongReads(store, { dataDir: config.dataDir, files: config.files })
  const deps: Deps = {
    store,
    db: store.db,
    write: store.write,
    clock,
    newId: createIdSource(clock.now),
    config,
    log,
    observer: createObserver(log, traces),
    messenger: ofWriter<Messenger>({ vendors: createMessenger(config.messaging, log).vendors }),
    outbound: ofWriter(),
    blobs: openBlobs(config, 'media'),
    links: createLinks(key, config.publicUrl, clock.wall, () => memory.times().resets),
    images: ofWriter(),
    time: ofWriter(),
    room: ofWriter(),
    checkDatabase: handOn,
    backups: ofWriter(),
    backupState: handOn,
    importThread: ofWriter(),
    listThread,
    longReads,
    zip,
    unzip: handOn,
    tables: createTables(zip),
    documents: openBlobs(config, 'documents'),
    pdf: ofWriter(),
    legal: readLegal(config.dataDir),
    access,
    identity: ofWriter(),
    // The pages ask for the issuer when the app is built.
    embedded:
      config.authUrl === undefined
        ? ofWriter<EmbeddedIdentity>({ issuer: `${config.publicUrl}/realms/svc` })
        : undefined,
    masterKey: key,
    stopping: stopping.signal,
    team: { limiter: memory.limiter, inTurn: handOn },
    checkAnswers: false,
  }
  return {
    deps,
    arrive: store.arrive,
    close: async () => {
      stopping.abort()
      await Promise.all([listThread.close(), longReads.close(), store.close(), traces?.end()])
    },
  }
}
