/** All days from 2000 to 2039 by the platform's calendar; the oracles only walk this list. */
export const DAYS = Array.from({ length: 14_610 }, (_, n) => {
  const date = new Date(Date.UTC(2000, 0, 1 + n))
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return { date: date.toISOString().slice(0, 10), day: date.getUTCDate(), last }
})
export const dayAt = (n: number) => DAYS[n] ?? { date: '', day: 0, last: 0 }
