// Whose connection may be idle for longer: that of a report, however its address is spelled; not that of anything short.
import { afterEach, expect, test } from 'bun:test'
import { extendTimeouts } from '../../src/http/timeouts.ts'
import { createTestApp } from '../support/app.ts'

afterEach(() => extendTimeouts(() => {}))

test.each([
  ['a report', '/api/v1/reports/rent-roll', true],
  ['the same in another spelling', '/api/v1/reports/rent%2Droll', true],
  ['a report as a paper', '/api/v1/reports/occupancy?format=pdf', true],
  ['a list', '/api/v1/invoices', false],
  ['who one is', '/api/v1/me', false],
])('%s', async (_what, path, isLong) => {
  const t = createTestApp()
  await t.call('OWNER.ana', 'GET /api/v1/me')
  const asked: string[] = []
  extendTimeouts(({ url }) => void asked.push(url))
  expect((await t.call('OWNER.ana', `GET ${path}`)).status).toBe(200)
  // The server knows the request as it arrived.
  expect(asked.map((url) => new URL(url).pathname)).toEqual(isLong ? [path.replace(/\?.*/, '')] : [])
})
