// What connections keep of the database in memory is bounded by what the machine has.
import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { openStore } from '../../db/open.ts'
import { CACHE_KB, cacheKb } from '../../db/page-cache.ts'
import { openAside } from '../../db/write/aside.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { goodDatabase } from '../support/stored.ts'

afterAll(cleaner())

test.each([
  ['a board of 128 MB', 128, 8],
  ['a small server of 512 MB', 512, 16],
  ['a server of 1 GB', 1024, 32],
  ['a server of 2 GB', 2048, 64],
  ['a server of 64 GB', 65_536, 64],
])('%s', (_name, mb, expected) => {
  expect(cacheKb(mb * 2 ** 20)).toBe(expected * 1024)
})

test('each connection has that bound, and no other', async () => {
  const file = join(temporaryFolder(), 'loyer.db')
  writeFileSync(file, await goodDatabase())
  const store = openStore(file)
  const beside = openAside(file, store.lend)
  const bound = (client: Database.Database): number => -Number(client.pragma('cache_size', { simple: true }))
  const read = await store.snapshot(async (db) => bound(db.$client))
  expect([bound(store.client), read, bound(beside.db.$client)]).toEqual([CACHE_KB, CACHE_KB, 2 * CACHE_KB])
  beside.close()
  await store.close()
})
