// A demo that is killed while it is filled begins again whole; one that was finished, or is served, keeps what it has.
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { cleaner, contents, temporaryFolder } from '../support/folder.ts'
import { launch, startServer } from '../support/server.ts'

afterAll(cleaner())

/** How far a folder was filled: people, and months of invoices. */
function filled(data: string) {
  const client = new Database(join(data, 'loyer.db'))
  const count = (sql: string) => client.prepare(sql).pluck().get() as number
  const seen = {
    people: count('select count(*) from app_user'),
    months: count("select count(distinct substr(period_start, 1, 7)) from invoice where status <> 'CANCELLED'"),
    leases: count("select count(*) from booking where status = 'ACTIVE'"),
    asked: count("select count(*) from booking where status <> 'ACTIVE'"),
  }
  client.close()
  return seen
}

/** Rows of a table that the running process has written; what it will throw away does not count. */
function begun(data: string, table: string, pid: number): number {
  try {
    if (!holds(pid, join(data, 'loyer.db'))) return 0
    const client = new Database(join(data, 'loyer.db'), { readonly: true })
    try {
      return client.prepare(`select count(*) from ${table}`).pluck().get() as number
    } finally {
      client.close()
    }
  } catch {
    return 0
  }
}
const holds = (pid: number, file: string): boolean =>
  readdirSync(`/proc/${pid}/fd`).some((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`) === file)

test('killed at several moments of its first start: the next one has seven people and six months, and stays', async () => {
  const data = temporaryFolder('demo')
  const halves: unknown[] = []
  for (const [table, after] of [
    ['app_user', 0],
    ['unit', 20],
    ['invoice', 100],
  ] as const) {
    const running = launch({ data, command: 'demo' })
    for (
      const end = Date.now() + 20_000;
      Date.now() < end && begun(data, table, running.pid) === 0;
      await Bun.sleep(5)
    );
    await Bun.sleep(after)
    await running.end('SIGKILL')
    if (existsSync(join(data, 'demo.unfinished'))) halves.push(filled(data))
  }
  // Otherwise the kills came too early or too late, and nothing was shown.
  expect(halves.length).toBeGreaterThan(0)
  for (const half of halves) expect(half).not.toMatchObject({ people: 7, leases: 4, asked: 2 })
  const whole = await startServer({ data, command: 'demo' })
  await whole.end('SIGTERM')
  const seen = filled(data)
  expect(seen).toMatchObject({ people: 7, leases: 4, asked: 2 })
  expect(seen.months).toBeGreaterThanOrEqual(6)
  expect(Object.keys(contents(data))).not.toContain('demo.unfinished')

  const again = await startServer({ data, command: 'demo' })
  await again.end('SIGKILL')
  expect(filled(data).people).toBe(7)
}, 120_000)

test('a folder that is being filled is refused to a second; what is served or somebody’s own is not thrown away', async () => {
  const data = temporaryFolder('demo')
  const first = launch({ data, command: 'demo' })
  for (const end = Date.now() + 20_000; Date.now() < end; await Bun.sleep(5))
    if (existsSync(join(data, 'loyer.db'))) break
  const second = await launch({ data, command: 'demo' }).end()
  expect(second.code).toBe(75)
  await first.end('SIGKILL')
  expect(existsSync(join(data, 'demo.unfinished'))).toBe(true)
  const server = await startServer({ data, command: 'serve' })
  await server.end('SIGTERM')
  expect(existsSync(join(data, 'demo.unfinished'))).toBe(false)

  const own = temporaryFolder('demo')
  mkdirSync(join(own, 'keys'))
  writeFileSync(join(own, 'keys', 'master.key'), 'somebody’s')
  await launch({ data: own, command: 'demo' }).end()
  expect(existsSync(join(own, 'keys', 'master.key'))).toBe(true)
  expect(existsSync(join(own, 'demo.unfinished'))).toBe(false)
}, 120_000)
