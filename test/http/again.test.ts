// What was answered before is given again from the cache: to the same kind of caller only, and while it is true.
import { expect, test } from 'bun:test'
import type { Answer } from '../support/app.ts'
import { fill } from '../support/routes.ts'
import { cash, samples, worldApp } from '../support/world.ts'

const { t, w } = await worldApp()
const people = ['tom', 'ana', 'eve', 'mia', 'ada'] as const
// What needs no token is the same for all; sessions, exports and the sandbox change by being asked.
const lines = samples(w)
  .filter(({ line, code }) => !code && line.startsWith('GET /api/v1/') && !/sandbox|sessions|legal|export/.test(line))
  .map(({ line, mine, theirs }) => fill(line, theirs?.ada ?? mine))

const bytes = ({ status, text, headers }: Answer): string =>
  JSON.stringify([
    status,
    text.replace(/"(requestId|url|expiresAt)":"[^"]*"/g, ''),
    [...headers].filter(([name]) => name !== 'x-request-id'),
  ])

test.each(lines.map((line) => [line]))('%s: what one was answered is not answered to another', async (line) => {
  const cold = new Map<string, string>()
  for (const name of people) cold.set(name, bytes(await t.call(w.as[name], line)))
  for (const asker of people) {
    for (let i = 0; i < 3; i++) await t.call(w.as[asker], line)
    for (const name of people)
      expect([name, bytes(await t.call(w.as[name], line))]).toEqual([name, cold.get(name) ?? ''])
  }
  expect((await t.call(undefined, line)).status).toBe(401)
  expect((await t.call(`${w.as.ada}~elsewhere`, line)).text).not.toBe((await t.call(w.as.ada, line)).text)
})

test('each answer has an id of its own, and a list says again where it goes on', async () => {
  const ids = new Set<string>()
  for (let i = 0; i < 4; i++) {
    const { headers } = await t.call(w.as.ada, 'GET /api/v1/invoices?limit=1&count=true')
    ids.add(headers.get('x-request-id') ?? '')
    expect([headers.get('link') ?? '', headers.get('x-total-count')]).toEqual([
      expect.stringContaining('rel="next"'),
      expect.stringMatching(/^\d+$/),
    ])
  }
  expect(ids.size).toBe(4)
})

test('a payment shows at once in what was asked for three times before', async () => {
  const line = `GET /api/v1/invoices/${w.hers.invoice}`
  const seen = async (who: string) => (await t.call(who, line)).body.amountPaid
  const read = async () => [await seen(w.as.ada), await seen(w.as.eve)]
  for (let i = 0; i < 3; i++) await read()
  const [before] = await read()
  const paid = await t.call(w.as.eve, `POST /api/v1/invoices/${w.hers.invoice}/payments`, cash(1000))
  expect(paid.status).toBe(201)
  expect(await read()).toEqual([Number(before) + 1000, Number(before) + 1000])
})
