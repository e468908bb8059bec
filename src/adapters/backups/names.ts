import { DAY_MS } from '../../core/dates.ts'

const NAME = /^loyer-(\d{4})-(\d\d)-(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst(\.age)?$/

/** The name of a backup: its time, and how it is packed. */
export const nameOf = (atMs: number, encrypted: boolean): string =>
  `loyer-${new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.zst${encrypted ? '.age' : ''}`

/** The ISO time in the name of a backup, and whether it is encrypted; undefined for any other file. */
export function readName(name: string): { readonly createdAt: string; readonly encrypted: boolean } | undefined {
  const [, year, month, day, hours, minutes, seconds, age] = NAME.exec(name) ?? []
  if (year === undefined) return undefined
  return {
    createdAt: `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.000Z`,
    encrypted: age !== undefined,
  }
}

const KEPT = { days: 7, weeks: 4, months: 12, newest: 3 }
/** Weeks begin on Monday: 5 January 1970 was one. */
const weekOf = (ms: number): number => Math.floor((ms / DAY_MS - 4) / 7)

/**
 * Which backups are removed: kept are the newest three, and the last one of each of the newest seven days, four weeks
 * and twelve months that have any. Times are ISO, the days those of UTC.
 */
export function outdated<T extends { readonly createdAt: string }>(backups: readonly T[]): readonly T[] {
  const sorted = [...backups].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  const keep = new Set(sorted.slice(0, KEPT.newest))
  const lastOfEach = (count: number, spanOf: (createdAt: string) => string | number): void => {
    const spans = new Set<string | number>()
    for (const backup of sorted) {
      const span = spanOf(backup.createdAt)
      if (spans.has(span)) continue
      spans.add(span)
      if (spans.size > count) return
      keep.add(backup)
    }
  }
  lastOfEach(KEPT.days, (at) => at.slice(0, 10))
  lastOfEach(KEPT.weeks, (at) => weekOf(Date.parse(at)))
  lastOfEach(KEPT.months, (at) => at.slice(0, 7))
  return sorted.filter((backup) => !keep.has(backup))
}
