// `bun scripts/walks.ts [--list]`: how many files one request runs through: those of src and db in which a line runs each
// time that the request is made. Exits 1 above a bar. The last of the rows begins with a token that nobody has seen.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const list = process.argv.includes('--list')
const WALKS: readonly (readonly [name: string, most: number])[] = [
  ['GET one property', 10],
  ['POST property', 14],
  ['payment', 25],
  ['first token to role check', 10],
]

/** How often each line ran, by `file:line`, in a run that makes the request `times`. */
function run(walk: string, times: number): Map<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'loyer-walks-'))
  const { exitCode, stderr } = Bun.spawnSync(
    [
      process.execPath,
      'test',
      '--coverage',
      '--coverage-reporter=lcov',
      `--coverage-dir=${folder}`,
      './scripts/walked.ts',
    ],
    { cwd: root, env: { ...process.env, WALK: walk, WALK_TIMES: String(times) } },
  )
  if (exitCode !== 0) throw new Error(stderr.toString())
  const hits = new Map<string, number>()
  let file = ''
  for (const line of readFileSync(join(folder, 'lcov.info'), 'utf8').split('\n')) {
    if (line.startsWith('SF:')) file = line.slice(3)
    else if (line.startsWith('DA:')) {
      const [at = '', n] = line.slice(3).split(',')
      hits.set(`${file}:${at}`, Number(n))
    }
  }
  rmSync(folder, { recursive: true })
  return hits
}

const MORE = 30
/** So many of them: the service's own work between the requests makes the count of a line a little larger or smaller. */
const ENOUGH = 20
/** The files that a request runs through: a line of them runs once more each time that it is made. */
function filesOf(name: string, times = [1, 1 + MORE]): string[] {
  const runs = new Map(times.map((n) => [n, run(name, n)]))
  const files = [...(runs.get(1 + MORE) ?? [])].flatMap(([at, n]) => {
    const file = at.slice(0, at.lastIndexOf(':'))
    return /^(src|db)\//.test(file) && n - (runs.get(1)?.get(at) ?? 0) >= ENOUGH ? [file] : []
  })
  return [...new Set(files)]
}

let failed = false
for (const [name, most] of WALKS) {
  let files = filesOf(name)
  // More looks, in the other order, leave out what ran as often because the machine became slower.
  for (let looks = 0; looks < 2 && files.length > most; looks++) {
    const inOtherOrder = new Set(filesOf(name, [1 + MORE, 1]))
    files = files.filter((file) => inOtherOrder.has(file))
  }
  const fits = files.length <= most
  failed ||= !fits
  process.stdout.write(`${fits ? 'ok    ' : 'MORE  '} ${name}: ${files.length} files (at most ${most})\n`)
  if (list) process.stdout.write(`${files.map((file) => `         ${file}`).join('\n')}\n`)
}
if (failed) process.exit(1)
