import { AppError } from '../errors.ts'

const named = (header: string, etag: string): boolean =>
  header === etag || header.trim() === '*' || header.split(',').some((tag) => tag.trim() === etag)
const bare = (tags: string): string => tags.replace(/(^|,)(\s*)W\//g, '$1$2')

/** RFC 9110, 13.1.1: tags are compared strongly, so that a weak one never fits. @throws precondition_failed */
function expectMatch(ifMatch: string | null, etag: string): void {
  if (ifMatch !== null && ifMatch.trim() !== '*' && (etag.startsWith('W/') || !named(ifMatch, etag)))
    throw new AppError('precondition_failed')
}

/** If-Match (412), then If-None-Match, of an answer that has this ETag. @returns whether it is to be 304 */
export function isKnown(headers: Headers, etag: string): boolean {
  expectMatch(headers.get('if-match'), etag)
  const known = headers.get('if-none-match')
  return known !== null && (known === etag || named(bare(known), bare(etag)))
}
