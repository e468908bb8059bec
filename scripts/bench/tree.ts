// A service of several processes, as the system sees it.
import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { processorSeconds } from './load.ts'

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

/** Seconds of processor time of a process, and of each of those that it started. */
export const eachSeconds = (pid: number): number[] =>
  [pid, ...childrenOf(pid)].map((each) => processorSeconds(each) ?? Number.NaN)

/** Ticks of /proc/stat in a second, and its columns of idle time. */
const TICKS = 100
const IDLE = [3, 4]
/** Seconds in which the processors of this machine were busy, all together. */
export function busySeconds(): number {
  const [all = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  // The last two columns are counted in others already.
  const ticks = all.split(/\s+/).slice(1, 9).map(Number)
  return ticks.reduce((sum, each, i) => (IDLE.includes(i) ? sum : sum + each), 0) / TICKS
}

/**
 * Puts this process before others from now on: what it times is then the service's, not its own wait for a processor.
 * Without root, nothing changes.
 */
export function stepForward(): void {
  Bun.spawnSync(['chrt', '--all-tasks', '--fifo', '--pid', '10', String(process.pid)])
}
/**
 * Puts this process behind others from now on: it waits for its turn when it is woken, and then takes up several answers
 * at once, which costs less. For clients that ask as fast as they can; one that measures single requests must be there.
 */
export function stepBack(): void {
  Bun.spawnSync(['chrt', '--all-tasks', '--batch', '--pid', '0', String(process.pid)])
  setPriority(10)
}
