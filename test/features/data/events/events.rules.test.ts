// Addresses that webhook endpoints may have, and how long a failed delivery waits.
import { expect, test } from 'bun:test'
import { isAllowedUrl, pauseAfter, retryAfter, TRIED_MS } from '../../../../src/features/data/events/rules.ts'

test.each([
  ['https://compta.example.cm/loyer?x=1', true],
  ['https://8.8.8.8:8443/', true],
  ['https://[2606:4700::1111]/', true],
  ['http://compta.example.cm/', false],
  ['https://user:secret@example.cm/', false],
  ['https://example.cm/#part', false],
  ['https://localhost/', false],
  ['https://localhost./', false],
  ['https://nas/', false],
  ['https://nas./', false],
  ['https://127.0.0.1./', false],
  ['https://printer.local/', false],
  ['https://db.internal./', false],
  ['https://127.0.0.1/', false],
  ['https://0x7f000001/', false],
  ['https://2130706433/', false],
  ['https://10.1.2.3/', false],
  ['https://169.254.169.254/latest/meta-data', false],
  ['https://100.64.0.1/', false],
  ['https://[::1]/', false],
  ['https://[::ffff:192.168.0.1]/', false],
  ['https://[fd00::1]/', false],
  ['https://[::ffff:0:10.0.0.1]/', false],
  ['https://[64:ff9b::a00:1]/', false],
  ['ftp://example.cm/', false],
  ['javascript:alert(1)', false],
  ['nothing', false],
])('%s: %p', (url, allowed) => {
  expect(isAllowedUrl(url, 'PUBLIC')).toBe(allowed)
})

test('an operator may allow closed ones', () => {
  expect(isAllowedUrl('http://192.168.1.20:8080/hook', 'ANY')).toBe(true)
  for (const url of ['ftp://192.168.1.20/', 'http://a:b@192.168.1.20/', 'http://192.168.1.20/#x', 'nothing'])
    expect(isAllowedUrl(url, 'ANY')).toBe(false)
})

test.each([
  ['http://127.0.0.1:8080/hook', true],
  ['http://127.9.9.9/', true],
  ['https://localhost/hook', true],
  ['http://[::1]:8080/', true],
  ['http://0x7f000001/', true],
  ['https://compta.example.cm/', true],
  ['http://compta.example.cm/', false],
  ['http://10.0.0.1/', false],
  ['http://0.0.0.0/', false],
  ['http://localhost.example.cm/', false],
  ['http://[::ffff:127.0.0.1]/', false],
  ['http://a:b@localhost/', false],
  ['ftp://localhost/', false],
])('a sandbox of this machine alone, %s: %p', (url, allowed) => {
  expect(isAllowedUrl(url, 'LOOPBACK')).toBe(allowed)
})

test('waits grow, and end before three days', () => {
  const waits = Array.from({ length: 9 }, (_, i) => retryAfter(i + 1, '0000', TRIED_MS))
  expect(waits).toEqual([60, 300, 1800, 7200, 21600, 43200, 86400, 86400, undefined].map((s) => s && s * 1000) as never)
  expect(retryAfter(1, 'ffff', TRIED_MS)).toBe(54_000)
  expect([59_999, 60_000].map((left) => retryAfter(1, '0000', left))).toEqual([undefined, 60_000])
  expect([1, 2, 3, 7, 8, 1000].map(pauseAfter)).toEqual([10, 20, 40, 640, 900, 900].map((s) => s * 1000))
})
