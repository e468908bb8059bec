/** How old a sign-in may be, in seconds, to change the number without further proof. */
const FRESH_SECONDS = 300

/** Whether a sign-in at `authTime` (epoch seconds) is recent; one of unknown time is not. */
export const isFresh = (authTime: number | undefined, wall: number): boolean =>
  authTime !== undefined && wall / 1000 - authTime <= FRESH_SECONDS

/** How long the holder of the old number may undo a change. */
export const UNDO_MS = 72 * 3_600_000
