/** How long the holder of the old number may undo a change. */
export const UNDO_MS = 72 * 3_600_000
