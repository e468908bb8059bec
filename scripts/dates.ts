// `npm run test:dates`: tests of live servers and faults, and the smoke, under forty dates, by the time of Douala or UTC.
// `--draw 3` draws some of them, `--date 2028-02-29T23:30` names one (repeatable), `--print` only prints them; `--short`
// runs the tests that look at the date most, `--smoke dist/loyer` or `--smoke deno` another smoke than that of the sources.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { aheadOf } from '../test/support/clock/dates.ts'

const root = join(import.meta.dirname, '..')
const two = (n: number): string => String(n).padStart(2, '0')
/** A month of 31 days, at another hour each day. */
const days = Array.from({ length: 31 }, (_, n) => `2027-01-${two(n + 1)}T${two((n * 7) % 24)}:${two((n * 13) % 60)}`)
const DATES = [
  ...days,
  '2027-02-28T23:59:30',
  '2027-04-30T12:00',
  '2028-02-29T08:00',
  '2028-02-29T23:30Z',
  '2027-12-31T23:59:30',
  '2027-12-31T23:59:30Z',
  '2028-01-01T00:20',
  '2028-01-01T00:20Z',
  '2028-01-01T03:00',
]

const { values } = parseArgs({
  options: {
    draw: { type: 'string' },
    date: { type: 'string', multiple: true },
    print: { type: 'boolean' },
    short: { type: 'boolean' },
    smoke: { type: 'string' },
  },
})
const say = (line: string): void => void process.stdout.write(`${line}\n`)

function drawn(count: number): string[] {
  const left = [...DATES]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(randomInt(left.length), 1)).flat()
}
const dates = values.date ?? (values.draw === undefined ? DATES : drawn(Number(values.draw)))
for (const date of dates) aheadOf(date)
if (values.print) {
  say(dates.join('\n'))
  process.exit(0)
}

/** Runs a command of Bun on a date. @returns whether it ended well */
function run(date: string, ...args: string[]): boolean {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_DATE: date },
  })
  return status === 0
}
/** Sample data, tokens, links, papers and clocks on live servers. */
const SHORT = ['live/exports', 'live/demo', 'live/specification', 'live/tokens', 'faults/clock', 'faults/demo']
const tests = values.short ? SHORT.map((name) => `test/${name}`) : ['test/live', 'test/faults']
const { smoke } = values
const way = smoke === undefined ? ['--bun'] : smoke === 'deno' ? ['--deno'] : ['--binary', smoke]
const kind = `${values.short ? ' --short' : ''}${smoke === undefined ? '' : ` --smoke ${smoke}`}`
const failed: string[] = []
for (const date of dates) {
  const began = performance.now()
  say(`\n=== ${date}; to repeat it: bun scripts/dates.ts --date ${date}${kind}`)
  const isGood = [
    run(date, 'test', '--parallel', '--timeout', '60000', '--retry=1', ...tests),
    run(date, 'scripts/smoke.ts', ...way),
  ].every(Boolean)
  if (!isGood) failed.push(date)
  say(`=== ${date}: ${isGood ? 'passed' : 'FAILED'} after ${Math.round((performance.now() - began) / 1000)} s`)
}
say(failed.length === 0 ? `\n${dates.length} dates passed` : `\nfailed on ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
