// Backups of the server: who sees them, when one is due, and that one is made beside the service.
import { afterAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BackupState, Backups, CreatedBackup } from '../../../../src/adapters/backups/port.ts'
import { planOf } from '../../../../src/adapters/backups/run.ts'
import { createBackups } from '../../../../src/adapters/backups/thread.ts'
import { createApp } from '../../../../src/app.ts'
import { verify } from '../../../../src/commands/backup.ts'
import { loadConfig } from '../../../../src/config.ts'
import { backUpDaily } from '../../../../src/features/system/backups/jobs.ts'
import { isDue, isLate } from '../../../../src/features/system/backups/rules.ts'
import { silentLog } from '../../../../src/log.ts'
import { createTestApp } from '../../../support/app.ts'
import { backupOf, commandLine, dataFolder } from '../../../support/backups.ts'
import { expectDocumented } from '../../../support/documented.ts'
import { cleaner } from '../../../support/folder.ts'

afterAll(cleaner())

const MADE: CreatedBackup = {
  name: 'loyer-2026-03-08T020000Z.tar.zst',
  sizeBytes: 1_200_000,
  createdAt: '2026-03-08T02:00:00.000Z',
  encrypted: false,
  place: '/backups',
  sha256: 'a'.repeat(64),
  seconds: 1.5,
}
const { place: _p, sha256: _h, seconds: _s, ...FILE } = MADE

/** Backups that are made when the test says so. */
function fakeBackups(state: BackupState) {
  const waiting: ((made: CreatedBackup) => void)[] = []
  let runs = 0
  const backups: Backups = {
    state: () => state,
    running: () => waiting.length > 0,
    run() {
      runs += 1
      return new Promise((resolve) => waiting.push(resolve))
    },
    close: async () => {},
  }
  return { backups, runs: () => runs, finish: () => waiting.splice(0).map((done) => done(MADE)) }
}

async function appWith(state: BackupState, on = true) {
  const t = createTestApp()
  // The first token makes the operator's organization.
  await t.call('ADMIN', 'GET /api/v1/me')
  const fake = fakeBackups(state)
  const config = { ...t.deps.config, backup: { ...t.deps.config.backup, place: { to: '/backups', s3: undefined } } }
  const app = createApp(on ? { ...t.deps, config, backups: fake.backups } : t.deps)
  const call = async (as: string, method: string, headers: Record<string, string> = {}) => {
    const path = '/api/v1/admin/backups'
    const init = { method, headers: { authorization: `Bearer ${as}`, ...headers } }
    const response = await app.handle(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    expectDocumented(method, path, { status: response.status, headers: response.headers, text })
    return { status: response.status, body: JSON.parse(text) as Record<string, unknown> }
  }
  const trail = () => t.rows("select action from audit_entry where action like 'backup%'")
  return { ...fake, call, trail }
}

describe('by the API', () => {
  test('the operator’s administrators see the last good one, a failure, and what is kept', async () => {
    const failed = { at: '2026-03-10T02:00:01.000Z', reason: 'There is too little room.' }
    const { call } = await appWith({ last: MADE, failed, backups: [FILE] })
    expect(await call('ADMIN', 'GET')).toEqual({
      status: 200,
      body: { place: '/backups', at: '03:00', running: false, late: true, last: MADE, failed, backups: [FILE] },
    })
  })

  test('nobody else does: not an administrator of another organization, not a manager of this one', async () => {
    const { call, runs, trail } = await appWith({ last: MADE, backups: [FILE] })
    for (const as of ['ADMIN.zoe~other', 'MANAGER', 'OWNER', 'TENANT'])
      for (const method of ['GET', 'POST'])
        expect([as, method, await call(as, method)]).toMatchObject([
          as,
          method,
          { status: 403, body: { code: 'forbidden' } },
        ])
    expect([runs(), trail()]).toEqual([0, []])
  })

  test('one asked for is made once for a key, and the trail says who asked', async () => {
    const { call, runs, finish, trail } = await appWith({ backups: [] })
    const asked = () => call('ADMIN', 'POST', { 'idempotency-key': 'backup-1' })
    expect(await asked()).toMatchObject({ status: 202, body: { running: true, backups: [] } })
    expect(await asked()).toMatchObject({ status: 202, body: { running: true } })
    expect(runs()).toBe(1)
    expect(await call('ADMIN', 'GET')).toMatchObject({ body: { running: true } })
    finish()
    expect(await call('ADMIN', 'GET')).toMatchObject({ body: { running: false } })
    expect(trail()).toEqual([{ action: 'backup.make' }])
  })

  test('switched off it says so, and writes nothing', async () => {
    const { call, trail } = await appWith({ backups: [] }, false)
    expect(await call('ADMIN', 'GET')).toEqual({ status: 200, body: { running: false, late: false, backups: [] } })
    expect(await call('ADMIN', 'POST')).toMatchObject({ status: 409, body: { code: 'backups_off' } })
    expect(trail()).toEqual([])
  })
})

// Douala is an hour ahead of UTC: 03:00 there is 02:00Z.
test.each([
  ['none yet', undefined, undefined, '2026-03-10T08:00:00Z', true],
  ['made this morning', '2026-03-10T02:00:20Z', undefined, '2026-03-10T08:00:00Z', false],
  ['made yesterday, before the time', '2026-03-09T02:00:20Z', undefined, '2026-03-10T01:59:59Z', false],
  ['made yesterday, at the time', '2026-03-09T02:00:20Z', undefined, '2026-03-10T02:00:00Z', true],
  ['by hand in the evening', '2026-03-09T20:00:00Z', undefined, '2026-03-10T02:00:00Z', true],
  ['failed just now', '2026-03-09T02:00:20Z', '2026-03-10T02:00:05Z', '2026-03-10T02:30:00Z', false],
  ['failed an hour ago', '2026-03-09T02:00:20Z', '2026-03-10T02:00:05Z', '2026-03-10T03:00:05Z', true],
  ['made under a clock that was days ahead', '2026-03-14T02:00:20Z', undefined, '2026-03-10T08:00:00Z', true],
  ['made in 2100 by a clock that was never set', '2100-01-01T02:00:20Z', undefined, '2026-03-10T08:00:00Z', true],
  ['failed in 2100', undefined, '2100-01-01T02:00:20Z', '2026-03-10T08:00:00Z', true],
])('due: %s', (_name, last, failed, now, due) => {
  const state = { ...(last ? { last: { createdAt: last } } : {}), ...(failed ? { failed: { at: failed } } : {}) }
  expect(isDue(state, '03:00', 'Africa/Douala', Date.parse(now))).toBe(due)
})
test.each([
  ['none yet', {}, false],
  ['none, and the first try failed', { failed: { at: '2026-03-10T07:00:00Z' } }, true],
  ['48 hours ago', { last: { createdAt: '2026-03-08T08:00:00Z' } }, false],
  ['longer ago', { last: { createdAt: '2026-03-08T07:59:59Z' } }, true],
  ['dated 2100 by a clock that was never set', { last: { createdAt: '2100-01-01T02:00:00Z' } }, true],
])('late: %s', (_name, state, late) => {
  expect(isLate(state, Date.parse('2026-03-10T08:00:00Z'))).toBe(late)
})

test('the daily one waits until a start is ten minutes old, and is made once', async () => {
  const { backups, runs, finish } = fakeBackups({ backups: [] })
  let now = Date.parse('2026-03-10T08:00:00Z')
  const config = loadConfig({})
  const work = { backups, config, log: silentLog, clock: { now: () => now, wall: () => now } }
  const seen: number[] = []
  for (const minutes of [0, 9, 1, 1]) {
    now += minutes * 60_000
    await backUpDaily(work)
    seen.push(runs())
  }
  expect(seen).toEqual([0, 0, 1, 1])
  finish()
})

// It would be due every minute if it had the machine's date: that one is before the hour of the last one.
test('with the machine’s clock a day back, one made in a thread has the service’s date, and is due once a day', async () => {
  const data = await dataFolder('day-back')
  const plan = planOf(loadConfig({ LOYER_DATA: data }), '0.1.0')
  if (!plan) throw new Error('backups are on')
  const at = Date.parse('2026-03-10T10:00:00Z')
  const backups = createBackups(plan, () => at)
  expect((await backups.run()).createdAt).toBe('2026-03-10T10:00:00.000Z')
  const due = ['2026-03-10T10:01:00Z', '2026-03-11T02:59:59Z', '2026-03-11T03:00:00Z'].map((now) =>
    isDue(backups.state(), '03:00', 'UTC', Date.parse(now)),
  )
  expect(due).toEqual([false, false, true])
  await expect(createBackups({ ...plan, databaseFile: join(data, 'nowhere.db') }, () => at).run()).rejects.toThrow()
  expect(backups.state().failed?.at).toBe('2026-03-10T10:00:00.000Z')
})

test('a clock that was in 2100 at the start, and is set right: the daily one goes on without another start', async () => {
  const { backups, runs } = fakeBackups({ backups: [] })
  let now = Date.parse('2100-01-01T08:00:00Z')
  const work = { backups, config: loadConfig({}), log: silentLog, clock: { now: () => now, wall: () => now } }
  await backUpDaily(work)
  now = Date.parse('2026-03-10T08:00:00Z')
  await backUpDaily(work)
  expect(runs()).toBe(1)
})

test('made in a thread: the file is there, checked, and known; what is not kept any longer is gone', async () => {
  const data = await dataFolder('thread')
  const plan = planOf(loadConfig({ LOYER_DATA: data }), '0.1.0')
  if (!plan) throw new Error('backups are on')
  const backups = createBackups(plan)
  expect(backups.state()).toEqual({ backups: [] })
  const both = [backups.run(), backups.run()]
  expect(backups.running()).toBe(true)
  const [made] = await Promise.all(both)
  expect(backups.running()).toBe(false)
  const folder = join(data, 'backups')
  expect(readdirSync(folder).sort()).toEqual([made?.name ?? '', 'state.json'])
  expect(await verify(commandLine(data, [join(folder, made?.name ?? '')]))).toMatch(
    /is whole[\s\S]*\nits books balance to the franc$/,
  )
  for (const day of ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11'])
    writeFileSync(join(folder, `loyer-2003-01-${day}T020000Z.tar.zst`), backupOf(`2003-01-${day}T02:00:00.000Z`))
  writeFileSync(join(folder, 'loyer-notes.txt'), 'mine')
  // The second is another one, so the name is too.
  await Bun.sleep(1100)
  const again = await backups.run()
  const { last, backups: kept } = backups.state()
  expect(last).toEqual(again)
  expect(kept.map(({ name }) => name)).toEqual(
    readdirSync(folder)
      .filter((name) => name.endsWith('.zst'))
      .sort()
      .reverse(),
  )
  // Beside today: six days of January 2003, and the last of the week before.
  expect(kept.filter(({ name }) => name.startsWith('loyer-2003')).length).toBe(7)
  expect(readFileSync(join(folder, 'loyer-notes.txt'), 'utf8')).toBe('mine')
})

// Where a kernel has one priority for all threads of a process, the copying thread would take the service with it.
const hasPriorityForEachThread = await new Promise<boolean>((resolve) => {
  const own = getPriority()
  const probe = new Worker("require('node:os').setPriority(19)", { eval: true })
  probe.once('exit', () => resolve(getPriority() === own))
})
test.skipIf(!hasPriorityForEachThread)('the service keeps its own priority', async () => {
  const plan = planOf(loadConfig({ LOYER_DATA: await dataFolder('thread') }), '0.1.0')
  if (!plan) throw new Error('backups are on')
  const own = getPriority()
  await createBackups(plan).run()
  expect(getPriority()).toBe(own)
})

test('one that fails is known, and the last good one stays known', async () => {
  const data = await dataFolder('thread')
  const plan = planOf(loadConfig({ LOYER_DATA: data }), '0.1.0')
  if (!plan) throw new Error('backups are on')
  const made = await createBackups(plan).run()
  const backups = createBackups({ ...plan, databaseFile: join(data, 'nowhere.db') })
  await expect(backups.run()).rejects.toThrow('nowhere.db')
  expect(backups.state()).toMatchObject({ last: made, failed: { reason: expect.stringContaining('nowhere.db') } })
})
