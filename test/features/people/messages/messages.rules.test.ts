import { expect, test } from 'bun:test'
import { REPORT_STATUS } from '../../../../src/features/news/delivery-reports/rules.ts'
import {
  MESSAGE_STATUS,
  type MessageStatus,
  moves,
  nextAttempt,
  reportedStatus,
} from '../../../../src/features/people/messages/rules.ts'

/** Rows from, columns to, in the order of MESSAGE_STATUS. */
const MOVES: Record<MessageStatus, string> = {
  QUEUED: '- y y y y y y',
  SENDING: '- - y y y y y',
  EXPIRED: '- - - y y y y',
  SENT: '- - - - y y y',
  FAILED: '- - - - - y y',
  DELIVERED: '- - - - - - y',
  READ: '- - - - - - -',
}
for (const from of MESSAGE_STATUS)
  test(`${from} moves forward only`, () =>
    expect(MESSAGE_STATUS.map((to) => (moves(from, to) ? 'y' : '-')).join(' ')).toBe(MOVES[from]))

test('what a report makes of a message', () => {
  expect(Object.fromEntries(REPORT_STATUS.map((s) => [s, reportedStatus(s) ?? 'nothing']))).toEqual({
    PENDING: 'nothing',
    SENT: 'SENT',
    DELIVERED: 'DELIVERED',
    READ: 'READ',
    FAILED: 'FAILED',
    REJECTED: 'FAILED',
    EXPIRED: 'FAILED',
    UNKNOWN: 'nothing',
  })
})

const code = { code: true, now: 0, expiresAt: 600_000, afterMs: 0, random: 0.5 }
const waits: [name: string, of: Parameters<typeof nextAttempt>[0], at: number | undefined][] = [
  ['after the first attempt', { ...code, attempts: 1 }, 1_000],
  ['the second', { ...code, attempts: 2 }, 3_000],
  ['the third', { ...code, attempts: 3 }, 9_000],
  ['the fourth: no more', { ...code, attempts: 4 }, undefined],
  ['a quarter sooner', { ...code, attempts: 1, random: 0 }, 750],
  ['a quarter later', { ...code, attempts: 1, random: 1 }, 1_250],
  ['when the vendor says', { ...code, attempts: 1, afterMs: 30_000 }, 30_000],
  ['not sooner than we would', { ...code, attempts: 1, afterMs: 10 }, 1_000],
  ['too late for the code', { ...code, attempts: 1, afterMs: 600_000 }, undefined],
  ['the code dies meanwhile', { ...code, attempts: 3, expiresAt: 9_000 }, undefined],
  ['news can wait', { ...code, code: false, attempts: 1, expiresAt: 86_400_000 }, 60_000],
  ['and longer', { ...code, code: false, attempts: 3, expiresAt: 86_400_000 }, 7_200_000],
]
for (const [name, of, at] of waits) test(`tried again ${name}`, () => expect(nextAttempt(of)).toBe(at as number))
