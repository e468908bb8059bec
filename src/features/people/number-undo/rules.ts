/** How long the number before may undo a change. */
export const UNDO_MS = 72 * 3_600_000
