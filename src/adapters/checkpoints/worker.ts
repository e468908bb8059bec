// The thread that copies a long write-ahead log into the database file, on a connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { openCopier } from '../../../db/log.ts'

const copier = openCopier(String(workerData))
parentPort?.on('message', (mode: 'PASSIVE' | 'TRUNCATE') => {
  copier(mode)
  parentPort?.postMessage(mode)
})
