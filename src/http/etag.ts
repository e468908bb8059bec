import { hash } from 'node:crypto'
import { AppError } from '../errors.ts'

const MARK = '-gzip"'
/** The strong tag of the packed form, whose bytes differ (RFC 9110, 8.8.3.3). A weak tag holds for both forms. */
export const packedTag = (etag: string): string => (etag.startsWith('W/') ? etag : `${etag.slice(0, -1)}${MARK}`)
/** Tags without the mark: both forms are the same version of a resource. */
export const plainTags = (tags: string): string => (tags.includes(MARK) ? tags.replaceAll(MARK, '"') : tags)

/** The digest of a value's JSON, in hex. */
const sha256 = (value: unknown): string => hash('sha256', JSON.stringify(value), 'hex')

/** The strong ETag of a row's version; of one with names beside it, which change without it, `names` is their digest. */
export const etagOf = (epoch: string, version: number, names?: object): string =>
  `"${epoch}${names === undefined ? '' : `-n${sha256(names).slice(0, 12)}`}.${version}"`

/** A version for a value that has none of its own. */
export const digestOf = (value: unknown): number => Number.parseInt(sha256(value).slice(0, 12), 16)

/** Tags without the digest of names: a change asks for the version of the row alone. */
const versionTags = (tags: string): string =>
  tags.includes('-n') ? tags.replace(/-n[0-9a-f]{12}(?=\.\d+")/g, '') : tags

const named = (header: string, etag: string): boolean =>
  header === etag || header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag)
const bare = (tags: string): string => tags.replace(/(^|,)(\s*)W\//g, '$1$2')

/** RFC 9110, 13.1.1: If-Match uses strong comparison, so a weak tag never matches. @throws precondition_failed */
function expectMatch(ifMatch: string, etag: string): void {
  if (ifMatch.trim() !== '*' && (etag.startsWith('W/') || !named(ifMatch, etag)))
    throw new AppError('precondition_failed')
}

/**
 * Checks If-Match (412), then If-None-Match, against an ETag; the tags of both forms of an answer, packed and not, name
 * one version. @returns whether to answer 304
 */
export function isKnown(headers: Headers, etag: string): boolean {
  const ifMatch = headers.get('if-match')
  if (ifMatch !== null) expectMatch(versionTags(plainTags(ifMatch)), versionTags(plainTags(etag)))
  const had = headers.get('if-none-match')
  if (had === null) return false
  const tag = bare(plainTags(etag))
  const known = bare(plainTags(had))
  return named(versionTags(tag) === tag ? versionTags(known) : known, tag)
}
