import { DAY_MS } from '../../../core/dates.ts'
/** What may wait for a landlord, in the order of a working day. */
export const NEEDS = [
  'PAYMENT_DECLARED',
  'MESSAGE_UNMATCHED',
  'BOOKING_REQUESTED',
  'REPAIR_REQUESTED',
  'LEASE_TO_SIGN',
  'RENT_CHANGE_TO_SIGN',
  'INSPECTION_TO_SIGN',
  'INSPECTION_DUE',
  'NOTICE_GIVEN',
  'LEASE_ENDING',
  'VERIFICATION_TO_REVIEW',
  'PAPER_FAILED',
  'MESSAGE_UNDELIVERED',
  'IMPORT_DONE',
  'SETUP',
] as const
export type NeedKind = (typeof NEEDS)[number]

/** How many days ahead the end of a lease is shown, and for how many days a message that did not arrive is. */
export const ENDING_DAYS = 60
export const UNDELIVERED_DAYS = 14
/** How many days before and after its end a lease wants its inspection. */
export const INSPECTION_DAYS = 14
/** How long the end of an import is shown, in milliseconds. */
export const IMPORT_MS = DAY_MS
