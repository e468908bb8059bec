// Group commit: what resolves is on disk, what throws undoes itself alone.
import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openStore, type Tx } from '../../db/open.ts'
import { AppError, commitThenFail } from '../../src/errors.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { keys, newStore, outcomes, put, versions } from '../support/store.ts'

afterAll(cleaner())

test('writes of one turn run in order, in one commit, each organization bumped once', async () => {
  const store = newStore()
  const before = versions(store)
  const words = Array.from({ length: 30 }, (_, i) => `k${i}`)
  expect(await outcomes(words.map((k) => store.write('a', put(k))))).toEqual(words)
  expect(keys(store)).toEqual(words)
  expect(versions(store)).toEqual([Number(before[0]) + 1, Number(before[1])])
})

test('the listener hears of each commit that changed something, and of no other', async () => {
  const store = newStore()
  let heard = 0
  store.whenWritten(() => {
    heard += 1
  })
  await outcomes(['a1', 'a2', 'a3'].map((k) => store.write('a', put(k))))
  expect(heard).toBe(1)
  await outcomes([
    store.write('a', () => null),
    store.write('a', put('undone'), { undo: true }),
    store.write('a', () => {
      throw new AppError('forbidden')
    }),
  ])
  expect(heard).toBe(1)
  const giveBack = await store.lend()
  giveBack('a')
  expect(heard).toBe(2)
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

test('what is to be undone answers and leaves nothing; those beside it run once and stand', async () => {
  const store = newStore()
  const before = versions(store)
  let runs = 0
  const results = await outcomes([
    store.write('a', (tx) => {
      runs += 1
      return put('first')(tx)
    }),
    store.write('b', put('tried'), { undo: true }),
    store.write(
      'b',
      (tx) => {
        put('half')(tx)
        throw new AppError('forbidden')
      },
      { undo: true },
    ),
    store.write('a', put('tried')),
  ])
  expect([results, runs]).toEqual([['first', 'tried', 'forbidden', 'tried'], 1])
  expect(keys(store)).toEqual(['first', 'tried'])
  expect(versions(store)).toEqual([Number(before[0]) + 1, Number(before[1])])
})

test('when one fails halfway the others run again, and count once', async () => {
  const store = newStore()
  const ran: string[] = []
  const counting = (name: string) => (tx: Tx) => {
    ran.push(name)
    return put(name)(tx)
  }
  const results = await outcomes([
    store.write('a', counting('first')),
    store.write('b', (tx) => {
      counting('half')(tx)
      throw new AppError('forbidden')
    }),
    store.write('a', counting('last')),
  ])
  expect(results).toEqual(['first', 'forbidden', 'last'])
  expect(ran).toEqual(['first', 'half', 'first', 'half', 'last'])
  expect(keys(store)).toEqual(['first', 'last'])

  // A refusal before anything was written costs nobody a second run.
  ran.length = 0
  await outcomes([
    store.write('a', counting('more')),
    store.write('b', () => {
      throw new AppError('forbidden')
    }),
  ])
  expect(ran).toEqual(['more'])
  expect(keys(store)).toEqual(['first', 'last', 'more'])
})

test('a closure that changes nothing bumps nothing; nor does what is written unseen', async () => {
  const store = newStore()
  const before = versions(store)
  const results = await outcomes([
    store.write('a', () => 'read'),
    store.write(
      'a',
      (tx) => tx.$client.prepare("update organization set name = 'x' where id = 'nobody'").run().changes,
    ),
    store.write('b', () => 'value', { unseen: (tx, value) => void put(value)(tx) }),
  ])
  expect(results).toEqual(['read', 0, 'value'])
  expect(keys(store)).toEqual(['value'])
  expect(versions(store)).toEqual(before)
})

test('what is written unseen stands or falls with its write', async () => {
  const store = newStore()
  const before = Number(versions(store)[0])
  const unseen = (tx: Tx): void => void put('unseen')(tx)
  const fails = (): never => {
    throw new AppError('forbidden')
  }
  const results = await outcomes([
    store.write('a', put('first'), { unseen: fails }),
    store.write('a', fails, { unseen }),
    store.write('a', () => commitThenFail(new AppError('invalid_credentials')), { unseen }),
    store.write('a', put('last'), { unseen }),
  ])
  expect(results).toEqual(['forbidden', 'forbidden', 'invalid_credentials', 'last'])
  expect(keys(store)).toEqual(['last', 'unseen'])
  expect(Number(versions(store)[0])).toBe(before + 1)
})

test('a refusal that is kept commits its rows and still rejects', async () => {
  const store = newStore()
  const kept = store.write('a', (tx) => {
    put('attempt')(tx)
    return commitThenFail(new AppError('invalid_credentials'))
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

test('writes that take long are divided into batches by time, and what is read in between is answered', async () => {
  let time = 0
  const store = newStore(undefined, () => time)
  const before = Number(versions(store)[0])
  const words = Array.from({ length: 12 }, (_, i) => `k${i}`)
  /** Each takes 9 ms: three of them begin within 20. */
  const slow = (key: string) =>
    store.write('a', (tx) => {
      time += 9
      return put(key)(tx)
    })
  const seen: number[] = []
  const done = outcomes(words.map(slow))
  for (let over = false; !over; ) {
    over = await Promise.race([done.then(() => true), new Promise<boolean>((r) => setImmediate(r, false))])
    seen.push(keys(store).length)
  }
  expect(await done).toEqual(words)
  expect(keys(store)).toEqual(words)
  expect(versions(store)[0]).toBe(before + 4)
  expect(seen.filter((n) => n % 3 !== 0)).toEqual([])
  expect(seen).toEqual(expect.arrayContaining([3, 12]))
})

test('a batch that is divided half way runs nothing twice', async () => {
  let time = 0
  const store = newStore(undefined, () => time)
  const slow = (key: string, fails = false) =>
    store.write('a', (tx) => {
      time += 9
      put(key)(tx)
      if (fails) throw new AppError('forbidden')
      return key
    })
  const words = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5']
  const results = await outcomes(words.map((key, n) => slow(key, n % 2 === 1)))
  expect(results).toEqual(['k0', 'forbidden', 'k2', 'forbidden', 'k4', 'forbidden'])
  expect(keys(store)).toEqual(['k0', 'k2', 'k4'])
})

test('a long write elsewhere holds a write up for 25 s, then it is refused; what came later is done', async () => {
  let time = 0
  const store = newStore(undefined, () => time)
  const giveBack = await store.lend()
  const early = outcomes([store.write('a', put('early'))])
  time = 24_000
  const later = outcomes([store.write('a', put('later'))])
  time = 25_000
  expect(await early).toEqual(['overloaded'])
  giveBack()
  expect(await later).toEqual(['later'])
  expect(keys(store)).toEqual(['later'])
})
