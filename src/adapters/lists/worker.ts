// The thread for long lists: answers statement by statement, on a read-only connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { type Found, reading } from '../../../db/list-reading.ts'
import { readOnly } from '../../../db/snapshot.ts'
import { sqliteCode } from '../../../db/store-error.ts'
import type { ListAnswer, ListStep } from './thread.ts'

const db = readOnly(String(workerData))
const begun = new Map<number, Generator<undefined, Found>>()
const tell = (answer: ListAnswer): void => parentPort?.postMessage(answer)

function step({ id, begin }: ListStep): ListAnswer {
  const list = begin ? reading(db, begin) : begun.get(id)
  const done = list?.next()
  if (list && done?.done === false) {
    begun.set(id, list)
    return { more: true }
  }
  begun.delete(id)
  return { found: done?.value ?? { rows: [], total: 0 } }
}

parentPort?.on('message', (asked: ListStep) => {
  try {
    tell(step(asked))
  } catch (e) {
    begun.delete(asked.id)
    tell({ message: e instanceof Error ? e.message : String(e), code: sqliteCode(e) })
  }
})
