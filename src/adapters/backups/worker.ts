// The thread that makes a backup beside the service: its plan comes as workerData, the backup goes back as a message.
import { parentPort, workerData } from 'node:worker_threads'
import { backUp, type Plan } from './run.ts'

const { plan } = workerData as { plan: Plan }
try {
  parentPort?.postMessage({ made: await backUp(plan) })
} catch (e) {
  parentPort?.postMessage({ reason: e instanceof Error ? e.message : String(e) })
}
