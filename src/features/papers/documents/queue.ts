import type { Db } from '../../../../db/open.ts'
import { type DocumentRow, dueDocument, dueDocuments, findDocument } from './store.ts'

/** Kept in memory: after a restart the first organization has the first turn, and whoever still waits looks again. */
type Queue = {
  /** The organization that had the last turn. */
  lastOrgId: string
  /** Papers that somebody looks at, by id, each with its organization; the last one looked at is the last entry. */
  readonly wanted: Map<string, string>
  readonly inHand: Set<string>
}
const queues = new WeakMap<Db, Queue>()
function queueOf(db: Db): Queue {
  const queue = queues.get(db) ?? { lastOrgId: '', wanted: new Map(), inHand: new Set() }
  queues.set(db, queue)
  return queue
}

const MAX_WANTED = 1000
/** Somebody looks at these papers now: those without a file go before all others in this order, and before earlier ones. */
export function hurry(db: Db, orgId: string, rows: readonly Pick<DocumentRow, 'id' | 'status'>[]): void {
  const { wanted } = queueOf(db)
  for (const { id, status } of rows.toReversed()) {
    if (status !== 'PENDING') continue
    wanted.delete(id)
    wanted.set(id, orgId)
  }
  for (const id of wanted.keys()) {
    if (wanted.size <= MAX_WANTED) break
    wanted.delete(id)
  }
}

/** The paper to draw next; nobody else gets it until it is given back. */
export function takeDocument(db: Db, now: number, lanes: number): DocumentRow | undefined {
  const queue = queueOf(db)
  const { wanted, inHand } = queue
  const held = (row: DocumentRow): DocumentRow => {
    inHand.add(row.id)
    return row
  }
  for (const [id, orgId] of [...wanted].reverse()) {
    wanted.delete(id)
    // One that failed keeps its time, however often somebody looks.
    const row = inHand.has(id) ? undefined : dueDocument(db, orgId, id, now)
    if (row) return held(row)
  }
  const due = dueDocuments(db, now, queue.lastOrgId, lanes).find(({ id }) => !inHand.has(id))
  const row = due && findDocument(db, due.orgId, due.id)
  if (!row) return undefined
  queue.lastOrgId = row.orgId
  return held(row)
}
export const giveBack = (db: Db, id: string): boolean => queueOf(db).inHand.delete(id)
