import { Type } from '@sinclair/typebox'
import { DateOnly, DateTime, Uuid } from './schema.ts'

/*
 * Members that many models share, each with its sentence and its part in the examples of the OpenAPI document, which tell
 * of one lease in Douala in March 2026.
 */

/** A fixed id; the same number means the same object in every example. */
export const exampleId = (n: number): string => `01985f3a-7c00-7000-8000-${n.toString(16).padStart(12, '0')}`
const idOf = (n: number, description: string) => ({ ...Uuid, description, examples: [exampleId(n)] })
const word = (example: string, description: string) => Type.String({ description, examples: [example] })
const day = (example: string, description: string) => ({ ...DateOnly, description, examples: [example] })
const time = (example: string, description: string) => ({ ...DateTime, description, examples: [example] })

/** The SHA-256 of something, in hex. */
export const sha256 = (description: string) =>
  word('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', description)

export const Id = { ...Uuid, description: 'The id; it is never reused.' }
export const OrgId = idOf(1, 'The organization that it belongs to.')
export const PropertyId = idOf(16, 'The property.')
export const UnitId = idOf(17, 'The unit.')
export const TenantId = idOf(18, 'The tenant, as the landlord entered them.')
export const BookingId = idOf(19, 'The lease (booking).')
export const InvoiceId = idOf(20, 'The invoice.')
export const MediaObjectId = { ...Uuid, description: 'The uploaded file: a media object that is AVAILABLE.' }
export const TenantUserId = idOf(
  3,
  "The tenant's account, if they have one. In a draft, an OWNER or a manager limited to some properties sees it only once the person has agreed.",
)
export const RecordedBy = idOf(2, 'The user who recorded it.')

export const PropertyName = word('Résidence Bonamoussadi', 'The name of the property.')
export const UnitLabel = word('A1', 'The label of the unit.')
export const TenantName = word('Ngo Bassa Marie-Claire', "The tenant's full name.")
export const TenantPhoneNumber = word('+237677123456', "The tenant's phone number, in international form.")
export const CurrencyCode = word('XAF', 'The currency of the amounts: XAF.')

export const PeriodStart = day('2026-03-01', 'The first day of the period.')
export const PeriodEnd = day('2026-03-31', 'The last day of the period.')
export const IssuedOn = day('2026-03-01', 'The day of issue.')
export const DueDate = day('2026-03-05', 'The day by which it must be paid.')
export const PaidOn = day('2026-03-04', 'The day on which the money was paid; not in the future.')

export const CreatedAt = time('2025-11-03T08:15:00.000Z', 'When it was created.')
export const CancelledAt = { ...DateTime, description: 'When it was cancelled.' }
export const ExpiresAt = { ...DateTime, description: 'When it expires.' }
export const FinishedAt = time('2026-03-04T10:12:41.000Z', 'When it finished.')
