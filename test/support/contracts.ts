import { createHash } from 'node:crypto'
import { systemCtx } from '../../src/context.ts'
import { keepFile } from '../../src/features/papers/documents/service.ts'
import type { TestApp } from './app.ts'

/** Says of a lease's contract that its file is there, without drawing one: it can be signed. @returns its row */
export async function makeReady(t: Pick<TestApp, 'rows' | 'write' | 'deps'>, bookingId: string) {
  const [row = {}] = t.rows(
    "select * from document where booking_id = ? and kind = 'LEASE_CONTRACT' and voided_at is null",
    bookingId,
  )
  const orgId = String(row.org_id)
  const file = { sha256: createHash('sha256').update(String(row.data)).digest('hex'), sizeBytes: 1, templateVersion: 1 }
  await t.write(orgId, (tx) => keepFile(systemCtx(t.deps, tx, orgId, 'test-document'), String(row.id), file) ?? null)
  return { id: String(row.id), number: String(row.number), sha256: file.sha256 }
}
