import { join, resolve } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'

const LABEL = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?'
/** A bucket by the rules for its name, and a prefix whose parts an address keeps as they are. */
export const S3_PLACE = `s3://(?=[^/]{3,63}(?:/|$))(?!\\d+\\.\\d+\\.\\d+\\.\\d+(?:/|$))${LABEL}(?:\\.${LABEL})*(?:/(?!\\.\\.?(?:/|$))[^/\\u0000-\\u001f]+)*/?`

/** Settings of backups. */
export const BACKUP_SETTINGS = {
  BACKUP_TO: Type.Optional(
    Type.String({
      // A misspelt `off` or an unknown scheme must not become the name of a folder.
      pattern: `^(off|${S3_PLACE}|(?!\\w{2,}:|[oO][fF][fF]$).+)$`,
      description: 'a folder, s3://bucket/prefix, or off',
    }),
  ),
  BACKUP_AT: Type.Optional(
    Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'a time of day such as 03:00' }),
  ),
  BACKUP_PASSPHRASE: Type.Optional(
    Type.String({ minLength: 12, description: 'a passphrase of at least 12 characters' }),
  ),
  BACKUP_ENDPOINT: Type.Optional(
    Type.String({
      format: 'web-address',
      pattern: '^https?://[^/?#]+$',
      description: 'an address such as https://s3.eu-west-3.amazonaws.com',
    }),
  ),
  BACKUP_REGION: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+$', description: 'a region such as eu-west-3' })),
  BACKUP_KEY_ID: Type.Optional(Type.String({ pattern: '^[\\w.~+-]+$', description: 'the id of an access key' })),
  BACKUP_KEY_SECRET: Type.Optional(Type.String({ pattern: '^[!-~]+$', description: 'the secret of that access key' })),
}
export const BACKUP_SECRETS = ['BACKUP_PASSPHRASE', 'BACKUP_KEY_SECRET'] as const

type Settings = { readonly [K in keyof typeof BACKUP_SETTINGS]: Static<(typeof BACKUP_SETTINGS)[K]> }

/** Where backups go: a folder, or with `s3` an s3:// address; undefined for `off`. */
function placeOf(to: string, s: Partial<Settings>, problems: string[]) {
  if (to === 'off') return undefined
  if (!to.startsWith('s3://')) return { to: resolve(to), s3: undefined }
  for (const key of ['BACKUP_ENDPOINT', 'BACKUP_KEY_ID', 'BACKUP_KEY_SECRET'] as const)
    if (s[key] === undefined) problems.push(`${key}: needed for ${to}`)
  return {
    to,
    s3: {
      name: 'BACKUP' as const,
      endpoint: s.BACKUP_ENDPOINT ?? '',
      region: s.BACKUP_REGION ?? 'us-east-1',
      keyId: s.BACKUP_KEY_ID ?? '',
      secret: s.BACKUP_KEY_SECRET ?? '',
    },
  }
}

/**
 * A backup is made daily, into the data folder itself unless BACKUP_TO names a better place; a sandbox makes none unless
 * told.
 */
export function readBackup(s: Partial<Settings>, dataDir: string, sandbox: boolean, problems: string[]) {
  const to = s.BACKUP_TO ?? (sandbox ? 'off' : join(dataDir, 'backups'))
  return {
    place: placeOf(to, s, problems),
    at: s.BACKUP_AT ?? '03:00',
    passphrase: s.BACKUP_PASSPHRASE,
    /** For `loyer backup --to s3://…` where BACKUP_TO says something else. */
    placeOf: (target: string, wrong: string[]) => {
      const { pattern = '', description } = BACKUP_SETTINGS.BACKUP_TO
      if (new RegExp(pattern, 'u').test(target)) return placeOf(target, s, wrong)
      wrong.push(`${target} must be ${description}`)
      return undefined
    },
  }
}
