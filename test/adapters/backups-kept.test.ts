// Which backups stay, and what their names tell.
import { afterAll, expect, setSystemTime, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { nameOf, outdated, readName } from '../../src/adapters/backups/names.ts'
import { readState } from '../../src/adapters/backups/run.ts'
import { backup, verify } from '../../src/commands/backup.ts'
import { isLate } from '../../src/features/system/backups/rules.ts'
import { backupOf, commandLine, dataFolder } from '../support/backups.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())

test('which are kept: 7 days, 4 weeks, 12 months, and the newest three', () => {
  const at = (day: number, hour = 3) => ({ createdAt: new Date(Date.UTC(2026, 0, 1 + day, hour)).toISOString() })
  let backups = [at(0)]
  for (let day = 1; day < 800; day++) {
    backups = [...backups, at(day)]
    const old = outdated(backups)
    backups = backups.filter((one) => !old.includes(one))
  }
  const days = backups.map(({ createdAt }) => createdAt.slice(0, 10))
  // 10 March 2028 is a Friday: seven days, the Sundays of the weeks before, the last days of the months before.
  expect(days).toEqual([
    '2027-04-30',
    '2027-05-31',
    '2027-06-30',
    '2027-07-31',
    '2027-08-31',
    '2027-09-30',
    '2027-10-31',
    '2027-11-30',
    '2027-12-31',
    '2028-01-31',
    '2028-02-20',
    '2028-02-27',
    '2028-02-29',
    '2028-03-04',
    '2028-03-05',
    '2028-03-06',
    '2028-03-07',
    '2028-03-08',
    '2028-03-09',
    '2028-03-10',
  ])
  const many = [at(0, 1), at(0, 2), at(0, 3), at(0, 4), at(0, 5)]
  expect(outdated(many)).toEqual([at(0, 2), at(0, 1)])
})

const OLD = Array.from({ length: 14 }, (_, month) => Date.UTC(2024, month, 1))
const beside: [what: string, at: (ms: number) => number, inside: (ms: number) => Buffer | string, stay: number][] = [
  ['dated as it is named: eleven months and the new one', (ms) => ms, (ms) => backupOf(new Date(ms).toISOString()), 11],
  ['named and dated by a clock ahead', (ms) => ms * 4, (ms) => backupOf(new Date(ms * 4).toISOString()), 14],
  ['named of a day to come, dated before', (ms) => ms * 4, (ms) => backupOf(new Date(ms).toISOString()), 11],
  ['no backup at all', (ms) => ms, () => 'a file of somebody’s', 14],
]
test.each(beside)('beside the one that was just made: %s', async (_what, at, inside, stay) => {
  const [data, to] = [await dataFolder('now'), temporaryFolder('backups')]
  for (const ms of OLD) writeFileSync(join(to, nameOf(at(ms), false)), inside(ms))
  await backup(commandLine(data, [], { to }))
  const { name = '' } = readState(data).last ?? {}
  expect(await verify(commandLine(data, [join(to, name)]))).toContain('a database and')
  expect(readdirSync(to).filter((other) => other !== name)).toHaveLength(stay)
})

test.each([
  [Date.UTC(2026, 2, 10, 3, 0, 5), false, 'loyer-2026-03-10T030005Z.tar.zst'],
  [Date.UTC(2026, 11, 31, 23, 59, 59), true, 'loyer-2026-12-31T235959Z.tar.zst.age'],
])('the name tells the time: %d', (ms, encrypted, name) => {
  expect(nameOf(ms, encrypted)).toBe(name)
  expect(readName(name)).toEqual({ createdAt: new Date(ms).toISOString(), encrypted })
  expect(readName(`${name}.part`)).toBeUndefined()
})

const byClock: [name: string, machine: string, seen: string, dated: string][] = [
  ['right', '2026-11-24T12:00:00Z', '2026-11-24T11:59:00Z', '2026-11-24T12:00:00'],
  ['never set', '1970-01-01T00:03:00Z', '2026-11-24T11:59:00Z', '2026-11-24T11:59:00'],
  ['set back by hours', '2026-11-24T06:00:00Z', '2026-11-24T11:59:00Z', '2026-11-24T11:59:00'],
  // The service goes back to such a clock at its next start.
  ['right after days ahead', '2026-11-24T12:00:00Z', '2026-12-24T12:00:00Z', '2026-11-24T12:00:00'],
]
test.each(byClock)(
  'by hand, a machine’s clock that is %s: dated as the service would',
  async (_, machine, seen, dated) => {
    const [data, to] = [await dataFolder('dated'), temporaryFolder('dated')]
    const client = new Database(join(data, 'loyer.db'))
    client.prepare("insert or replace into setting(key, value) values('clock.mark', ?)").run(`${Date.parse(seen)} 0`)
    client.close()
    // A week of nightly ones, and what an older one is next to: the first to go.
    for (let day = 10; day < 24; day++)
      writeFileSync(
        join(to, nameOf(Date.parse(`2026-11-${day}T02:00:00Z`), false)),
        backupOf(`2026-11-${day}T02:00:00.000Z`),
      )
    setSystemTime(new Date(machine))
    try {
      await backup(commandLine(data, [], { to }))
    } finally {
      setSystemTime()
    }
    const state = readState(data)
    expect(state.last?.createdAt).toStartWith(dated)
    expect([isLate(state, Date.parse(`${dated}Z`)), state.backups[0]?.name]).toEqual([false, state.last?.name ?? ''])
    // Nor does the next night remove it.
    expect(outdated([{ createdAt: '2026-11-25T02:00:00.000Z' }, ...state.backups])).not.toContainEqual(
      expect.objectContaining({ name: state.last?.name }),
    )
  },
)
