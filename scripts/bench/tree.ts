// A service of several processes, as the system sees it.
import { readdirSync, readFileSync } from 'node:fs'
import { processorSeconds } from './load.ts'

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

/** Seconds of processor time of a process and of those that it started. */
export const treeSeconds = (pid: number): number =>
  [pid, ...childrenOf(pid)].reduce((sum, each) => sum + (processorSeconds(each) ?? Number.NaN), 0)
