import { Type } from '@sinclair/typebox'
import { webAddress } from '../core/addresses.ts'

/** Settings of the database, or of the primary that several nodes share. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^(?:(?:libsql|https?)://\\S+|(?:file:(?!//)|(?!\\w[\\w+.-]+:)).+)$',
      description: 'the path of a SQLite file, or libsql://host of the primary that several machines share',
    }),
  ),
  DATABASE_TOKEN: Type.Optional(
    Type.String({ pattern: '^[!-~]+$', description: 'the token of the primary in DATABASE_URL' }),
  ),
}
export const DATABASE_SECRETS = ['DATABASE_TOKEN'] as const

type Settings = {
  readonly DATABASE_URL?: string
  readonly DATABASE_TOKEN?: string
  readonly FILES_TO?: string
  readonly WORKERS?: string
  readonly SANDBOX_RESET?: string
}

/** Where the primary is, and the token for it; undefined for a file of this machine's own. */
export function readPrimary(s: Settings, problems: string[]) {
  const given = s.DATABASE_URL ?? ''
  if (!/^(?:libsql|https?):\/\//.test(given)) {
    if (s.DATABASE_TOKEN !== undefined) problems.push('DATABASE_TOKEN: only for a primary, DATABASE_URL=libsql://host')
    return undefined
  }
  // Other schemes have other parsing rules for ports and queries: read libsql: by the rules of https.
  const address = webAddress(given.replace(/^libsql:/, 'https:'))
  if (!address || given.includes('#')) {
    problems.push('DATABASE_URL: must be libsql://host of the primary, without a user')
    return undefined
  }
  if (s.FILES_TO === undefined)
    problems.push('DATABASE_URL: several machines share photos and papers, so say FILES_TO=s3://bucket too')
  if (s.WORKERS !== undefined && s.WORKERS !== '1')
    problems.push('WORKERS: leave it out with DATABASE_URL=libsql://…, and start more nodes instead')
  if (s.SANDBOX_RESET !== undefined) problems.push('SANDBOX_RESET: a demo is put back on one machine only')
  const token = s.DATABASE_TOKEN ?? address.searchParams.get('authToken') ?? undefined
  if (address.searchParams.get('tls') === '0') address.protocol = 'http:'
  address.search = ''
  return { url: address.href, token }
}
