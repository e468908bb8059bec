// The thread that copies a long write-ahead log into the database file, on a connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { openCopier } from '../../../db/wal/wal.ts'
import { FINISH } from '../threads.ts'

const { copy, close } = openCopier(String(workerData))
parentPort?.on('message', (command: 'PASSIVE' | 'TRUNCATE' | typeof FINISH) => {
  if (command === FINISH) close()
  else copy(command)
  parentPort?.postMessage(command)
})
