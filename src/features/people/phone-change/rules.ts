/** How old a sign-in may be, in seconds, for another number to be asked for without more. */
const FRESH_SECONDS = 300

/** Whether a sign-in at `authTime` (epoch seconds) is recent enough; one that nobody knows the time of is not. */
export const isFresh = (authTime: number | undefined, wall: number): boolean =>
  authTime !== undefined && wall / 1000 - authTime <= FRESH_SECONDS
