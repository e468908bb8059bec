// The thread that makes a backup beside the service: its plan comes as workerData, the backup goes back as a message.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { backUp, type Plan } from './run.ts'

/** Gives way to the service. Linux has a priority for each thread; elsewhere it would be that of the whole process. */
function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(10)
  } catch {
    // Not permitted: the backup is as fast as ever.
  }
}

giveWay()
const { plan, stop, atMs } = workerData as { plan: Plan; stop: Int32Array; atMs: number }
try {
  parentPort?.postMessage({ made: await backUp(plan, atMs, () => Atomics.load(stop, 0) === 1) })
} catch (e) {
  parentPort?.postMessage({ reason: e instanceof Error ? e.message : String(e) })
}
