// The checking thread: one file, one result, on a read-only connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { quickCheck } from '../../../db/integrity.ts'

parentPort?.postMessage(quickCheck(String(workerData)))
