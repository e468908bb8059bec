import type { Transitions } from '../../core/lifecycle.ts'

export const OWNER_TYPES = ['PROPERTY', 'UNIT', 'VERIFICATION', 'USER'] as const
export type OwnerType = (typeof OWNER_TYPES)[number]
export const MEDIA_KINDS = ['PHOTO', 'DOCUMENT'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]
export const MEDIA_STATUS = ['PENDING', 'AVAILABLE'] as const
export type MediaStatus = (typeof MEDIA_STATUS)[number]
export const CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

export const mediaMoves: Transitions<MediaStatus, 'complete'> = {
  complete: { from: ['PENDING'], to: 'AVAILABLE' },
}

const MIB = 1024 * 1024
/** The largest file of a kind, in bytes. */
export const MAX_BYTES: Readonly<Record<MediaKind, number>> = { PHOTO: 10 * MIB, DOCUMENT: 20 * MIB }
export const MAX_PIXELS = 50_000_000
export const MAX_SIDE = 12_000
/** What one organization may keep, and how many uploads one person may have begun and not ended. */
export const QUOTA = { objects: 5_000, bytes: 2 * 1024 * MIB, pending: 50 } as const
/** Widths of a photo's thumbnails; higher ones are kept within the same height. */
export const THUMBNAILS = ['320', '800'] as const
export type Thumbnail = (typeof THUMBNAILS)[number]

export const UPLOAD_SECONDS = 900
/** An upload that nobody completed is forgotten after a day. */
export const PENDING_MS = 24 * 3600_000

/** Papers of people: links to them live shorter, and others see them only while they review them. */
export const isPersonal = (ownerType: OwnerType): boolean => ownerType === 'USER' || ownerType === 'VERIFICATION'
/** How long a download link lives, in seconds. */
export const downloadSeconds = (ownerType: OwnerType): number => (isPersonal(ownerType) ? 60 : 300)

/** A photo is a picture; a document may be a PDF too. */
export const takes = (kind: MediaKind, contentType: ContentType): boolean =>
  kind === 'DOCUMENT' || contentType !== 'application/pdf'

/** Names of an object's files. What is kept carries its own hash: nothing can change below a committed row. */
export const uploadName = (id: string): string => `${id}.upload`
export const fileName = (id: string, sha256: string): string => `${id}.${sha256}`
export const thumbnailName = (id: string, sha256: string, size: Thumbnail): string => `${id}.${sha256}.${size}`

/** RFC 6266 and 8187: the name in full, and a plain one for readers that know only that. */
export function contentDisposition(kind: 'inline' | 'attachment', filename: string): string {
  const name = filename.toWellFormed().replace(/[/\\]/g, '_').replace(/^\.+/, '_')
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["%;]/g, '_')
  const full = encodeURIComponent(name).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${full}`
}

export type Span = { readonly start: number; readonly end: number }
/** One byte range of a file (RFC 9110 section 14), end included. Several ranges, or none that is one, are as if not asked. */
export function spanOf(header: string | null, size: number): Span | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  const [, from = '', to = ''] = match ?? []
  if (!match || (from === '' && to === '')) return undefined
  if (from === '') return to === '0' ? 'unsatisfiable' : { start: Math.max(0, size - Number(to)), end: size - 1 }
  const span = { start: Number(from), end: Math.min(size - 1, to === '' ? size - 1 : Number(to)) }
  if (to !== '' && Number(to) < span.start) return undefined
  return span.start >= size ? 'unsatisfiable' : span
}
