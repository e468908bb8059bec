/** For how many days adjustments are shown, and how many at most. */
export const DAYS = 30
export const MOST = 200
