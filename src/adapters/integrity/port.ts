/** Checks a whole database file beside the service. Resolves with at most ten lines of faults; an empty list is good. */
export type CheckDatabase = (file: string) => Promise<readonly string[]>
