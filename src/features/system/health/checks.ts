import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import type { Db } from '../../../../db/open.ts'
import type { BackupState } from '../../../adapters/backups/port.ts'
import type { Config } from '../../../config.ts'
import type { Deps } from '../../../deps.ts'
import { ERRORS } from '../../../error-codes.ts'
import { AppError } from '../../../errors.ts'
import { jobCounts } from '../../../jobs/worker.ts'
import { lastGood } from '../backups/rules.ts'
import { CHECKS, type Check, type Facts, type Finding, type Reply } from './rules.ts'
import { lateness, latestTime } from './store.ts'
import { SAYINGS } from './texts.ts'

const MB = 2 ** 20
const HOUR_MS = 3_600_000
const BEHIND_MS = 60_000
const LATE_MS = 15 * 60_000
const BACKUP_MS = 48 * HOUR_MS
const isLocal = (url: string): boolean => /^https?:\/\/(localhost|127\.|\[::1\])/.test(url)

function settings({ sandbox, publicUrl, rateLimits }: Facts): Omit<Finding, 'check'> {
  if (sandbox) return { state: 'WARNING', text: SAYINGS.sandbox }
  if (isLocal(publicUrl)) return { state: 'WARNING', text: SAYINGS.local(publicUrl) }
  if (!publicUrl.startsWith('https:')) return { state: 'BAD', text: SAYINGS.plainHttp(publicUrl) }
  if (!rateLimits) return { state: 'BAD', text: SAYINGS.noLimits }
  return { state: 'GOOD', text: SAYINGS.settings(publicUrl) }
}
function clock({ clock, wall, mark }: Facts): Omit<Finding, 'check'> {
  if (clock === 'LEAPT') return { state: 'BAD', text: SAYINGS.leapt }
  if (clock === 'SET_BACK' || mark - wall > BEHIND_MS) return { state: 'BAD', text: SAYINGS.setBack }
  return { state: 'GOOD', text: SAYINGS.clock(new Date(wall).toISOString().slice(0, 16).replace('T', ' ')) }
}
function disk({ disk, trouble }: Facts): Omit<Finding, 'check'> {
  if (!disk) return trouble ? { state: 'BAD', text: trouble } : { state: 'GOOD', text: SAYINGS.noDisk }
  const free = Math.floor(disk.free / MB)
  if (disk.free < 200 * MB) return { state: 'BAD', text: SAYINGS.diskFull(free) }
  // a migration and a backup each copy the database
  if (disk.free < Math.max(1024 * MB, 2 * disk.database)) return { state: 'WARNING', text: SAYINGS.diskLow(free) }
  return { state: 'GOOD', text: SAYINGS.disk(free) }
}
function permissions({ folder, writable, exposed, stranger }: Facts): Omit<Finding, 'check'> {
  if (!writable) return { state: 'BAD', text: SAYINGS.readOnly(folder) }
  if (stranger) return { state: 'WARNING', text: SAYINGS.stranger(stranger.path, stranger.giveBack) }
  if (exposed) return { state: 'WARNING', text: SAYINGS.exposed(folder) }
  return { state: 'GOOD', text: SAYINGS.permissions(folder) }
}
function integrity({ damage, trouble, wrong }: Facts): Omit<Finding, 'check'> {
  if (trouble && !damage?.length) return { state: 'BAD', text: trouble }
  if (damage?.length) return { state: 'BAD', text: SAYINGS.damaged }
  if (wrong) return { state: 'BAD', text: SAYINGS.unbalanced(wrong) }
  return { state: 'GOOD', text: damage === undefined ? SAYINGS.unchecked : SAYINGS.intact }
}
function jobs({ failedJobs, lateMs }: Facts): Omit<Finding, 'check'> {
  if (lateMs > LATE_MS) return { state: 'BAD', text: SAYINGS.late(Math.floor(lateMs / 60_000)) }
  if (failedJobs > 0) return { state: 'WARNING', text: SAYINGS.failedJobs(failedJobs) }
  return { state: 'GOOD', text: SAYINGS.jobs }
}
function messaging({ vendor, vendorReply, vendorPaused }: Facts): Omit<Finding, 'check'> {
  if (vendor === 'log') return { state: 'WARNING', text: SAYINGS.noVendor }
  if (vendorReply === 'UNREACHABLE' || vendorPaused) return { state: 'BAD', text: SAYINGS.vendorDown(vendor) }
  return { state: 'GOOD', text: SAYINGS.vendor(vendor) }
}
function issuer({ external, issuerReply }: Pick<Facts, 'external' | 'issuerReply'>): Omit<Finding, 'check'> {
  if (!external) return { state: 'GOOD', text: SAYINGS.ownIssuer }
  if (issuerReply === 'UNREACHABLE') return { state: 'BAD', text: SAYINGS.issuerDown }
  if (issuerReply === 'WRONG') return { state: 'BAD', text: SAYINGS.issuerWrong }
  return { state: 'GOOD', text: SAYINGS.issuer }
}
function proxy({ sandbox, publicUrl, proxyReply, trustsProxies, untrustedProxy }: Facts): Omit<Finding, 'check'> {
  if (untrustedProxy) return { state: 'WARNING', text: SAYINGS.untrustedProxy }
  if (sandbox) return { state: 'GOOD', text: SAYINGS.noProxyNeeded }
  if (proxyReply === 'UNREACHABLE') return { state: 'BAD', text: SAYINGS.proxyDown(publicUrl) }
  if (proxyReply === 'WRONG') return { state: 'BAD', text: SAYINGS.proxyWrong(publicUrl) }
  if (publicUrl.startsWith('https:') && !trustsProxies) return { state: 'WARNING', text: SAYINGS.noProxies }
  return { state: 'GOOD', text: SAYINGS.proxy(publicUrl) }
}
function backups({ backupAt, wall, sandbox }: Facts): Omit<Finding, 'check'> {
  if (sandbox) return { state: 'GOOD', text: SAYINGS.noBackupNeeded }
  if (backupAt === undefined) return { state: 'WARNING', text: SAYINGS.noBackup }
  const hours = Math.max(0, Math.floor((wall - backupAt) / HOUR_MS))
  return wall - backupAt > BACKUP_MS
    ? { state: 'BAD', text: SAYINGS.oldBackup(hours) }
    : { state: 'GOOD', text: SAYINGS.backup(hours) }
}
const clockIn = (timeZone: string, wall: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(wall)

const RULES: Readonly<Record<Check, (facts: Facts) => Omit<Finding, 'check'>>> = {
  SETTINGS: settings,
  CLOCK: clock,
  DISK: disk,
  PERMISSIONS: permissions,
  INTEGRITY: integrity,
  JOBS: jobs,
  MESSAGING: messaging,
  ISSUER: issuer,
  PROXY: proxy,
  TIME_ZONE: ({ timeZone, wall }) => ({ state: 'GOOD', text: SAYINGS.timeZone(timeZone, clockIn(timeZone, wall)) }),
  BACKUPS: backups,
}
/** A sentence on each check: what was found, and what to do where it is not good. */
export const findingsOf = (facts: Facts): Finding[] => CHECKS.map((check) => ({ check, ...RULES[check](facts) }))

/** Sends a request that gives up after a few seconds. */
export type Ask = (url: string, headers?: Record<string, string>) => Promise<Response>
const PATIENCE_MS = 4_000
const ask: Ask = (url, headers = {}) =>
  fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })

/** Reads a part of the facts that a broken server may fail to give. */
function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

const isWritable = (folder: string): boolean =>
  orElse(() => {
    accessSync(folder, constants.W_OK)
    return true
  }, false)
/** Windows knows no such modes. */
const isExposed = (folder: string): boolean =>
  process.platform !== 'win32' && orElse(() => (statSync(folder).mode & 0o007) !== 0, false)

function diskOf(dataDir: string, file: string): Facts['disk'] {
  if (file === ':memory:') return undefined
  return orElse(() => {
    const { bavail, blocks, bsize } = statfsSync(dataDir)
    return { free: bavail * bsize, total: blocks * bsize, database: statSync(file).size }
  }, undefined)
}

/** Papers are left out: a demo's are as old as its story. */
function waitingMs(db: Db, wall: number): number {
  const { jobs, messages, webhooks } = lateness(db, { now: () => wall, wall: () => wall })
  return Math.max(jobs, messages, webhooks)
}

type Own = {
  readonly config: Config
  readonly db: Db
  readonly file: string
  readonly wall: number
  readonly backups: BackupState | undefined
  readonly stranger?: Facts['stranger']
}
/** What the settings, the folder and the database say. */
const ownFacts = ({ config, db, file, wall, backups, stranger }: Own) => ({
  sandbox: config.sandbox,
  publicUrl: config.publicUrl,
  rateLimits: config.rateLimits,
  trustsProxies: config.trustedProxies.length > 0,
  folder: config.dataDir,
  timeZone: config.timeZone,
  external: config.authUrl !== undefined,
  vendor: config.messaging.vendor,
  wall,
  mark: orElse(() => latestTime(db), 0),
  disk: diskOf(config.dataDir, file),
  writable: file === ':memory:' || isWritable(config.dataDir),
  exposed: file !== ':memory:' && isExposed(config.dataDir),
  stranger,
  failedJobs: orElse(() => jobCounts({ db }).FAILED ?? 0, 0),
  lateMs: orElse(() => waitingMs(db, wall), 0),
  backupAt: backups && lastGood(backups, wall),
  wrong: backups?.last?.wrong,
})

const vendorUrls = ({ messaging: m }: Config): string[] =>
  [m.whatsappCloud, m.infobip, m.twilio, m.http].flatMap((vendor) => (vendor ? [vendor.url] : []))

/** Whether an answer came, and was the right one. */
const replyOf = (check: Promise<boolean>): Promise<Reply> =>
  check.then(
    (isRight): Reply => (isRight ? 'GOOD' : 'WRONG'),
    (): Reply => 'UNREACHABLE',
  )
async function issuerReplyOf({ authUrl }: Config, ask: Ask): Promise<Reply | undefined> {
  if (authUrl === undefined) return undefined
  const issuer = `${authUrl}/realms/svc`
  return replyOf(
    ask(`${issuer}/.well-known/openid-configuration`).then(async (answer) =>
      (await answer.text()).replaceAll('\\/', '/').includes(`"issuer":"${issuer}"`),
    ),
  )
}
/** The finding on the identity provider that AUTH_URL names; that of the embedded one is always good. */
export const checkIssuer = async (config: Config): Promise<Omit<Finding, 'check'>> =>
  issuer({ external: config.authUrl !== undefined, issuerReply: await issuerReplyOf(config, ask) })

/** What other servers answer: the vendor, the issuer, and this one by its own address. A sandbox asks nobody. */
async function replies(config: Config, ask: Ask): Promise<Pick<Facts, 'vendorReply' | 'issuerReply' | 'proxyReply'>> {
  if (config.sandbox) return {}
  const answers = async (url: string) => {
    await (await ask(url)).body?.cancel()
    return true
  }
  const requestId = crypto.randomUUID()
  const [vendor, issuerReply, proxyReply] = await Promise.all([
    replyOf(Promise.all(vendorUrls(config).map(answers)).then(() => true)),
    issuerReplyOf(config, ask),
    // only this service gives the id back, and only where the Host header came through
    replyOf(
      ask(`${config.publicUrl}/healthz`, { 'x-request-id': requestId }).then(async (answer) => {
        await answer.body?.cancel()
        return answer.status === 200 && answer.headers.get('x-request-id') === requestId
      }),
    ),
  ])
  return { vendorReply: vendor, issuerReply, proxyReply }
}

/** What /readyz says of the database where the service is not ready. */
function troubleOf({ checkReady }: Deps['store']['health']): Facts['trouble'] {
  try {
    checkReady()
    return undefined
  } catch (e) {
    if (e instanceof AppError) return e.text ?? ERRORS[e.code]
    throw e
  }
}

/** The findings on a running service. */
export async function checkService(
  { config, db, store, clock, time, messenger, backupState, observer }: Deps,
  send: Ask = ask,
): Promise<Finding[]> {
  const channels = Object.keys(messenger.vendors).filter((name) => name === 'WHATSAPP' || name === 'SMS')
  return findingsOf({
    ...ownFacts({ config, db, file: store.file, wall: clock.wall(), backups: backupState?.() }),
    // The service's own time never lags behind itself; only the machine's clock shows an error.
    mark: 0,
    clock: time?.trouble(),
    damage: store.health.problems(),
    trouble: troubleOf(store.health),
    untrustedProxy: observer.hasUntrustedProxy(),
    vendorPaused: channels.some((channel) => messenger.pausedMs(channel) > 0),
    ...(await replies(config, send)),
  })
}

/** The findings of a command beside the service, or while it is stopped. `damage`: of the database, as just checked. */
export const checkFolder = async (own: Own, damage: readonly string[], send: Ask = ask): Promise<Finding[]> =>
  findingsOf({ ...ownFacts(own), damage, ...(await replies(own.config, send)) })
