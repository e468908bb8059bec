// A clock that goes ahead by months: what the calendar decides waits until somebody confirms it, or for a day.
import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { periodic } from '../../src/jobs/registry.ts'
import { type Log, silentLog } from '../../src/log.ts'
import { openTime } from '../../src/time.ts'
import { temporaryFolder } from '../support/folder.ts'
import { letting, stage } from '../support/scenario.ts'

const DAY = 86_400_000
const HOUR = DAY / 24
const START = Date.parse('2026-03-10T08:00:00Z')
afterEach(() => {
  machine.ms = START
})
const machine = { ms: START }
const confirmation = join(temporaryFolder('leap'), 'clock.confirmed')

/** A lease that runs, and the service as a start finds it: its time has been kept once. */
async function running() {
  const told: string[] = []
  const note = (event: string): void => void told.push(event)
  const log: Log = { ...silentLog, error: note, warn: note }
  const s = await stage({ given: letting() })
  const open = () => openTime(s.t.store, log, () => machine.ms, confirmation)
  let time = await open()
  await time.keep()
  const work = async (name: string): Promise<unknown> => {
    const deps = { ...s.deps, time, clock: { now: time.now, wall: time.now } }
    return periodic(deps)
      .find((p) => p.name === name)
      ?.work()
  }
  return {
    told,
    time: () => time,
    rows: s.rows,
    restart: async () => {
      time = await open()
      await time.keep()
    },
    /** Numbers of invoices and of messages after what the timers do. */
    bill: async () => {
      await work('billing')
      await work('reminders')
      return ['invoice', 'rent_message'].map((table) => s.rows(`select count(*) n from ${table}`)[0]?.n)
    },
    keep: () => time.keep(),
  }
}

describe('three years ahead at once', () => {
  test('nothing is billed, nobody is reminded, and it says so once; then the right clock undoes all of it', async () => {
    const { told, time, bill, keep } = await running()
    expect([await bill(), time().trouble()]).toEqual([[1, 0], undefined])
    machine.ms += 3 * 365 * DAY
    expect(await bill()).toEqual([1, 0])
    await keep()
    await keep()
    expect([await bill(), time().trouble(), told]).toEqual([[1, 0], 'LEAPT', ['clock.leapt']])
    machine.ms = START + HOUR
    await keep()
    expect([await bill(), time().trouble(), told]).toEqual([[1, 0], undefined, ['clock.leapt', 'clock.was_wrong']])
  })

  test('a restart does not forget it, and confirms nothing', async () => {
    const { told, time, bill, restart } = await running()
    machine.ms += 3 * 365 * DAY
    await restart()
    await restart()
    expect([await bill(), time().trouble(), told]).toEqual([[1, 0], 'LEAPT', ['clock.leapt', 'clock.leapt']])
  })

  test('once it is confirmed, all is billed; the confirmation serves no second time', async () => {
    const { told, time, bill, keep } = await running()
    machine.ms += 300 * DAY
    await keep()
    writeFileSync(confirmation, '')
    await keep()
    expect([time().trouble(), existsSync(confirmation), told]).toEqual([
      undefined,
      false,
      ['clock.leapt', 'clock.believed'],
    ])
    expect(Number((await bill())[0])).toBe(11)
    machine.ms += 300 * DAY
    await keep()
    expect([time().trouble(), (await bill())[0]]).toEqual(['LEAPT', 11])
  })

  test('a confirmation given before confirms nothing later', async () => {
    const { time, keep } = await running()
    writeFileSync(confirmation, '')
    await keep()
    machine.ms += 300 * DAY
    await keep()
    expect(time().trouble()).toBe('LEAPT')
  })

  test('after a day in which the clock went on it is believed', async () => {
    const { time, bill, keep } = await running()
    machine.ms += 300 * DAY
    await keep()
    machine.ms += DAY - HOUR
    await keep()
    expect([time().trouble(), (await bill())[0]]).toEqual(['LEAPT', 1])
    machine.ms += 2 * HOUR
    await keep()
    expect([time().trouble(), (await bill())[0]]).toEqual([undefined, 11])
  })
})

test('a service that was off for three months bills them at once', async () => {
  const { told, time, bill, restart } = await running()
  machine.ms += 92 * DAY
  await restart()
  expect([await bill().then(([n]) => n), time().trouble(), told]).toEqual([4, undefined, []])
})

test('a clock set back by an hour is told until it has caught up', async () => {
  const { time, keep } = await running()
  machine.ms -= HOUR
  await keep()
  expect(time().trouble()).toBe('SET_BACK')
  machine.ms += 2 * HOUR
  for (let i = 0; i < 4000; i++) {
    machine.ms += 2000
    time().now()
  }
  expect(time().trouble()).toBeUndefined()
})

test('a day ahead over the day of the rent, and back: billed and reminded once, by a date that stays', async () => {
  const { time, bill, keep, rows } = await running()
  machine.ms = Date.parse('2026-03-31T08:00:00Z')
  await keep()
  const [onTheDay] = await bill()
  machine.ms += DAY
  await keep()
  const ahead = await bill()
  expect([time().trouble(), ahead[0]]).toEqual([undefined, Number(onTheDay) + 1])
  const issued = rows('select id, number, issued_on, due_date, version from invoice order by id')
  for (const ms of [-DAY, 0, HOUR, DAY - 60_000, DAY, DAY + HOUR]) {
    machine.ms = Date.parse('2026-04-01T08:00:00Z') + ms
    await keep()
    expect([ms, await bill()]).toEqual([ms, ahead])
    expect(rows('select id, number, issued_on, due_date, version from invoice order by id')).toEqual(issued)
  }
})
