/** What stands in the thread of a request: what people wrote and sent, and each move. */
export const ENTRY_KINDS = ['MESSAGE', 'PHOTO', 'SEEN', 'PLANNED', 'DONE', 'REFUSED', 'REOPENED'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]
export const SIDES = ['LANDLORD', 'TENANT'] as const
export type Side = (typeof SIDES)[number]

/** Limits against floods: what one thread may hold. */
export const MOST_ENTRIES = 300
export const MOST_PHOTOS = 12
/** Messages and photos of one person within a day, in all threads. */
export const MOST_A_DAY = { TENANT: 60, LANDLORD: 1_000 } as const
