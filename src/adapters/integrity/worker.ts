// The checking thread: one file, one answer. It has a connection of its own that only reads.
import { parentPort, workerData } from 'node:worker_threads'
import { quickCheck } from '../../../db/inspect.ts'

parentPort?.postMessage(quickCheck(String(workerData)))
