import { addMonths } from '../../../core/dates.ts'

/** Entries stay in the trail for at least this many months. */
const MONTHS = 12
/** Entries deleted from the trail in one write. */
export const TURN = 500
export const FORMAT = 'loyer-audit-archive'

/** The latest day that an archive made today may end before. */
export const latestBefore = (today: string): string => addMonths(today, -MONTHS)

/** The stored name of an archive's file. */
export const fileName = (id: string, sha256: string): string => `${id}.${sha256}`
