// The thread for long lists: answers statement by statement, on a read-only connection of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { type Found, reading } from '../../../db/list-reading.ts'
import { readOnly } from '../../../db/snapshot.ts'
import { sqliteCode } from '../../../db/store-error.ts'
import { FINISH } from '../threads.ts'
import type { ListAnswer, ListStep } from './thread.ts'

const db = readOnly(String(workerData))
const begun = new Map<number, Generator<undefined, Found>>()
const tell = (answer: ListAnswer): void => parentPort?.postMessage(answer)

function step({ id, begin }: Exclude<ListStep, { forget: number } | typeof FINISH>): ListAnswer {
  const list = begin ? reading(db, begin) : begun.get(id)
  if (!list) throw new Error(`list ${id} was not begun here`)
  const { done, value } = list.next()
  if (done) {
    begun.delete(id)
    return { found: value }
  }
  begun.set(id, list)
  return { more: true }
}

parentPort?.on('message', (asked: ListStep) => {
  if (asked === FINISH) {
    db.$client.close()
    return parentPort?.postMessage(FINISH)
  }
  if ('forget' in asked) return void begun.delete(asked.forget)
  try {
    tell(step(asked))
  } catch (e) {
    begun.delete(asked.id)
    tell({ message: e instanceof Error ? e.message : String(e), code: sqliteCode(e) })
  }
})
