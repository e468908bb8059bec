import { type Static, Type } from '@sinclair/typebox'
import { BACKUP_SETTINGS, S3_PLACE } from './backup.ts'

/** Settings of the storage of media and papers. */
export const FILES_SETTINGS = {
  FILES_TO: Type.Optional(
    Type.String({
      pattern: `^${S3_PLACE}$`,
      description: 's3://bucket/prefix; leave it out to keep files in LOYER_DATA',
    }),
  ),
  FILES_ENDPOINT: BACKUP_SETTINGS.BACKUP_ENDPOINT,
  FILES_REGION: BACKUP_SETTINGS.BACKUP_REGION,
  FILES_KEY_ID: BACKUP_SETTINGS.BACKUP_KEY_ID,
  FILES_KEY_SECRET: BACKUP_SETTINGS.BACKUP_KEY_SECRET,
}
export const FILES_SECRETS = ['FILES_KEY_SECRET'] as const

const ALL = { ...FILES_SETTINGS, ...BACKUP_SETTINGS }
type Settings = { readonly [K in keyof typeof ALL]?: Static<(typeof ALL)[K]> }

/** Where media and papers are kept; undefined for the data folder. A missing setting of the storage is that of backups. */
export function readFiles(s: Settings, problems: string[]) {
  const to = s.FILES_TO
  if (to === undefined) return undefined
  const of = (word: 'ENDPOINT' | 'KEY_ID' | 'KEY_SECRET'): string => {
    const value = s[`FILES_${word}`] ?? s[`BACKUP_${word}`]
    if (value === undefined) problems.push(`FILES_${word}: needed for ${to}`)
    return value ?? ''
  }
  return {
    to,
    s3: {
      name: 'FILES' as const,
      endpoint: of('ENDPOINT'),
      region: s.FILES_REGION ?? s.BACKUP_REGION ?? 'us-east-1',
      keyId: of('KEY_ID'),
      secret: of('KEY_SECRET'),
    },
  }
}
