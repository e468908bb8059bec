// The thread for long writes: an import, or a change of a property with many documents, of a lease or a tenant with many
// invoices, of the charges of many leases. Its connection is its own and takes turns with the service's writes.
import { parentPort, workerData } from 'node:worker_threads'
import { openBeside } from '../../../db/beside.ts'
import type { Write } from '../../../db/open.ts'
import { listenToChanges } from '../../changes/record.ts'
import { listeners } from '../../changes/registry.ts'
import { createIdSource } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { bringIn } from '../../features/data/imports/jobs.ts'
import { regulariseLong, sharesLong, unregulariseLong } from '../../features/money/charges/jobs.ts'
import { correctLong, reinstateLong, settlementLong, terminateLong } from '../../features/money/leaving/jobs.ts'
import { advanceLong, decideLong, payLong } from '../../features/money/payments/jobs.ts'
import { accountLong } from '../../features/people/tenants/jobs.ts'
import { changeProperty } from '../../features/property/properties/jobs.ts'
import { zip } from '../archive/zip.ts'
import { openBlobs } from '../blobs/blobs.ts'
import { createTables } from '../tables/tables.ts'
import type { LongChange } from './port.ts'
import type { Begin, ThreadMessage } from './thread.ts'

const { file, files, ahead, lead, task } = workerData as Begin
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
const store = openBeside(file, turn)
const { db, write } = store
const newId = createIdSource(clock.now)
const changes: Record<
  LongChange['kind'],
  (work: { write: Write; newId: () => string; clock: typeof clock }, c: LongChange) => Promise<unknown>
> = {
  property: changeProperty,
  terminate: terminateLong,
  reinstate: reinstateLong,
  correct: correctLong,
  settlement: settlementLong,
  pay: payLong,
  advance: advanceLong,
  decide: decideLong,
  regularise: regulariseLong,
  shares: sharesLong,
  unregularise: unregulariseLong,
  account: accountLong,
}

try {
  const outside = { blobs: openBlobs(files, 'media'), tables: createTables(zip), clock, newId }
  const result =
    task.kind === 'change'
      ? await changes[task.change.kind]({ write, newId, clock }, task.change)
      : await bringIn({ store, db, write, ...outside }, task.orgId, task.importId)
  store.close()
  tell({ kind: 'end', result })
} catch (e) {
  store.close()
  if (e instanceof AppError) tell({ kind: 'refused', error: { code: e.code, text: e.text, details: e.details } })
  else tell({ kind: 'broke', error: e instanceof Error ? e : new Error(String(e)) })
}
