import type { Db, Store, Write } from '../db/open.ts'
import type { Unzip, Zip } from './adapters/archive/port.ts'
import type { Aside } from './adapters/aside/port.ts'
import type { BackupState, Backups } from './adapters/backups/port.ts'
import type { Links } from './adapters/blobs/links.ts'
import type { Blobs, Room } from './adapters/blobs/port.ts'
import type { EmbeddedIdentity } from './adapters/identity/embedded/embedded.ts'
import type { Identity } from './adapters/identity/port.ts'
import type { Images } from './adapters/images/port.ts'
import type { CheckDatabase } from './adapters/integrity/port.ts'
import type { Messenger } from './adapters/messaging/port.ts'
import type { Outbound } from './adapters/outbound/port.ts'
import type { Pdf } from './adapters/pdf/port.ts'
import type { LongReads } from './adapters/reads/port.ts'
import type { Tables } from './adapters/tables/port.ts'
import type { Config } from './config.ts'
import type { Access } from './context.ts'
import type { Legal } from './features/people/legal/texts.ts'
import type { Setup } from './features/system/setup/model.ts'
import type { Observer } from './http/observe.ts'
import type { Log } from './log.ts'
import type { Clock, Time } from './time.ts'

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
  /** Runs what writes for long; absent for a database in memory, which threads cannot share. */
  readonly aside?: Aside | undefined
  /** Reads reports and exports beside the service. */
  readonly longReads: LongReads
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
  /** Check answers against their schemas: on in tests, off in production (it costs a list a quarter of its speed). */
  readonly checkAnswers: boolean
}
