type Values = Readonly<Record<string, string | undefined>>
export type Row = Record<string, unknown>

/**
 * The questions that a request with several values asks, one for each: their indexes give each in order, so merging them
 * needs no sort. `several`: the filter whose value may be a list, separated by commas.
 */
export function armsOf(values: Values, several: string | undefined, others: readonly Values[] = [{}]): Values[] {
  const given = several === undefined ? undefined : values[several]
  const parts =
    several === undefined || !given?.includes(',')
      ? [values]
      : [...new Set(given.split(','))].map((value) => ({ ...values, [several]: value }))
  return others.flatMap((other) => parts.map((part) => ({ ...part, ...other })))
}

const ordered = (a: unknown, b: unknown): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

/** Rows of several ordered answers in one order, each once: by `sortKey` where a range orders them, then by `place`. */
export function merge(answers: readonly (readonly Row[])[], order: 'asc' | 'desc'): Row[] {
  const way = order === 'asc' ? 1 : -1
  const rows = [...new Map(answers.flat().map((row) => [row.id, row])).values()]
  rows.sort((a, b) => way * (ordered(a.sortKey, b.sortKey) || ordered(a.place, b.place)))
  for (const row of rows) row.place = undefined
  return rows
}
