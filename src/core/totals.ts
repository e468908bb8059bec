/** The total of a list is exact up to here. */
export const MOST_COUNTED = 10_000
/** A total as X-Total-Count tells it. `goesOn`: not all rows were counted. */
export const totalText = (n: number, goesOn = false): string =>
  n > MOST_COUNTED ? `${MOST_COUNTED}+` : `${n}${goesOn ? '+' : ''}`
