import { expect, test } from 'bun:test'
import {
  isQuiet,
  QUIET_HOURS,
  quietHoursOf,
  REMINDERS,
  remindersOf,
} from '../../../../src/features/people/organizations/rules.ts'

const NIGHT = { from: '20:00', to: '07:00' }
const LUNCH = { from: '12:00', to: '14:00' }
test.each([
  [NIGHT, '19:59', false],
  [NIGHT, '20:00', true],
  [NIGHT, '00:00', true],
  [NIGHT, '06:59', true],
  [NIGHT, '07:00', false],
  [LUNCH, '11:59', false],
  [LUNCH, '12:00', true],
  [LUNCH, '14:00', false],
  [{ from: '08:00', to: '08:00' }, '08:00', false],
  [{ from: '00:00', to: '00:00' }, '23:59', false],
] as const)('%o at %s: %p', (hours, time, quiet) => {
  expect(isQuiet(hours, time)).toBe(quiet)
})

test('what an organization did not set is as usual; an empty schedule reminds nobody', () => {
  const unset = { reminderSchedule: null, quietFrom: null, quietTo: null }
  expect(remindersOf(unset)).toBe(REMINDERS)
  expect(quietHoursOf(unset)).toBe(QUIET_HOURS)
  expect(remindersOf({ ...unset, reminderSchedule: [] })).toEqual([])
  expect(quietHoursOf({ ...unset, quietFrom: '22:00', quietTo: '06:00' })).toEqual({ from: '22:00', to: '06:00' })
})
