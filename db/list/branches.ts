type Values = Readonly<Record<string, string | undefined>>
export type Row = Record<string, unknown>

/**
 * One query for each value of a filter that has several: an index gives the rows of each in order, so merging needs no
 * sort. `several`: the filter whose value may be a list, separated by commas.
 */
export function branchesOf(values: Values, several: string | undefined, others: readonly Values[] = [{}]): Values[] {
  const text = several === undefined ? undefined : values[several]
  const parts =
    several === undefined || !text?.includes(',')
      ? [values]
      : [...new Set(text.split(','))].map((value) => ({ ...values, [several]: value }))
  return others.flatMap((other) => parts.map((part) => ({ ...part, ...other })))
}

const ordered = (a: unknown, b: unknown): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

/** Before or after in a list: by `sortKey` if a range orders it, then by `place`. */
const compared = (order: 'asc' | 'desc') => (a: Row, b: Row) =>
  (order === 'asc' ? 1 : -1) * (ordered(a.sortKey, b.sortKey) || ordered(a.place, b.place))

/** The row that comes first in a list; undefined if there is none. */
export const nearest = (rows: readonly Row[], order: 'asc' | 'desc'): Row | undefined =>
  rows.toSorted(compared(order))[0]

/** Merges the ordered rows of several queries, each row once. */
export function merge(answers: readonly (readonly Row[])[], order: 'asc' | 'desc'): Row[] {
  const rows = [...new Map(answers.flat().map((row) => [row.id, row])).values()]
  rows.sort(compared(order))
  for (const row of rows) row.place = undefined
  return rows
}
