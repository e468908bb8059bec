// What is added is searched from its commit on, and a group commit indexes all that it added at once.
import { afterAll, expect, test } from 'bun:test'
import type { Store, Tx } from '../../db/open.ts'
import { AppError } from '../../src/errors.ts'
import { cleaner } from '../support/folder.ts'
import { found, newStore, outcomes, property } from '../support/store.ts'

afterAll(cleaner())

function withoutOwners(): Store {
  const store = newStore()
  store.client.pragma('foreign_keys = OFF')
  return store
}
const pieces = (store: Store): number =>
  Number(store.client.prepare('select count(distinct segid) from search_idx').pluck().get())
const due = (store: Store): unknown => store.client.prepare('select count(*) from search_due').pluck().get()

test('all of one commit are found, in the order in which they came; what was undone is not', async () => {
  const store = withoutOwners()
  const fails = (tx: Tx): never => {
    property('refused')(tx)
    throw new AppError('forbidden')
  }
  await outcomes([
    store.write('a', property('p1')),
    store.write('a', fails),
    store.write('a', property('tried'), { undo: true }),
    store.write('a', property('p2')),
  ])
  expect([found(store), due(store)]).toEqual([['p1', 'p2'], 0])
})

test('what one commit adds, renames and removes again is found as it stands after it', async () => {
  const store = withoutOwners()
  await store.write('a', (tx) => {
    for (const id of ['kept', 'renamed', 'removed']) property(id)(tx)
    tx.$client.prepare("update property set name = 'Chalet' where id = 'renamed'").run()
    tx.$client.prepare("delete from property where id = 'removed'").run()
  })
  expect([found(store), due(store)]).toEqual([['kept'], 0])
  expect(store.client.prepare("select ref from search('propertyachalet')").pluck().all()).toEqual(['renamed'])
})

test('many rows of one commit make one piece of index, not one each', async () => {
  const store = withoutOwners()
  const before = pieces(store)
  await Promise.all(Array.from({ length: 50 }, (_, i) => store.write('a', property(`p${i}`))))
  expect(found(store)).toHaveLength(50)
  expect(pieces(store) - before).toBe(1)
})

test('many renamings of one commit make one piece of index too, and each keeps its place', async () => {
  const store = withoutOwners()
  await store.write('a', (tx) => void Array.from({ length: 50 }, (_, i) => property(`p${i}`)(tx)))
  const before = pieces(store)
  await store.write('a', (tx) =>
    tx.$client.prepare("update property set address_line = 'Rue 2' where id in ('p10', 'p20', 'p30')").run(),
  )
  expect(pieces(store) - before).toBe(1)
  expect(store.client.prepare("select ref from search('propertya2') order by rowid").pluck().all()).toEqual([
    'p10',
    'p20',
    'p30',
  ])
  expect(found(store)).toEqual(Array.from({ length: 50 }, (_, i) => `p${i}`))
})

test('no write merges all the small pieces of the index at once', async () => {
  const store = withoutOwners()
  const left: number[] = []
  for (let i = 0; i < 40; i += 1) {
    await store.write('a', property(`p${i}`))
    left.push(pieces(store))
  }
  const merged = left.slice(1).map((count, i) => (left[i] ?? 0) - count)
  expect(Math.max(...merged)).toBeLessThan(10)
  expect(found(store)).toHaveLength(40)
})
