import { FILE, FILES } from '../../../core/budgets.ts'
import { DAY_MS } from '../../../core/dates.ts'
import type { Transitions } from '../../../core/lifecycle.ts'

export const OWNER_TYPES = ['PROPERTY', 'UNIT', 'VERIFICATION', 'USER'] as const
export type OwnerType = (typeof OWNER_TYPES)[number]
export const MEDIA_KINDS = ['PHOTO', 'DOCUMENT'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]
export const MEDIA_STATUS = ['PENDING', 'AVAILABLE'] as const
export type MediaStatus = (typeof MEDIA_STATUS)[number]
/** Rows to be imported. */
const SHEET_TYPES = ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'] as const
export const CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf', ...SHEET_TYPES] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

export const mediaMoves: Transitions<MediaStatus, 'complete'> = {
  complete: { from: ['PENDING'], to: 'AVAILABLE' },
}

const MIB = 1024 * 1024
/** The largest file of a kind, in bytes. */
export const MAX_BYTES: Readonly<Record<MediaKind, number>> = { PHOTO: FILE.photo, DOCUMENT: FILE.document }
/**
 * Whether a photo's file is far too small for its pixels. A real one has at most about a hundred pixels a byte; the
 * smallest file of 50 megapixels has 8,000, and takes 200 MB of memory to decode.
 */
export const isBloated = (pixels: number, bytes: number): boolean => pixels > 4_000_000 && pixels > bytes * 250
type Usage = { readonly objects: number; readonly bytes: number; readonly pending: number } & Record<
  'ownObjects' | 'ownBytes',
  number
>
/** Which quota one more file of a size would exceed; PENDING objects count as announced, deleted ones no more. */
export function quotaPassed(
  sees: 'tenant' | 'owner' | 'all',
  usage: Usage,
  sizeBytes: number,
): { en: string; fr: string } | undefined {
  const { objects, bytes } = FILES.organization
  const own = FILES[sees]
  if (usage.pending >= own.pending)
    return {
      en: `You have ${own.pending} uploads open. Complete or delete some; those not completed go after a day.`,
      fr: `Vous avez ${own.pending} envois en cours. Terminez-en ou supprimez-en ; ceux qui ne sont pas terminés disparaissent après un jour.`,
    }
  if (usage.objects >= objects || usage.bytes + sizeBytes > bytes)
    return {
      en: `The files of your organization are at their most: ${objects} files and ${bytes / MIB} MiB. Delete some that are no longer needed.`,
      fr: `Votre organisation a atteint son maximum de fichiers : ${objects} fichiers et ${bytes / MIB} Mio. Supprimez-en qui ne servent plus.`,
    }
  if (usage.ownObjects >= own.objects || usage.ownBytes + sizeBytes > own.bytes)
    return {
      en: `Your files are at their most: ${own.objects} files and ${own.bytes / MIB} MiB. Delete some that are no longer needed.`,
      fr: `Vous avez atteint votre maximum de fichiers : ${own.objects} fichiers et ${own.bytes / MIB} Mio. Supprimez-en qui ne servent plus.`,
    }
  return undefined
}
/** Widths of a photo's thumbnails; higher ones are kept within the same height. */
export const THUMBNAILS = ['320', '800'] as const
export type Thumbnail = (typeof THUMBNAILS)[number]

export const UPLOAD_SECONDS = 900
/** How long a link in a list lives at most, and how long it stays the same, in seconds. */
export const LISTED_SECONDS = 300
export const LINK_STEP = 150
/** Owners whose files one list may ask for. */
export const OWNERS_ASKED = 50
/** An upload that nobody completed is forgotten after a day. */
export const PENDING_MS = DAY_MS

/** Papers of people: links to them live shorter, and others see them only while they review them. */
export const isPersonal = (ownerType: OwnerType): boolean => ownerType === 'USER' || ownerType === 'VERIFICATION'
/** Whether reading a file is recorded in the audit trail: papers of an identity check always, other people's papers too. */
export const isTraced = (file: { ownerType: OwnerType; ownerUserId: string }, userId: string): boolean =>
  file.ownerType === 'VERIFICATION' || (isPersonal(file.ownerType) && file.ownerUserId !== userId)
/** How long a download link lives, in seconds. */
export const downloadSeconds = (ownerType: OwnerType): number => (isPersonal(ownerType) ? 60 : 300)

const ENDINGS: Readonly<Record<ContentType, readonly [string, ...string[]]>> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  'text/csv': ['csv'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
}
const MAX_NAME = 255
/** A file's name with the ending of its type: a saved file opens as what it is, and never runs as a program. */
export function nameWithEnding(filename: string, contentType: ContentType): string {
  const endings = ENDINGS[contentType]
  const name = filename.replace(/[.\s]+$/u, '')
  if (endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`))) return name
  const stem = name.replace(/\.[A-Za-z][A-Za-z0-9]{1,4}$/, '') || 'file'
  return `${[...stem].slice(0, MAX_NAME - 5).join('')}.${endings[0]}`
}

export const isSheet = (contentType: string): boolean => (SHEET_TYPES as readonly string[]).includes(contentType)
/** What a browser may show, and not only save. */
export const isViewable = (contentType: string): boolean => isPicture(contentType) || contentType === 'application/pdf'
export const isPicture = (contentType: string): boolean => contentType.startsWith('image/')
/** A photo is a picture; a document may also be a PDF, and one of a user also a spreadsheet, for an import. */
export const takes = (kind: MediaKind, contentType: ContentType, ownerType: OwnerType): boolean =>
  isPicture(contentType) || (kind === 'DOCUMENT' && (!isSheet(contentType) || ownerType === 'USER'))

/** Whether bytes can be the sheet they are said to be; the import itself looks closer. */
export function isSheetOf(contentType: ContentType, bytes: Uint8Array): boolean {
  const zipped = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04
  if (contentType !== 'text/csv') return zipped
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  return !zipped && (marked || !bytes.includes(0))
}

/** Names of an object's files. A stored file has its hash in its name, so it cannot change under a committed row. */
export const uploadName = (id: string): string => `${id}.upload`
export const fileName = (id: string, sha256: string): string => `${id}.${sha256}`
export const thumbnailName = (id: string, sha256: string, size: Thumbnail): string => `${id}.${sha256}.${size}`

/** Why a file cannot be deleted. */
export const KEPT = {
  en: 'This file belongs to a verification, a signed lease, an expense, a repair or an inspection and is kept with it.',
  fr: 'Ce fichier appartient à une vérification, à un bail signé, à une dépense, à une réparation ou à un état des lieux : il doit être conservé.',
} as const
export const NO_PHOTO = {
  en: 'A photo must be image/jpeg, image/png or image/webp.',
  fr: 'Une photo doit être image/jpeg, image/png ou image/webp.',
} as const
