// A second connection for long writes: it takes turns with the group commit, and neither loses or half does anything.
import { afterAll, expect, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore, type Tx } from '../../db/open.ts'
import { openAside } from '../../db/write/aside.ts'
import { AppError, commitThenFail } from '../../src/errors.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { found, keys, outcomes, property, put } from '../support/store.ts'
import { goodDatabase } from '../support/stored.ts'

afterAll(cleaner())
const good = await goodDatabase()

function both() {
  const file = join(temporaryFolder(), 'loyer.db')
  writeFileSync(file, good)
  const store = openStore(file)
  store.client.exec(
    "insert into organization(id, tva_registered, time_zone, locale, issue_days_before, require_proof, created_at, updated_at) values('a', 0, 'Africa/Douala', 'fr', 5, 0, '', '')",
  )
  return { store, beside: openAside(file, store.lend) }
}

test('what others write meanwhile waits, in order, and reads go on', async () => {
  const { store, beside } = both()
  const giveBack = await store.lend()
  const order: string[] = []
  const writes = ['one', 'two'].map((k) => store.write(null, put(k)).then(() => order.push(k)))
  const long = beside.write(null, put('long')).then(() => order.push('long'))
  await Bun.sleep(20)
  expect(keys(store).filter((k) => ['one', 'two', 'long'].includes(String(k)))).toEqual([])
  giveBack()
  await Promise.all([...writes, long])
  expect(order.toSorted()).toEqual(['long', 'one', 'two'])
  expect(order.indexOf('one')).toBeLessThan(order.indexOf('two'))
  beside.close()
  await store.close()
})

test('a long write bumps its organization, which the other connection sees at once', async () => {
  const { store, beside } = both()
  const before = store.orgVersion('a')
  expect(await beside.write('a', put('n'))).toBe('n')
  expect(store.orgVersion('a')).toBe(before + 1)
  await beside.write('a', () => 'nothing')
  expect(store.orgVersion('a')).toBe(before + 1)
  beside.close()
  await store.close()
})

test('what a long write adds is searched from its commit on', async () => {
  const { store, beside } = both()
  beside.db.$client.pragma('foreign_keys = OFF')
  await beside.write('a', property('long'))
  expect(found(store)).toEqual(['long'])
  beside.close()
  await store.close()
})

test('what it throws undoes all of it, and the others go on', async () => {
  const { store, beside } = both()
  const fails = (error: Error | (() => unknown)) =>
    beside.write(null, (tx: Tx) => {
      put('half')(tx)
      if (error instanceof Error) throw error
      return error() as never
    })
  const results = await outcomes([
    fails(new AppError('forbidden')),
    fails(new Error('broken')),
    fails(() => commitThenFail(new AppError('forbidden'))),
    store.write(null, put('whole')),
  ])
  expect(results).toEqual(['forbidden', 'Error: broken', 'TypeError: a long write keeps no refusal', 'whole'])
  expect(keys(store)).not.toContain('half')
  expect(keys(store)).toContain('whole')
  beside.close()
  await store.close()
})

test('a full disk is told as one, and nothing is left of the write', async () => {
  const { store, beside } = both()
  const full = beside.db.$client
  full.pragma(`max_page_count = ${Number(full.pragma('page_count', { simple: true })) + 2}`)
  expect(await outcomes([beside.write(null, put('big', 'x'.repeat(100_000)))])).toEqual(['storage_unavailable'])
  expect(await outcomes([store.write(null, put('small'))])).toEqual(['small'])
  expect(keys(store)).not.toContain('big')
  beside.close()
  await store.close()
})

test('a store that closes does what waits, also while its turn is lent', async () => {
  const { store, beside } = both()
  await store.lend()
  const last = store.write(null, put('last'))
  beside.close()
  await store.close()
  expect(await last).toBe('last')
})

test('after much was written no commit of others makes the log short, but its own connection does', async () => {
  const { store, beside } = both()
  const own = () =>
    ['wal_autocheckpoint', 'journal_size_limit'].map((name) => store.client.pragma(name, { simple: true }))
  const log = () => statSync(`${store.file}-wal`).size
  const usual = own()
  const seen: unknown[] = []
  for (const rows of [10, 2000]) {
    const settled: (() => void)[] = []
    const one = openAside(store.file, async () => {
      const giveBack = await store.lend()
      return (orgId, much) => {
        const settle = giveBack(orgId, much)
        if (settle) settled.push(settle)
        seen.push(own(), log() > 0)
      }
    })
    await one.write(null, (tx) => {
      for (let i = 0; i < rows; i++) put(`${rows} ${i}`, 'x'.repeat(500))(tx)
    })
    for (const settle of settled) settle()
    one.close()
    expect(own()).toEqual(usual)
  }
  // The second one has a second turn, in which the log is emptied.
  expect(seen).toEqual([usual, true, [0, -1], true, [0, -1], false])
  beside.close()
  await store.close()
})

test('what a statement may have to undo is kept on the disk, not in memory', () => {
  const { store, beside } = both()
  expect(beside.db.$client.pragma('temp_store', { simple: true })).toBe(1)
  beside.close()
  void store.close()
})
