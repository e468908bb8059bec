import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { MESSAGING_SECRETS, MESSAGING_SETTINGS, readMessaging } from './config-messaging.ts'
import { isTimeZone } from './core/dates.ts'

const url = (description: string) =>
  Type.Optional(Type.String({ pattern: '^https?://[^\\s/?#]+(/[^\\s?#]*)?$', description }))
const secret = (description: string) => Type.Optional(Type.String({ minLength: 16, description }))
const list = (pattern: string, description: string) =>
  Type.Optional(Type.String({ pattern: `^(${pattern})(\\s*,\\s*(${pattern}))*$`, description }))

/** The settings of decisions section 1: environment variables, or lines of the file named by --config. */
const Settings = Type.Object({
  PORT: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,4}$', description: 'a port number (1 to 65535)' })),
  HOST: Type.Optional(Type.String({ minLength: 1, description: 'an address to listen on, such as 127.0.0.1' })),
  PUBLIC_URL: url('an absolute http(s) address without query, such as https://rent.example.cm'),
  LOYER_MODE: Type.Optional(
    Type.Union([Type.Literal('production'), Type.Literal('sandbox')], { description: 'production or sandbox' }),
  ),
  LOYER_DATA: Type.Optional(Type.String({ minLength: 1, description: 'a folder' })),
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^(?!\\w+://)(file:)?.+',
      description: 'the path of a SQLite file (this build serves local files only)',
    }),
  ),
  AUTH_URL: url('the base address of a Keycloak, such as https://id.example.cm'),
  AUTH_ADMIN_CLIENT_SECRET: Type.Optional(
    Type.String({ minLength: 1, description: 'the secret of the svc-admin service account' }),
  ),
  OIDC_REDIRECT_URIS: list('[a-z][a-z0-9+.-]*:[^\\s,#]+', 'exact redirect URIs, separated by commas'),
  OIDC_SIGNING_ALG: Type.Optional(
    Type.Union([Type.Literal('RS256'), Type.Literal('ES256')], { description: 'RS256 or ES256' }),
  ),
  TRUSTED_PROXIES: list('[0-9a-fA-F.:]+(/\\d{1,3})?', 'addresses or CIDR ranges, separated by commas'),
  RATE_LIMITS: Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')], { description: 'on or off' })),
  CORS_ORIGINS: list('https?://[^\\s,/]+', 'exact origins such as https://app.example.cm, separated by commas'),
  WEBHOOK_SMSVENDOR_TOKEN: secret('a secret of at least 16 characters'),
  WEBHOOK_SMSVENDOR_HMAC_SECRET: secret('a secret of at least 16 characters'),
  WEBHOOK_SMSVENDOR_SIGNATURE_HEADER: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9-]+$', description: 'a header name' }),
  ),
  WEBHOOK_PRIVATE_ADDRESSES: Type.Optional(
    Type.Union([Type.Literal('on'), Type.Literal('off')], { description: 'on or off' }),
  ),
  ...MESSAGING_SETTINGS,
  ALLOWED_PHONE_PREFIXES: list('\\+\\d{1,14}|\\*', 'prefixes such as +237, separated by commas, or *'),
  LOYER_TIME_ZONE: Type.Optional(Type.String({ minLength: 1, description: 'an IANA time zone such as Africa/Douala' })),
  LOYER_LOCALE: Type.Optional(Type.Union([Type.Literal('fr'), Type.Literal('en')], { description: 'fr or en' })),
})
type Settings = Static<typeof Settings>
type Key = keyof Settings

const KEYS = Object.keys(Settings.properties) as Key[]
const SECRETS: readonly Key[] = [
  'AUTH_ADMIN_CLIENT_SECRET',
  'WEBHOOK_SMSVENDOR_TOKEN',
  'WEBHOOK_SMSVENDOR_HMAC_SECRET',
  ...MESSAGING_SECRETS,
]

/** Every bad setting, one line each: the process says them and exits with 78. */
export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

type Env = Readonly<Record<string, string | undefined>>

/** Lines `KEY=value`; `#` begins a comment; quotes around a value are dropped. */
function readEnvFile(path: string, problems: string[]): Env {
  if (!existsSync(path)) {
    problems.push(`--config: there is no file ${path}`)
    return {}
  }
  const env: Record<string, string> = {}
  readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .forEach((line, i) => {
      if (/^\s*(#|$)/.test(line)) return
      const match = /^\s*(?:export\s+)?([A-Z_]+)\s*=\s*(.*?)\s*$/.exec(line)
      const [, key = '', value = ''] = match ?? []
      if (!KEYS.includes(key.replace(/_FILE$/, '') as Key))
        problems.push(`${path} line ${i + 1}: unknown setting ${key || line.trim()}`)
      else env[key] = value.replace(/^(["'])(.*)\1$/, '$2')
    })
  return env
}

const words = (value: string | undefined): readonly string[] => value?.split(',').map((s) => s.trim()) ?? []

/** Where a vendor can report to when it is told so with each message: it cannot sign, and must reach us. */
const reportUrl = (s: Settings, publicUrl: string): string | undefined =>
  s.WEBHOOK_SMSVENDOR_TOKEN !== undefined &&
  s.WEBHOOK_SMSVENDOR_HMAC_SECRET === undefined &&
  publicUrl.startsWith('https://')
    ? `${publicUrl}/webhooks/smsvendor/dlr?token=${encodeURIComponent(s.WEBHOOK_SMSVENDOR_TOKEN)}`
    : undefined

/** Reads and checks all settings at once. `defaults` are those of the command (demo: sandbox in ./loyer-demo). @throws ConfigError */
export function loadConfig(env: Env, options: { file?: string | undefined; defaults?: Partial<Settings> } = {}) {
  const problems: string[] = []
  const source: Env = { ...options.defaults, ...(options.file ? readEnvFile(options.file, problems) : {}), ...env }
  const given: Record<string, string> = {}
  for (const key of KEYS) {
    const value = source[key]
    if (value !== undefined && value !== '') given[key] = value
    const path = source[`${key}_FILE`]
    if (path === undefined || path === '' || !SECRETS.includes(key)) continue
    if (given[key] !== undefined) problems.push(`${key}: set it or ${key}_FILE, not both`)
    else if (!existsSync(path)) problems.push(`${key}_FILE: there is no file ${path}`)
    else given[key] = readFileSync(path, 'utf8').trim()
  }
  for (const [key, schema] of Object.entries(Settings.properties))
    if (given[key] !== undefined && !Value.Check(schema, given[key]))
      problems.push(`${key}: must be ${schema.description}`)
  const s = given as Settings
  const port = Number(s.PORT ?? 3000)
  if (port > 65535) problems.push('PORT: must be a port number (1 to 65535)')
  if (s.LOYER_TIME_ZONE !== undefined && !isTimeZone(s.LOYER_TIME_ZONE))
    problems.push('LOYER_TIME_ZONE: must be an IANA time zone such as Africa/Douala')
  const publicUrl = (s.PUBLIC_URL ?? `http://localhost:${port}`).replace(/\/+$/, '')
  const messaging = readMessaging(s, reportUrl(s, publicUrl), problems)
  if (problems.length > 0) throw new ConfigError(problems)
  const dataDir = resolve(s.LOYER_DATA ?? 'loyer-data')
  return Object.freeze({
    port,
    host: s.HOST ?? '127.0.0.1',
    publicUrl,
    sandbox: s.LOYER_MODE === 'sandbox',
    dataDir,
    databaseFile: s.DATABASE_URL ? resolve(s.DATABASE_URL.replace(/^file:/, '')) : join(dataDir, 'loyer.db'),
    authUrl: s.AUTH_URL?.replace(/\/+$/, ''),
    authAdminClientSecret: s.AUTH_ADMIN_CLIENT_SECRET,
    redirectUris: words(s.OIDC_REDIRECT_URIS),
    signingAlg: s.OIDC_SIGNING_ALG ?? 'RS256',
    trustedProxies: words(s.TRUSTED_PROXIES),
    rateLimits: s.RATE_LIMITS !== 'off',
    corsOrigins: words(s.CORS_ORIGINS),
    messaging,
    webhookToken: s.WEBHOOK_SMSVENDOR_TOKEN,
    webhookHmacSecret: s.WEBHOOK_SMSVENDOR_HMAC_SECRET,
    webhookSignatureHeader: s.WEBHOOK_SMSVENDOR_SIGNATURE_HEADER ?? 'X-Webhook-Signature',
    webhookPrivateAddresses: s.WEBHOOK_PRIVATE_ADDRESSES === 'on',
    allowedPhonePrefixes:
      s.LOYER_MODE === 'sandbox' ? ['*'] : s.ALLOWED_PHONE_PREFIXES ? words(s.ALLOWED_PHONE_PREFIXES) : ['+237'],
    timeZone: s.LOYER_TIME_ZONE ?? 'Africa/Douala',
    locale: s.LOYER_LOCALE ?? ('fr' as const),
  })
}
export type Config = ReturnType<typeof loadConfig>
