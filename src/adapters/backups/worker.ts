// The thread that makes a backup beside the service: its plan comes as workerData, the backup goes back as a message.
import { parentPort, workerData } from 'node:worker_threads'
import { giveWay } from '../threads.ts'
import { backUp, type Plan } from './run.ts'

giveWay()
const { plan, stop, atMs } = workerData as { plan: Plan; stop: Int32Array; atMs: number }
try {
  parentPort?.postMessage({ created: await backUp(plan, atMs, () => Atomics.load(stop, 0) === 1) })
} catch (e) {
  parentPort?.postMessage({ reason: e instanceof Error ? e.message : String(e) })
}
