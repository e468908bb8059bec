// The table, as people and as programs read it.
import { writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

export type Line = {
  readonly name: string
  readonly against: string
  /** What was found and what was asked for, in words. */
  readonly measured: string
  readonly spread: string
  /** The ratio by the other measure. */
  readonly otherwise: string
  readonly bar: string
  readonly absolute: string
  /** Undefined where no bar was set. */
  readonly met: boolean | undefined
  readonly values: Readonly<Record<string, number>>
}

export const machine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Bun ${Bun.version}`

const COLUMNS = ['work', 'against', 'ratio', 'quartiles', 'bar', '', 'other measure', 'median of each'] as const
const cells = (l: Line): readonly string[] => [
  l.name,
  l.against,
  l.measured,
  l.spread,
  l.bar,
  l.met === undefined ? '' : l.met ? 'met' : 'MISSED',
  l.otherwise,
  l.absolute,
]

export function table(lines: readonly Line[]): string {
  const all = [COLUMNS, ...lines.map(cells)]
  const widths = COLUMNS.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  const text = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((w) => '-'.repeat(w)).join(' | ')} |`
  return [text(COLUMNS), rule, ...lines.map((l) => text(cells(l)))].join('\n')
}

const fileOf = (end: string) => join(import.meta.dirname, `../../bench-result.${end}`)
/** The last run, as programs read it. */
export const SAVED = fileOf('json')
/** Written beside package.json, where git does not look. */
export function save(lines: readonly Line[], notes: readonly string[]): void {
  const day = new Date().toISOString().slice(0, 10)
  const heading = `# Benchmark\n\n${machine()}, ${day}\n`
  writeFileSync(fileOf('md'), `${heading}\n${table(lines)}\n\n${notes.map((n) => `- ${n}`).join('\n')}\n`)
  const rows = lines.map(({ name, against, met, values }) => ({ name, against, met, ...values }))
  writeFileSync(SAVED, `${JSON.stringify({ machine: machine(), day, notes, rows }, null, 2)}\n`)
}
