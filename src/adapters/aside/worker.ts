// The thread for long writes: its connection is its own, and takes turns with the service's writes.
import { parentPort, workerData } from 'node:worker_threads'
import { openAside } from '../../../db/write/aside.ts'
import { listenToChanges } from '../../changes/record.ts'
import { listeners } from '../../changes/registry.ts'
import { createIdSource } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { asides } from '../../jobs/asides.ts'
import { zip } from '../archive/zip.ts'
import { openBlobs } from '../blobs/blobs.ts'
import { createTables } from '../tables/tables.ts'
import type { Begin, ThreadMessage } from './thread.ts'

const { file, files, ahead, lead, name, input, stop } = workerData as Begin
const tell = (message: ThreadMessage): void => parentPort?.postMessage(message)
const wall = () => Date.now() + lead
const clock = { now: () => wall() + ahead, wall }

async function turn(): Promise<(orgId: string | null, much: boolean) => void> {
  const go = new Promise((resolve) => parentPort?.once('message', resolve))
  tell({ kind: 'turn' })
  await go
  return (orgId, much) => tell({ kind: 'written', orgId, much })
}

listenToChanges(listeners)
const store = openAside(file, turn)
try {
  const run = asides[name]
  if (!run) throw new Error(`nothing is registered as ${name}`)
  const result = await run(
    {
      db: store.db,
      write: store.write,
      clock,
      newId: createIdSource(clock.now),
      blobs: openBlobs(files, 'media'),
      tables: createTables(zip),
      checkStop() {
        if (Atomics.load(stop, 0) !== 0) throw new AppError('overloaded')
      },
      note: (note) => tell({ kind: 'note', note }),
    },
    input,
  )
  store.close()
  tell({ kind: 'end', result })
} catch (e) {
  store.close()
  if (e instanceof AppError) tell({ kind: 'refused', error: { code: e.code, text: e.text, details: e.details } })
  else tell({ kind: 'broke', error: e instanceof Error ? e : new Error(String(e)) })
}
