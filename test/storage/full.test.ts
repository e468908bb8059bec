// A disk that fills up: every caller of the batch hears it, nothing half is saved, and it recovers by itself.
import { expect, test } from 'bun:test'
import Database from 'better-sqlite3'
import type { Store, Tx } from '../../db/open.ts'
import { AppError } from '../../src/errors.ts'
import { keys, newStore, outcomes, put, versions } from '../support/store.ts'

/** A disk with room for a few pages more. */
function nearlyFull(pages = 2): Store {
  const store = newStore()
  const count = store.client.pragma('page_count', { simple: true }) as number
  store.client.pragma(`max_page_count = ${count + pages}`)
  return store
}
const big = 'x'.repeat(40_000)
const free = ({ client }: Store) => client.pragma('max_page_count = 1000000')

const full: { name: string; closures: ((tx: Tx) => unknown)[] }[] = [
  { name: 'in the middle of a batch', closures: [put('one'), put('big', big), put('three')] },
  { name: 'in the first closure', closures: [put('big', big), put('two')] },
  { name: 'in the last closure', closures: [put('one'), put('two'), put('big', big)] },
  {
    name: 'and the closure hides it',
    closures: [
      put('one'),
      (tx) => {
        try {
          return put('big', big)(tx)
        } catch {
          return 'saved'
        }
      },
      put('three'),
    ],
  },
  {
    name: 'after a refusal that rested on a row now undone',
    closures: [
      put('one'),
      (tx) => {
        if (tx.$client.prepare("select 1 from setting where key = 'one'").get()) throw new AppError('duplicate')
        return true
      },
      put('big', big),
    ],
  },
  {
    name: 'as another error with the disk as its cause',
    closures: [
      put('one'),
      (tx) => {
        try {
          return put('big', big)(tx)
        } catch (e) {
          throw new Error('the tenant could not be saved', { cause: e })
        }
      },
    ],
  },
  {
    name: 'as an input/output error',
    closures: [
      put('one'),
      () => {
        throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE')
      },
      put('three'),
    ],
  },
]
for (const { name, closures } of full)
  test(`the disk is full ${name}: every caller hears 503 and nothing half is saved`, async () => {
    const store = nearlyFull()
    const before = versions(store)
    const results = await outcomes(closures.map((fn) => store.write('a', (tx) => fn(tx) as string)))
    expect(results).toEqual(closures.map(() => 'storage_unavailable'))
    expect({ keys: keys(store), versions: versions(store), open: store.client.inTransaction }).toEqual({
      keys: [],
      versions: before,
      open: false,
    })
    // Reads went on; and with room again writes do, without a restart.
    free(store)
    expect(await outcomes([store.write('a', put('big', big)), store.write('b', put('after'))])).toEqual([
      'big',
      'after',
    ])
    expect(store.client.pragma('integrity_check', { simple: true })).toBe('ok')
  })

test('503 says when to come back', async () => {
  const store = nearlyFull()
  const error = await store.write(null, put('big', big)).catch((e: unknown) => e)
  expect(error).toMatchObject({ code: 'storage_unavailable', details: { retryAfter: 30 } })
})

test('a full disk does not keep the store from closing', async () => {
  const store = nearlyFull(0)
  const lost = store.write(null, put('big', big))
  await store.close()
  expect(await outcomes([lost])).toEqual(['storage_unavailable'])
  expect(store.client.open).toBe(false)
})
