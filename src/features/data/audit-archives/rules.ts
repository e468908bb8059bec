import { addMonths } from '../../../core/dates.ts'

/** Entries stay in the trail at least so many months. */
const MONTHS = 12
/** Entries that leave the trail in one write. */
export const TURN = 500
export const FORMAT = 'loyer-audit-archive'

/** The latest day before which entries may be archived, on a day. */
export const latestBefore = (today: string): string => addMonths(today, -MONTHS)

/** The name that an archive's file is kept under. */
export const fileName = (id: string, sha256: string): string => `${id}.${sha256}`
