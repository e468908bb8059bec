// The ladder of reminders: which day asks for which step, and links that nobody can make up.
import { expect, test } from 'bun:test'
import {
  linkToken,
  messageOfToken,
  nextStep,
  offsetDue,
  stepAt,
} from '../../../../src/features/news/reminders/rules.ts'

const DUE = { dueDate: '2026-03-10', issuedOn: '2026-03-05' }
const SCHEDULE = [-3, 0, 3, 7, 15]

test.each([
  [-3, 'UPCOMING'],
  [0, 'DUE'],
  [3, 'REMINDER'],
  [7, 'REMINDER'],
  [15, 'FINAL'],
] as const)('day %p of the usual schedule is %s', (offset, step) => {
  expect(stepAt(offset, SCHEDULE)).toBe(step)
})
test('a lone reminder is not the last one', () => {
  expect(stepAt(5, [5])).toBe('REMINDER')
})

// Due on 10 March.
test.each([
  ['the day before the first', '2026-03-05', '2026-03-06', undefined],
  ['three days before', '2026-03-06', '2026-03-07', -3],
  ['the same day again', '2026-03-07', '2026-03-07', undefined],
  ['between', '2026-03-07', '2026-03-09', undefined],
  ['on the day', '2026-03-09', '2026-03-10', 0],
  ['after three days off: only the latest', '2026-03-06', '2026-03-13', 3],
  ['a week off', '2026-03-10', '2026-03-17', 7],
  ['the last', '2026-03-24', '2026-03-25', 15],
  ['after the last', '2026-03-25', '2026-04-25', undefined],
] as const)('%s', (_name, since, today, offset) => {
  expect(offsetDue(SCHEDULE, DUE, since, today)).toBe(offset)
})
test.each([
  ['on the day of issue nothing', '2026-03-19', '2026-03-20', undefined],
  ['three days after it', '2026-03-22', '2026-03-23', 3],
  ['not on the days of its due date', '2026-03-24', '2026-03-25', undefined],
  ['the last', '2026-04-03', '2026-04-04', 15],
] as const)('late already when it was issued: %s', (_name, since, today, offset) => {
  expect(offsetDue(SCHEDULE, { ...DUE, issuedOn: '2026-03-20' }, since, today)).toBe(offset)
})
test('each day of the schedule comes once, whichever days are looked at', () => {
  for (let skip = 1; skip <= 4; skip++) {
    const seen: number[] = []
    let since = '2026-03-01'
    for (let day = 1; day <= 31; day += skip) {
      const today = `2026-03-${String(day).padStart(2, '0')}`
      const offset = offsetDue(SCHEDULE, DUE, since, today)
      if (offset !== undefined) seen.push(offset)
      since = today
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect(seen.length).toBeGreaterThanOrEqual(skip === 1 ? 5 : 3)
  }
})

test.each([
  ['2026-03-09', [], 'UPCOMING'],
  ['2026-03-10', ['UPCOMING'], 'DUE'],
  ['2026-03-11', ['RENT_CALL', 'DUE'], 'REMINDER'],
  ['2026-03-20', ['REMINDER'], 'FINAL'],
  ['2026-05-20', ['FINAL'], 'FINAL'],
  ['2026-05-20', ['FORMAL_NOTICE'], 'REMINDER'],
] as const)('by hand on %s after %p: %s', (today, sent, step) => {
  expect(nextStep('2026-03-10', today, sent)).toBe(step)
})

test('a token leads to its message; with any bit changed, cut, longer or of another key, to none', () => {
  const id = '019cd6c2-8c00-7506-af30-e7a107c193b8'
  const key = new Uint8Array(32)
  const token = linkToken(key, id)
  expect(token).toMatch(/^[A-Za-z0-9_-]{42}$/)
  expect(messageOfToken(key, token)).toBe(id)
  expect(messageOfToken(new Uint8Array(32).fill(1), token)).toBeUndefined()
  const bytes = Buffer.from(token, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(messageOfToken(key, changed.toString('base64url'))).toBeUndefined()
  }
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (const letter of letters)
    if (letter !== token.at(-1)) expect(messageOfToken(key, token.slice(0, -1) + letter)).toBeUndefined()
  for (const other of ['', token.slice(1), `${token}A`, `${token}=`, ` ${token}`, token.toUpperCase(), '../../etc'])
    expect(messageOfToken(key, other)).toBeUndefined()
})
