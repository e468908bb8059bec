import type { Schemas } from '../../../shared/api.ts'

type Door = Schemas['Door']
export type Floor = { readonly level: number | undefined; readonly doors: readonly Door[] }
const IN_A_ROW = 4

/** The floor in a label such as 101 or B-203; undefined for any other. */
const levelOf = ({ label }: Door): number | undefined => {
  const [, level] = /^\D*(\d)\d{2}$/.exec(label) ?? []
  return level === undefined ? undefined : Number(level)
}

/** The doors of a building from the top to the ground: by the floors in their labels, else four in a row. */
export function floorsOf(doors: readonly Door[]): Floor[] {
  const levels = Map.groupBy(doors, levelOf)
  if (levels.size > 0 && !levels.has(undefined))
    return [...levels]
      .map(([level, ofLevel]) => ({ level, doors: ofLevel }))
      .sort((a, b) => (b.level ?? 0) - (a.level ?? 0))
  const rows = Array.from({ length: Math.ceil(doors.length / IN_A_ROW) }, (_, n) =>
    doors.slice(n * IN_A_ROW, (n + 1) * IN_A_ROW),
  )
  return rows.reverse().map((row) => ({ level: undefined, doors: row }))
}
