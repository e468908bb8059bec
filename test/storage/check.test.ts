// The daily look through the database file: beside the service, once a day, and told where the operator looks.
import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkFromOutside } from '../../db/integrity.ts'
import { openStore } from '../../db/open.ts'
import { checkInThread } from '../../src/adapters/integrity/check.ts'
import { checkDaily } from '../../src/features/system/health/jobs.ts'
import { createTestApp } from '../support/app.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { fill, goodDatabase, killed } from '../support/stored.ts'

afterAll(cleaner())
const DAY = 24 * 3600_000

test('from outside a file is found that no longer begins as a database, which a log beside it hides from SQLite', async () => {
  const file = join(temporaryFolder('check'), 'loyer.db')
  killed(file, await goodDatabase(), 'pragma user_version = 1')
  expect(checkFromOutside(file)).toEqual([])
  writeFileSync(file, Buffer.from(readFileSync(file)).fill(0xaa, 0, 16))
  expect(checkFromOutside(file)).toEqual(['the file does not begin as a database does'])
})

describe('the thread', () => {
  test('finds nothing in a good database, also while it is written to', async () => {
    const store = openStore(join(temporaryFolder('check'), 'loyer.db'))
    const checks = [checkInThread(store.file), checkInThread(store.file)]
    store.client.exec(fill(0))
    expect(await Promise.all(checks)).toEqual([[], []])
    await store.close()
  })
  test('finds damaged pages', async () => {
    const bytes = Buffer.from(await goodDatabase())
    // The tables' definitions stay whole; what comes after is not.
    bytes.fill(0xaa, Math.floor(bytes.length / 2 / 4096) * 4096)
    const file = join(temporaryFolder('check'), 'loyer.db')
    writeFileSync(file, bytes)
    const problems = await checkInThread(file)
    expect([problems.length > 0, problems.length <= 10]).toEqual([true, true])
  })
  test('finds a damaged list of free pages, which the next write would take from a table', async () => {
    const bytes = Buffer.from(await goodDatabase())
    // Where the header names the list, and says how many pages it has: a page of a table.
    bytes.writeUInt32BE(3, 32)
    bytes.writeUInt32BE(7, 36)
    const file = join(temporaryFolder('check'), 'loyer.db')
    writeFileSync(file, bytes)
    expect((await checkInThread(file)).join()).toContain('reelist')
    expect(() => openStore(file)).toThrow('is damaged')
  })
  test('a file that cannot be opened is a failure, no finding', async () => {
    await expect(checkInThread(join(temporaryFolder('check'), 'none.db'))).rejects.toThrow()
  })
})

describe('right after the start, then once a day', () => {
  /** A service whose checks find these problems. */
  function service({ problems = [] as string[] } = {}) {
    const t = createTestApp()
    const seen: string[] = []
    const told: string[] = []
    const store = { ...t.store, file: '/data/loyer.db' }
    const deps = {
      ...t.deps,
      store,
      checkDatabase: async (file: string) => {
        seen.push(file)
        return problems
      },
      log: {
        ...t.log,
        info: (event: string) => void told.push(event),
        error: (event: string, cause: unknown) => void told.push(`${event}: ${String(cause)}`),
      },
    }
    const round = async (): Promise<void> => {
      await checkDaily(deps)
      await Bun.sleep(5)
    }
    const intact = async () => (await t.call(undefined, 'GET /metrics')).text.match(/^loyer_database_intact .*$/m)?.[0]
    return { t, deps, seen, told, round, intact }
  }
  const villa = { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' }

  test('at the first round, and not again within the day', async () => {
    const { t, seen, told, round, intact } = service()
    expect(await intact()).toBeUndefined()
    await round()
    await round()
    t.time.now += DAY - 1
    await round()
    expect([seen, told]).toEqual([['/data/loyer.db'], ['database.checked']])
    t.time.now += 1
    await round()
    expect([seen.length, await intact(), (await t.call(undefined, 'GET /readyz')).status]).toEqual([
      2,
      'loyer_database_intact 1',
      200,
    ])
  })
  test('a check that fails is told and comes again at the next round', async () => {
    const { deps, told, seen, round } = service()
    await checkDaily({ ...deps, checkDatabase: () => Promise.reject(new Error('no thread')) })
    await Bun.sleep(5)
    expect(told.at(-1)).toBe('database.check_failed: Error: no thread')
    await round()
    expect(seen.length).toBe(1)
  })
  test('a long one is not begun twice, and holds up nobody', async () => {
    const { deps } = service()
    let end = (_: string[]): void => {}
    let begun = 0
    const checkDatabase = () => {
      begun += 1
      return new Promise<string[]>((resolve) => {
        end = resolve
      })
    }
    await checkDaily({ ...deps, checkDatabase })
    await checkDaily({ ...deps, checkDatabase })
    expect(begun).toBe(1)
    end([])
    await Bun.sleep(5)
  })
  test('damage ends all writing and makes the service not ready; reads go on, and the word is clear', async () => {
    const problem = 'Tree 7 page 9: btreeInitPage() returns error code 11'
    const { t, told, round, intact } = service({ problems: [problem] })
    expect((await t.call('OWNER.ana', 'GET /api/v1/properties')).status).toBe(200)
    await round()
    expect(told.at(-1)).toBe(`database.damaged: Error: ${problem}`)
    expect(await intact()).toBe('loyer_database_intact 0')
    for (const answer of [
      await t.call(undefined, 'GET /readyz'),
      await t.call('OWNER.ana', 'POST /api/v1/properties', villa),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([503, 'storage_unavailable'])
      expect([answer.body.detail, answer.headers.get('retry-after')]).toEqual([
        expect.stringContaining('damaged'),
        '3600',
      ])
    }
    expect((await t.call('OWNER.ana', 'GET /api/v1/properties')).text).toBe('[]')
  })
})
