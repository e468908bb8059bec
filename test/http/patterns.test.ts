// reliability T-21: no text, however long or repetitive, keeps a pattern busy. Measured in processor time.
import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { isDate, isDateTime, isTimeZone } from '../../src/core/dates.ts'
import { isUuid } from '../../src/core/id.ts'
import { E164, maskPhone, normalizePhone } from '../../src/core/phone.ts'
import { ProfilePatch } from '../../src/features/people/users/model.ts'
import { bearerToken } from '../../src/http/auth.ts'
import { isTrusted } from '../../src/http/request.ts'
import { DateOnly, DateTime, Phone, QueryInteger, Text, Uuid } from '../../src/http/schema.ts'
import { createTestApp } from '../support/app.ts'

const attacksOf = (n: number): string[] => [
  ...[
    'a',
    '0',
    '1',
    '9',
    ' ',
    '-',
    '+',
    '.',
    '@',
    '=',
    '/',
    ',',
    ';',
    '%',
    '"',
    '\\',
    '\t',
    'é',
    '😀',
    '\ud800',
    '\u202e',
    'e\u0301',
  ].map((c) => c.repeat(n)),
  `+${'1'.repeat(n)}`,
  `Bearer ${'a'.repeat(n)}!`,
  `Bearer ${'='.repeat(n)}`,
  `Bearer ${' '.repeat(n)}x`,
  `${'a@'.repeat(n / 2)}`,
  `${'a'.repeat(64)}@${'b.'.repeat(n / 2)}`,
  `a@${'.'.repeat(n)}`,
  `${'0-'.repeat(n / 2)}`,
  `2026-03-10T08:00:00.${'1'.repeat(n)}Z`,
  `2026-03-10${' '.repeat(n)}`,
  `${'00000000-'.repeat(n / 9)}`,
  `1${'(0)'.repeat(n / 3)}`,
  `${'A/'.repeat(n / 2)}`,
  `gzip;q=0.${'1'.repeat(n)}x`,
  `application/json;${' '.repeat(n)}charset=utf-8`,
  `W/${'"'.repeat(n)}`,
]
const attacks = attacksOf(100_000)
const email = ProfilePatch.properties.email
const checks: [name: string, check: (text: string) => unknown][] = [
  ['date', isDate],
  ['date-time', isDateTime],
  ['time zone', isTimeZone],
  ['uuid', isUuid],
  ['E.164', (s) => E164.test(s)],
  ['a number as people write it', normalizePhone],
  ['a masked number', maskPhone],
  ['a proxy', (s) => isTrusted(s, ['10.0.0.0/8'])],
  ['schema Uuid', (s) => Value.Check(Uuid, s)],
  ['schema Date', (s) => Value.Check(DateOnly, s)],
  ['schema DateTime', (s) => Value.Check(DateTime, s)],
  ['schema Phone', (s) => Value.Check(Phone, s)],
  ['schema Text', (s) => Value.Check(Text({ max: 200 }), s)],
  ['schema integer of a query', (s) => Value.Check(QueryInteger({ minimum: 1, maximum: 200 }), s)],
  ['schema e-mail', (s) => Value.Check(email, s)],
]
/** What the process worked since, in ms: on a busy machine the clock tells how long it waited as well. */
const workedSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
/** The least work of five tries, in ms. */
async function least(run: () => unknown): Promise<number> {
  let found = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5; i++) {
    const before = process.cpuUsage()
    await run()
    found = Math.min(found, workedSince(before))
  }
  return found
}
/** How much more work the long text is than the short one: the least of three comparisons, as other work may disturb one. */
async function growth(long: () => Promise<number>, short: () => Promise<number>): Promise<number> {
  const found: number[] = []
  for (let i = 0; i < 3; i++) found.push((await long()) / (await short()))
  return Math.min(...found)
}
/** Four times as long a text is four times the work; where a pattern backtracks, it is sixteen times or far more. */
const GROWTH = 10
/** Of 100,000 characters, in ms: where a pattern backtracks, it is seconds. */
const MOST = 100

test.each(checks)('%s', async (_name, check) => {
  for (const attack of attacks)
    expect([attack.slice(0, 30), (await least(() => check(attack))) < MOST]).toEqual([attack.slice(0, 30), true])
})

describe('headers of 16 KB, through the whole app', () => {
  const t = createTestApp()
  const names = [
    'accept-language',
    'content-type',
    'if-match',
    'if-none-match',
    'idempotency-key',
    'x-request-id',
    'x-forwarded-for',
    'origin',
    'cookie',
  ]
  const textsOf = (n: number) =>
    new Set(
      attacksOf(n)
        .map((text) => text.replace(/[^\x20-\x7e]/g, 'x').trim())
        .filter((text) => text !== ''),
    )
  const workOf = (line: string, name: string, text: string): Promise<number> => {
    const [method = '', path = ''] = line.split(' ')
    return least(() =>
      t.app.handle(
        new Request(`http://localhost${path}`, {
          method,
          headers: { authorization: 'Bearer OWNER.hal', [name]: text },
          ...(method === 'POST' ? { body: '{}' } : {}),
        }),
      ),
    )
  }
  async function workOfAll(line: string, name: string, length: number): Promise<number> {
    let sum = 0
    for (const text of textsOf(length)) sum += await workOf(line, name, text)
    return sum
  }
  test.each(names.map((name) => [name]))('%s', async (name) => {
    await t.call('OWNER.hal', 'GET /api/v1/me')
    for (const line of ['GET /api/v1/properties', 'POST /api/v1/properties']) {
      const of = (length: number) => () => workOfAll(line, name, length)
      expect(await growth(of(15_900), of(3_975))).toBeLessThan(GROWTH)
    }
  })
  // Known: the q-value of Accept-Encoding is matched in quadratic time, of which little shows in 8 KB.
  test('accept-encoding of the description', async () => {
    const workFor = (accepted: string) =>
      least(() =>
        t.app.handle(new Request('http://localhost/openapi.json', { headers: { 'accept-encoding': accepted } })),
      )
    const of = (length: number) => () => workFor(`gzip;q=0.${'1'.repeat(length)}x`)
    expect(await growth(of(8_000), of(2_000))).toBeLessThan(GROWTH)
  })
})

test('a bearer token', async () => {
  for (const attack of attacks) {
    const request = new Request('http://localhost/', {
      headers: { authorization: attack.replace(/[^\x20-\x7e]/g, 'x') },
    })
    expect([attack.slice(0, 30), (await least(() => bearerToken(request))) < MOST]).toEqual([attack.slice(0, 30), true])
  }
})

test('a body that is wrong in every place takes no more than its share of work', async () => {
  const t = createTestApp()
  const bodiesOf = (n: number) => [
    { amenities: Array.from({ length: n }, () => 0) },
    { amenities: Array.from({ length: n / 4 }, () => '\u202e') },
    Object.fromEntries(Array.from({ length: n / 5 }, (_x, i) => [`m${i}`, 0])),
    { name: 'x'.repeat(n * 2) },
    { name: '😀'.repeat(n / 2) },
  ]
  const workOf = (body: object) =>
    least(async () => expect((await t.call('OWNER.hal', 'POST /api/v1/properties', body)).status).toBe(422))
  const short = bodiesOf(6_000)
  for (const [i, body] of bodiesOf(30_000).entries()) {
    // Five times as long a body is about five times the work; in quadratic time it would be twenty-five.
    expect(
      await growth(
        () => workOf(body),
        () => workOf(short[i] ?? {}),
      ),
    ).toBeLessThan(18)
  }
})
