// Group commit: what resolves is on disk, what throws undoes itself alone, and a failing disk fails everyone.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { attach, openStore, type Store, type Tx } from '../../db/open.ts'
import { AppError, keep } from '../../src/errors.ts'
import { temporaryFolder } from '../support/folder.ts'

const template = attach(new Database(':memory:')).client.serialize()
const ORGANIZATIONS = ['a', 'b']
function newStore(client = new Database(Buffer.from(template))): Store {
  const store = attach(client)
  for (const id of ORGANIZATIONS)
    store.client.exec(
      `insert into organization(id, tva_registered, time_zone, locale, issue_days_before, require_proof, created_at, updated_at)
       values('${id}', 0, 'Africa/Douala', 'fr', 5, 0, '', '')`,
    )
  return store
}
const put =
  (key: string, value = 'x') =>
  (tx: Tx) => {
    tx.$client.prepare('insert into setting(key, value) values(?, ?)').run(key, value)
    return key
  }
const keys = ({ client }: Store) =>
  client.prepare("select key from setting where key <> 'epoch' order by rowid").pluck().all()
/** What each write came to: its value, or the code or message of what it failed with. */
const outcomes = async (writes: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map((r) =>
    r.status === 'fulfilled' ? r.value : r.reason instanceof AppError ? r.reason.code : String(r.reason),
  )
const versions = (store: Store) => ORGANIZATIONS.map((id) => store.orgVersion(id))

test('writes of one turn run in order, in one commit, each organization bumped once', async () => {
  const store = newStore()
  const before = versions(store)
  const words = Array.from({ length: 30 }, (_, i) => `k${i}`)
  expect(await outcomes(words.map((k) => store.write('a', put(k))))).toEqual(words)
  expect(keys(store)).toEqual(words)
  expect(versions(store)).toEqual([Number(before[0]) + 1, Number(before[1])])
})

test('more than a batch takes several commits, in order', async () => {
  const store = newStore()
  const before = Number(versions(store)[0])
  const words = Array.from({ length: 200 }, (_, i) => `k${i}`)
  expect(await outcomes(words.map((k) => store.write('a', put(k))))).toEqual(words)
  expect(keys(store)).toEqual(words)
  expect(versions(store)[0]).toBe(before + 4)
})

test('a closure that throws undoes itself and no other, and bumps nothing', async () => {
  const store = newStore()
  const before = versions(store)
  const results = await outcomes([
    store.write('a', put('first')),
    store.write('b', (tx) => {
      put('half')(tx)
      throw new AppError('forbidden')
    }),
    store.write('b', (tx) => {
      put('other half')(tx)
      return put('first')(tx)
    }),
    store.write('a', put('last')),
  ])
  expect(results).toEqual(['first', 'forbidden', expect.stringContaining('UNIQUE'), 'last'])
  expect(keys(store)).toEqual(['first', 'last'])
  expect(versions(store)).toEqual([Number(before[0]) + 1, Number(before[1])])
})

test('a refusal that is kept commits its rows and still rejects', async () => {
  const store = newStore()
  const kept = store.write('a', (tx) => {
    put('attempt')(tx)
    return keep(new AppError('invalid_credentials'))
  })
  expect(await outcomes([kept])).toEqual(['invalid_credentials'])
  expect(keys(store)).toEqual(['attempt'])
})

test('nothing is seen before it is on disk: a write resolves after its commit', async () => {
  const store = openStore(join(temporaryFolder(), 'loyer.db'))
  const other = new Database(store.file, { readonly: true })
  const seen = () => other.prepare("select count(*) from setting where key = 'k'").pluck().get()
  let inside: unknown
  await store.write(null, (tx) => {
    put('k')(tx)
    inside = seen()
    return true
  })
  expect([inside, seen()]).toEqual([0, 1])
  other.close()
  await store.close()
})

test('a promise is refused by type, and undone if it comes all the same', async () => {
  const store = newStore()
  // @ts-expect-error a closure cannot wait
  const typed = store.write(null, (tx) => Promise.resolve(put('early')(tx)))
  expect(await outcomes([typed])).toEqual([expect.stringContaining('cannot wait')])
  expect(keys(store)).toEqual([])
})

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

test('a commit that fails leaves no transaction open and nobody waiting', async () => {
  const store = newStore()
  const orphan = (tx: Tx) => {
    tx.$client.pragma('defer_foreign_keys = ON')
    return tx.$client.prepare("insert into invoice_counter values('nobody', '2026', 1)").run().changes
  }
  expect(await outcomes([store.write('a', put('one')), store.write('a', orphan)])).toEqual([
    'storage_unavailable',
    'storage_unavailable',
  ])
  expect({ keys: keys(store), open: store.client.inTransaction }).toEqual({ keys: [], open: false })
  expect(await outcomes([store.write('a', put('two'))])).toEqual(['two'])
})

test('the queue is bounded: what is over it is refused at once, what is in it is done', async () => {
  const store = newStore()
  const writes = Array.from({ length: 8200 }, (_, i) => store.write(null, put(`k${i}`)))
  const results = await outcomes(writes)
  expect(results.filter((r) => r === 'overloaded').length).toBe(8)
  expect(keys(store).length).toBe(8192)
})

test('closing runs what is queued, refuses what comes later, and can be asked for twice', async () => {
  const file = join(temporaryFolder(), 'loyer.db')
  const store = openStore(file)
  const queued = Array.from({ length: 150 }, (_, i) => store.write(null, put(`k${i}`)))
  await Promise.all([store.close(), store.close()])
  expect((await outcomes(queued)).at(-1)).toBe('k149')
  expect(await outcomes([store.write(null, put('late'))])).toEqual(['storage_unavailable'])
  const again = openStore(file)
  expect(keys(again).length).toBe(150)
  await again.close()
})

test('a full disk does not keep the store from closing', async () => {
  const store = nearlyFull(0)
  const lost = store.write(null, put('big', big))
  await store.close()
  expect(await outcomes([lost])).toEqual(['storage_unavailable'])
  expect(store.client.open).toBe(false)
})
