// The rows of an organization for an export: all, in the order of their keys, in slices that no request waits long for.
import { expect, test } from 'bun:test'
import { openStore } from '../../db/open.ts'
import { transferRows } from '../../db/transfer/transfer.ts'

test('rows that lie scattered among those of others', async () => {
  const store = openStore(':memory:')
  const { client, db } = store
  client.pragma('foreign_keys = OFF')
  const put = client.prepare(
    "insert into tenant(id, org_id, full_name, locale, created_by, created_at, updated_at) values(?, ?, ?, 'fr', 'u', ?, ?)",
  )
  // What was changed last comes first in the index of its organization.
  client.transaction(() => {
    for (let i = 0; i < 700; i++) {
      const at = new Date(1e12 - i * 1000).toISOString()
      put.run(`t${i}`, i % 3 === 0 ? 'mine' : 'theirs', `Awa ${i}`, at, at)
    }
  })()
  let rests = 0
  const slices: string[][] = []
  const rest = async () => {
    rests += 1
  }
  for await (const rows of transferRows(db, 'tenant', 'mine', rest)) slices.push(rows.map(({ id }) => String(id)))
  expect(slices.flat()).toEqual(Array.from({ length: 234 }, (_, i) => `t${3 * i}`))
  expect(slices.map((slice) => slice.length)).toEqual([100, 100, 34])
  expect(rests).toBe(3)
  for await (const _ of transferRows(db, 'tenant', 'nobody', rest)) throw new Error('a row of nobody')
  await store.close()
})
