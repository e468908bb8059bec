/** Looks through a whole database file, beside the service. Resolves with what is wrong, at most ten lines; none is good. */
export type CheckDatabase = (file: string) => Promise<readonly string[]>
