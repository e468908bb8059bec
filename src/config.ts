import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { FormatRegistry, type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { BACKUP_SECRETS, BACKUP_SETTINGS, readBackup } from './config/backup.ts'
import { FILES_SECRETS, FILES_SETTINGS, readFiles } from './config/files.ts'
import { MESSAGING_SECRETS, MESSAGING_SETTINGS, readMessaging } from './config/messaging.ts'
import { readCollector, TRACES_SECRETS, TRACES_SETTINGS } from './config/traces.ts'
import {
  isAddress,
  isLoopbackHost,
  originOf,
  parseRange,
  type Reach,
  redirectProblem,
  webAddress,
} from './core/addresses.ts'
import { HOME_COUNTRY } from './core/countries/countries.ts'
import { isTimeZone } from './core/dates.ts'
import { isReleaseKey } from './core/ed25519.ts'

FormatRegistry.Set('web-address', (value) => webAddress(value) !== undefined)
FormatRegistry.Set('release-key', isReleaseKey)

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const secret = (description: string) => Type.Optional(Type.String({ minLength: 16, description }))
const list = (pattern: string, description: string) =>
  Type.Optional(Type.String({ pattern: `^(${pattern})(\\s*,\\s*(${pattern}))*$`, description }))

const price = Type.Optional(
  Type.String({ pattern: '^\\d{1,4}(\\.\\d{1,2})?$', description: 'francs such as 18 or 4.5' }),
)

/** The settings of decisions section 1: environment variables, or lines of the file named by --config. */
const Settings = Type.Object({
  PORT: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,4}$', description: 'a port number (1 to 65535)' })),
  HOST: text('the IP address to listen on, such as 127.0.0.1, or localhost'),
  PUBLIC_URL: text('an http(s) address without a path, such as https://rent.example.cm'),
  LOYER_MODE: Type.Optional(
    Type.Union([Type.Literal('production'), Type.Literal('sandbox')], { description: 'production or sandbox' }),
  ),
  SANDBOX_RESET: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,2}[mhd]$', description: 'a time such as 90m, 24h or 7d, 10 minutes at least' }),
  ),
  LOYER_DATA: text('a folder'),
  AUTH_URL: text('the https address of a Keycloak, such as https://id.example.cm; http to this machine only'),
  AUTH_ADMIN_CLIENT_SECRET: Type.Optional(
    Type.String({ minLength: 1, description: 'the secret of the svc-admin service account' }),
  ),
  OIDC_REDIRECT_URIS: text('exact redirect URIs, separated by commas'),
  OIDC_SIGNING_ALG: Type.Optional(
    Type.Union([Type.Literal('RS256'), Type.Literal('ES256')], { description: 'RS256 or ES256' }),
  ),
  TRUSTED_PROXIES: text('IP addresses or CIDR ranges such as 10.0.0.0/8, separated by commas'),
  METRICS_TOKEN: secret('a secret of at least 16 characters'),
  LOG_LEVEL: Type.Optional(
    Type.Union([Type.Literal('info'), Type.Literal('warn'), Type.Literal('error')], {
      description: 'info, warn or error',
    }),
  ),
  LOG_FORMAT: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('text')], { description: 'json or text' })),
  RATE_LIMITS: Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')], { description: 'on or off' })),
  CORS_ORIGINS: text('origins such as https://app.example.cm, separated by commas'),
  WEBHOOK_SMSVENDOR_TOKEN: secret('a secret of at least 16 characters'),
  WEBHOOK_SMSVENDOR_HMAC_SECRET: secret('a secret of at least 16 characters'),
  WEBHOOK_SMSVENDOR_SIGNATURE_HEADER: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9-]+$', description: 'a header name' }),
  ),
  WEBHOOK_PRIVATE_ADDRESSES: Type.Optional(
    Type.Union([Type.Literal('on'), Type.Literal('off')], { description: 'on or off' }),
  ),
  ...MESSAGING_SETTINGS,
  MESSAGING_PRICE_SMS: price,
  MESSAGING_PRICE_WHATSAPP: price,
  ...BACKUP_SETTINGS,
  ...FILES_SETTINGS,
  ...TRACES_SETTINGS,
  UPDATE_KEY: Type.Optional(
    Type.String({
      format: 'release-key',
      description: 'a whole public key as minisign prints it, which begins with RW',
    }),
  ),
  ALLOWED_PHONE_PREFIXES: list('\\+[1-9]\\d{0,13}|\\*', 'prefixes such as +237, separated by commas, or *'),
  LOYER_TIME_ZONE: text('an IANA time zone such as Africa/Douala'),
  LOYER_LOCALE: Type.Optional(Type.Union([Type.Literal('fr'), Type.Literal('en')], { description: 'fr or en' })),
})
type Settings = Static<typeof Settings>
type Key = keyof Settings

/** Names of all settings; the handbook's chapter on settings explains each. */
export const KEYS = Object.keys(Settings.properties) as Key[]
export const SECRETS: readonly Key[] = [
  'AUTH_ADMIN_CLIENT_SECRET',
  'METRICS_TOKEN',
  'WEBHOOK_SMSVENDOR_TOKEN',
  'WEBHOOK_SMSVENDOR_HMAC_SECRET',
  ...MESSAGING_SECRETS,
  ...BACKUP_SECRETS,
  ...FILES_SECRETS,
  ...TRACES_SECRETS,
]

/** All invalid settings, one line each: the process prints them and exits with 78. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Named the log that several machines shared, or a database file of another name. */
const FORMER = 'DATABASE_URL'

type Env = Readonly<Record<string, string | undefined>>

/** Reads the file that a setting names; a missing or unreadable file is an error of that setting. */
function readText(path: string, setting: string, problems: string[]): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (e) {
    const missing = e instanceof Error && 'code' in e && e.code === 'ENOENT'
    problems.push(missing ? `${setting}: there is no file ${path}` : `${setting}: the file ${path} cannot be read`)
    return undefined
  }
}

/** Lines `KEY=value`; `#` begins a comment; quotes around a value are dropped. */
function readEnvFile(path: string, problems: string[]): Env {
  const lines = readText(path, '--config', problems)?.split(/\r?\n/) ?? []
  const env: Record<string, string> = {}
  lines.forEach((line, i) => {
    if (/^\s*(#|$)/.test(line)) return
    const match = /^\s*(?:export\s+)?([A-Z_]+)\s*=\s*(.*?)\s*$/.exec(line)
    const [, key = '', value = ''] = match ?? []
    // Without its text: it may hold a secret, and the log is read by more people than the file.
    if (!match) problems.push(`${path} line ${i + 1}: must be KEY=value, with the KEY in capitals`)
    else if (key !== FORMER && !KEYS.includes(key as Key) && !SECRETS.includes(key.replace(/_FILE$/, '') as Key))
      problems.push(`${path} line ${i + 1}: unknown setting ${key}`)
    else if (key in env) problems.push(`${path} line ${i + 1}: ${key} stands in the file twice`)
    else if (/^["']/.test(value) && !/^(["']).*\1$/.test(value))
      problems.push(`${path} line ${i + 1}: ${key} begins with a quote, and has to end with the same one`)
    else env[key] = value.replace(/^(["'])(.*)\1$/, '$2')
  })
  return env
}

const words = (value: string | undefined): readonly string[] => value?.split(',').map((s) => s.trim()) ?? []
/** An entry of a list in a sentence; a comma too many leaves an empty one. */
const named = (entry: string): string => entry || 'an empty entry'

/** The address of a Keycloak as its tokens name it; undefined where passwords would travel unencrypted. */
function issuerBase(value: string): string | undefined {
  const url = /[?#]/.test(value) ? undefined : webAddress(value)
  const safe = url?.protocol === 'https:' || isLoopbackHost(url?.hostname ?? '')
  return url && safe ? `${url.origin}${url.pathname.replace(/\/+$/, '')}` : undefined
}

/** Addresses in one spelling: URLs that two parsers could read differently are refused at start. */
function readAddresses(s: Settings, port: number, problems: string[]) {
  const bad = (key: Key, why = `must be ${Settings.properties[key].description}`): void =>
    void problems.push(`${key}: ${why}`)
  const publicUrl = originOf(s.PUBLIC_URL ?? `http://localhost:${port}`)
  if (publicUrl === undefined && s.PUBLIC_URL !== undefined) bad('PUBLIC_URL')
  const authUrl = s.AUTH_URL === undefined ? undefined : issuerBase(s.AUTH_URL)
  if (s.AUTH_URL !== undefined && authUrl === undefined) bad('AUTH_URL')
  if (s.AUTH_URL === undefined && s.AUTH_ADMIN_CLIENT_SECRET !== undefined)
    bad('AUTH_ADMIN_CLIENT_SECRET', 'only for a Keycloak, AUTH_URL=https://host')
  const host = s.HOST ?? '127.0.0.1'
  if (!isAddress(host) && host !== 'localhost') bad('HOST')
  const trustedProxies = words(s.TRUSTED_PROXIES)
  for (const entry of trustedProxies)
    if (!parseRange(entry)) bad('TRUSTED_PROXIES', `${named(entry)} is neither an IP address nor a CIDR range`)
  const corsOrigins = words(s.CORS_ORIGINS).map((entry) => {
    const origin = originOf(entry)
    if (origin === undefined) bad('CORS_ORIGINS', `${named(entry)} is no origin such as https://app.example.cm`)
    return origin ?? entry
  })
  const redirectUris = words(s.OIDC_REDIRECT_URIS)
  for (const uri of redirectUris) {
    const problem = redirectProblem(uri)
    if (problem) bad('OIDC_REDIRECT_URIS', `${named(uri)} ${problem}`)
  }
  return { publicUrl: publicUrl ?? '', authUrl, host, trustedProxies, corsOrigins, redirectUris }
}

/** The callback for delivery reports, sent with each message: the vendor cannot sign, and must be able to reach us. */
const reportUrl = (s: Settings, publicUrl: string): string | undefined =>
  s.WEBHOOK_SMSVENDOR_TOKEN !== undefined &&
  s.WEBHOOK_SMSVENDOR_HMAC_SECRET === undefined &&
  publicUrl.startsWith('https://')
    ? `${publicUrl}/webhooks/smsvendor/dlr?token=${encodeURIComponent(s.WEBHOOK_SMSVENDOR_TOKEN)}`
    : undefined

/** A sandbox that only its own machine opens calls the programs of its developer there. */
function webhookReach(s: Settings, publicUrl: string): Reach {
  if (s.WEBHOOK_PRIVATE_ADDRESSES === 'on') return 'ANY'
  return s.LOYER_MODE === 'sandbox' && isLoopbackHost(new URL(publicUrl).hostname) ? 'LOOPBACK' : 'PUBLIC'
}

const francsOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text))

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const durationOf = (text: string): number =>
  Number.parseInt(text, 10) * (text.endsWith('m') ? UNITS.m : text.endsWith('h') ? UNITS.h : UNITS.d)

/** Longest name of a file or folder in common file systems, in bytes. */
const NAME_BYTES = 255
/** Whether a path is a folder, or can become one: nothing above it is a file, and no name is too long. */
function canBeFolder(path: string): boolean {
  if (Buffer.byteLength(basename(path)) > NAME_BYTES) return false
  if (existsSync(path)) return statSync(path).isDirectory()
  return path === dirname(path) || canBeFolder(dirname(path))
}

/** `defaults`: those of the command (demo: sandbox in ./loyer-demo). `overrides`: by its options, before all others. */
type Sources = { file?: string | undefined; defaults?: Partial<Settings>; overrides?: Partial<Settings> }
/** Reads and checks all settings at once. @throws ConfigError */
export function loadConfig(env: Env, { file, defaults, overrides }: Sources = {}) {
  const problems: string[] = []
  const source: Env = { ...defaults, ...(file ? readEnvFile(file, problems) : {}), ...env, ...overrides }
  if (source[FORMER])
    problems.push(
      `${FORMER}: there is no such setting any more: the database is loyer.db in LOYER_DATA, and a node of libsql:// has everything in that folder, so stop all nodes, this one last, and start this one without ${FORMER} and DATABASE_TOKEN`,
    )
  const written: Record<string, string> = {}
  for (const key of KEYS) {
    const value = source[key]
    if (value !== undefined && value !== '') written[key] = value
    const path = source[`${key}_FILE`]
    if (path === undefined || path === '' || !SECRETS.includes(key)) continue
    if (written[key] !== undefined) problems.push(`${key}: set it or ${key}_FILE, not both`)
    else {
      const text = readText(path, `${key}_FILE`, problems)
      if (text !== undefined) written[key] = text.trim()
    }
  }
  for (const [key, schema] of Object.entries(Settings.properties)) {
    const value = written[key]
    // A stray space or line break would become part of a folder's name or of a key.
    if (value !== undefined && key !== 'MESSAGING_HTTP_BODY' && /^\s|\s$|\p{Cc}/u.test(value))
      problems.push(`${key}: must be on one line, without a space at either end`)
    else if (value !== undefined && !Value.Check(schema, value)) problems.push(`${key}: must be ${schema.description}`)
  }
  const s = written as Settings
  const port = Number(s.PORT ?? 3000)
  if (port > 65535) problems.push('PORT: must be a port number (1 to 65535)')
  if (s.LOYER_TIME_ZONE !== undefined && !isTimeZone(s.LOYER_TIME_ZONE))
    problems.push('LOYER_TIME_ZONE: must be an IANA time zone such as Africa/Douala')
  const addresses = readAddresses(s, port, problems)
  const messaging = readMessaging(s, reportUrl(s, addresses.publicUrl), problems)
  const resetMs = s.SANDBOX_RESET === undefined ? undefined : durationOf(s.SANDBOX_RESET)
  if (resetMs !== undefined && resetMs < 10 * UNITS.m)
    problems.push(`SANDBOX_RESET: must be ${Settings.properties.SANDBOX_RESET.description}`)
  if (resetMs !== undefined && s.LOYER_MODE !== 'sandbox')
    problems.push('SANDBOX_RESET: only a demo is put back; leave it out with LOYER_MODE=production')
  const dataDir = resolve(s.LOYER_DATA ?? 'loyer-data')
  const backup = readBackup(s, dataDir, s.LOYER_MODE === 'sandbox', problems)
  const files = readFiles(s, problems)
  const collector = readCollector(s, problems)
  const databaseFile = join(dataDir, 'loyer.db')
  const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()
  const checkFolder = (key: string, path: string): void => {
    if (!canBeFolder(path)) problems.push(`${key}: ${path} is not a folder, and cannot become one`)
  }
  checkFolder('LOYER_DATA', dataDir)
  if (s.BACKUP_TO && backup.place && !backup.place.s3) checkFolder('BACKUP_TO', backup.place.to)
  if (isFolder(databaseFile)) problems.push(`LOYER_DATA: ${databaseFile} is a folder, not a file`)
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze({
    port,
    ...addresses,
    sandbox: s.LOYER_MODE === 'sandbox',
    /** Time after which a demo is reset, ms. */
    resetMs,
    dataDir,
    databaseFile,
    authAdminClientSecret: s.AUTH_ADMIN_CLIENT_SECRET,
    signingAlg: s.OIDC_SIGNING_ALG ?? 'RS256',
    /** What a Prometheus on another machine sends. */
    metricsToken: s.METRICS_TOKEN,
    logLevel: s.LOG_LEVEL ?? ('info' as const),
    /** Absent: text for a terminal, JSON for everything else. */
    logFormat: s.LOG_FORMAT,
    rateLimits: s.RATE_LIMITS !== 'off',
    messaging,
    /** What a vendor bills for each message or part of an SMS, XAF. */
    messagePrices: { SMS: francsOf(s.MESSAGING_PRICE_SMS), WHATSAPP: francsOf(s.MESSAGING_PRICE_WHATSAPP) },
    backup,
    files,
    /** Gets traces of requests and jobs. */
    collector,
    updateKey: s.UPDATE_KEY,
    webhookToken: s.WEBHOOK_SMSVENDOR_TOKEN,
    webhookHmacSecret: s.WEBHOOK_SMSVENDOR_HMAC_SECRET,
    webhookSignatureHeader: s.WEBHOOK_SMSVENDOR_SIGNATURE_HEADER ?? 'X-Webhook-Signature',
    webhookReach: webhookReach(s, addresses.publicUrl),
    allowedPhonePrefixes:
      s.LOYER_MODE === 'sandbox'
        ? ['*']
        : s.ALLOWED_PHONE_PREFIXES
          ? words(s.ALLOWED_PHONE_PREFIXES)
          : [`+${HOME_COUNTRY.phone.code}`],
    timeZone: s.LOYER_TIME_ZONE ?? HOME_COUNTRY.timeZone,
    locale: s.LOYER_LOCALE ?? ('fr' as const),
  })
}
export type Config = ReturnType<typeof loadConfig>
