import { createHash } from 'node:crypto'
import { systemCtx } from '../../src/context.ts'
import { keepFile } from '../../src/features/papers/documents/service.ts'
import type { TestApp } from './app.ts'

type Kept = Pick<TestApp, 'rows' | 'write' | 'deps'>
/** Marks a lease's contract, or another paper, as drawn without drawing it, so that it can be signed. @returns its row */
export async function makeReady(t: Kept, bookingId: string, kind = 'LEASE_CONTRACT') {
  const [row = {}] = t.rows(
    'select * from document where booking_id = ? and kind = ? and voided_at is null',
    bookingId,
    kind,
  )
  return { number: String(row.number), ...(await paperReady(t, String(row.id))) }
}

/** Marks one paper as drawn. */
export async function paperReady(t: Kept, id: string) {
  const [row = {}] = t.rows('select * from document where id = ?', id)
  const orgId = String(row.org_id)
  const file = { sha256: createHash('sha256').update(String(row.data)).digest('hex'), sizeBytes: 1, templateVersion: 1 }
  await t.write(orgId, (tx) => keepFile(systemCtx(t.deps, tx, orgId, 'test-document'), id, file) ?? null)
  return { id, sha256: file.sha256 }
}

/** A rise of a lease's rent that is out for the tenant's signature, and readable. @returns its id */
export async function riderOut(t: TestApp, who: string, bookingId: string, from: string): Promise<string> {
  const path = `/api/v1/bookings/${bookingId}/rent-changes`
  const { status, body, text } = await t.call(who, `POST ${path}`, { from, rentAmount: 900_000 })
  if (status !== 201) throw new Error(text)
  await makeReady(t, bookingId, 'LEASE_NOTICE')
  return String(body.id)
}
