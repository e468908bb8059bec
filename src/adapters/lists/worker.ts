// The thread for long lists: answers one after another, on a read-only connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { type Reading, readList } from '../../../db/list-reading.ts'
import { readOnly } from '../../../db/snapshot.ts'
import { sqliteCode } from '../../../db/store-error.ts'
import type { ListAnswer } from './thread.ts'

const db = readOnly(String(workerData))
const tell = (answer: ListAnswer): void => parentPort?.postMessage(answer)
parentPort?.on('message', (reading: Reading) => {
  try {
    tell({ found: readList(db, reading) })
  } catch (e) {
    tell({ message: e instanceof Error ? e.message : String(e), code: sqliteCode(e) })
  }
})
