// The thread that copies a long write-ahead log into the database file, on a connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { openCopier } from '../../../db/wal/wal.ts'
import { FINISH } from '../threads.ts'

const { copy, close } = openCopier(String(workerData))
parentPort?.on('message', (asked: 'PASSIVE' | 'TRUNCATE' | typeof FINISH) => {
  if (asked === FINISH) close()
  else copy(asked)
  parentPort?.postMessage(asked)
})
