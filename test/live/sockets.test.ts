// reliability T-20: what no HTTP library would send, byte by byte, to the live service. One answer each, or none; never
// a second one (smuggling), never a 5xx but 505, and the service is as well as before.
import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { raw } from '../support/raw.ts'
import { startServer } from '../support/server.ts'

const clean = cleaner()
const server = await startServer({ data: temporaryFolder('sockets') })
const { port } = server
afterAll(async () => {
  expect(server.output()).not.toContain('uncaught')
  expect((await server.end('SIGTERM')).code).toBe(0)
  clean()
})

const HOST = 'Host: localhost\r\n'
const BODY = '{"role":"OWNER"}'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const get = (line: string, headers = HOST): string => `${line} HTTP/1.1\r\n${headers}\r\n`
const health = (headers: string): string => get('GET /healthz', headers)
const post = (headers: string, body = ''): string =>
  `POST /api/v1/sandbox/token HTTP/1.1\r\n${HOST}${JSON_TYPE}${headers}\r\n${body}`
const length = (value: string, body = '{}'): string => post(`Content-Length: ${value}\r\n`, body)
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
const coded = (header: string, body = `${chunk(BODY)}0\r\n\r\n`): string => post(`${header}\r\n`, body)
const chunked = (body: string): string => coded('Transfer-Encoding: chunked', body)
const many = (n: number): string => HOST + Array.from({ length: n }, (_, i) => `X-${i}: a\r\n`).join('')

type Case = [name: string, bytes: string | Buffer | string[], statuses: number[]]
const lengths: Case[] = [
  ['a good request', post(`Content-Length: ${BODY.length}\r\n`, BODY), [200]],
  ['a good one in chunks', chunked(`${chunk(BODY)}0\r\n\r\n`), [200]],
  ['a length and chunks', coded('Content-Length: 4\r\nTransfer-Encoding: chunked'), [400]],
  ['chunks that end before the length', coded('Content-Length: 6\r\nTransfer-Encoding: chunked', '0\r\n\r\nG'), [400]],
  ['two lengths', post(`Content-Length: 3\r\nContent-Length: ${BODY.length}\r\n`, BODY), [400]],
  ['a list of lengths', length('2, 2'), [400]],
  ['a length with a sign', length('+2'), [400]],
  ['a negative length', length('-1'), [400]],
  ['a hexadecimal length', length('0x2'), [400]],
  ['a length beyond numbers', length('9'.repeat(25)), [400]],
  ['an empty length', length(''), [400]],
  ['a length beyond the limit', length('99999999'), [413]],
  ['a body beyond 64 KiB', length('70000', 'x'.repeat(70_000)), [413]],
  ['the same in chunks', chunked(`${chunk('x'.repeat(70_000))}0\r\n\r\n`), [413]],
  ['half a body', length('100', '{"role"'), []],
  ['a chunk size that is none', chunked('zz\r\n{}\r\n0\r\n\r\n'), [400]],
  ['a negative chunk', chunked('-2\r\n{}\r\n0\r\n\r\n'), [400]],
  ['a chunk size beyond numbers', chunked('fffffffffffffffff\r\n{}\r\n0\r\n\r\n'), [400]],
  ['a chunk longer than its size', chunked('2\r\n{}xx\r\n0\r\n\r\n'), [400]],
  ['a chunk with an extension', chunked(`10;a=b\r\n${BODY}\r\n0\r\n\r\n`), [200]],
  ['an extension of a megabyte', chunked(`10;${'x'.repeat(1_000_000)}\r\n${BODY}\r\n0\r\n\r\n`), [413]],
  ['chunks with bare line feeds', chunked(`10\n${BODY}\n0\n\n`), [400]],
  ['another coding', coded('Transfer-Encoding: gzip', '{}'), [400]],
  ['chunked twice', coded('Transfer-Encoding: chunked, chunked'), [400]],
  ['nearly chunked', coded('Transfer-Encoding: xchunked'), [400]],
  ['a blank before the colon', coded('Transfer-Encoding : chunked'), [400]],
]
const headers: Case[] = [
  ['a folded header', health(`${HOST}X-A: b\r\n c\r\n`), [400]],
  ['a NUL', health(`${HOST}X-A: b\0c\r\n`), [400]],
  ['a lone carriage return', health(`${HOST}X-A: b\rc\r\n`), [400]],
  ['bare line feeds', 'GET /healthz HTTP/1.1\nHost: localhost\n\n', [505]],
  ['a blank in a name', health(`${HOST}X A: b\r\n`), [400]],
  ['no name', health(`${HOST}: b\r\n`), [400]],
  ['no colon', health(`${HOST}nothing\r\n`), [400]],
  ['a header of 20 KB', health(`${HOST}X-A: ${'b'.repeat(20_000)}\r\n`), [431]],
  ['a header of 1 MB', health(`${HOST}X-A: ${'b'.repeat(1_000_000)}\r\n`), [431]],
  ['300 headers', health(many(300)), [431]],
  ['90 headers', health(many(90)), [200]],
  ['an expectation', post(`Expect: 100-continue\r\nContent-Length: ${BODY.length}\r\n`, BODY), [100, 200]],
  ['an upgrade to another protocol', health(`${HOST}Upgrade: h2c\r\nConnection: Upgrade\r\n`), [200]],
]
const hosts: Case[] = [
  ['no host', health(''), [400]],
  ['two hosts', health(`${HOST}Host: evil.example\r\n`), [421]],
  ['two hosts, ours last', health(`Host: evil.example\r\n${HOST}`), [421]],
  ['the same host twice', health(`${HOST}${HOST}`), [421]],
  ['a host of others', health('Host: evil.example\r\n'), [421]],
  ['a very short host', get('GET /api/v1/me', 'Host: x\r\n'), [421]],
  ['a host with a user', health('Host: localhost@evil.example\r\n'), [421]],
  ['a host with a path', health('Host: localhost/x\r\n'), [421]],
  ['a host with a question mark', health('Host: localhost?x\r\n'), [421]],
  ['a host with a blank', health('Host: local host\r\n'), [421]],
  ['a host that is no address', health('Host: [::1\r\n'), [421]],
  ['a port beyond ports', health('Host: localhost:99999\r\n'), [421]],
  ['a host in percent signs', health('Host: loc%61lhost\r\n'), [421]],
  ['an empty host', health('Host: \r\n'), [421]],
  ['ours in capitals', health(`Host: LOCALHOST:${port}\r\n`), [200]],
  ['an address of others in the request line', get('GET http://evil.example/api/v1/me'), [401]],
]
const lines: Case[] = [
  ['a method that nobody knows', get('FOO /healthz'), []],
  ['a method in small letters', get('get /healthz'), []],
  ['CONNECT', get('CONNECT evil.example:443'), [401]],
  ['TRACE', get('TRACE /healthz'), [401]],
  ['an asterisk', get('OPTIONS *'), [400]],
  ['HTTP/0.9', 'GET /healthz\r\n\r\n', [505]],
  ['HTTP/2.0', 'GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n', [505]],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex'), [400]],
  ['noise', Buffer.from(Array.from({ length: 500 }, (_, i) => (i * 7) % 256)), [400]],
  ['a blank in the path', get('GET /health z'), [505]],
  ['a control character in the path', get('GET /health\x01z'), [505]],
  ['a path of 20 KB', get(`GET /${'a'.repeat(20_000)}`), [431]],
  ['dots up out of a public path', get('GET /api/v1/registration/../me'), [401]],
  ['the same in percent signs', get('GET /api/v1/registration/%2e%2e/me'), [401]],
  ['two slashes', get('GET //api/v1/me'), [401]],
  ['backslashes', get('GET \\api\\v1\\me'), [400]],
  ['byte by byte', [...health(HOST)], [200]],
]
const tables: [string, Case[]][] = [
  ['lengths and chunks', lengths],
  ['headers', headers],
  ['hosts', hosts],
  ['request lines', lines],
]
for (const [what, cases] of tables)
  describe(what, () => {
    test.each(cases)('%s', async (_name, bytes, statuses) => {
      const answer = await raw(port, bytes, {
        quietMs: 400,
        firstMs: statuses.length > 0 ? 20_000 : 400,
        answers: statuses.length,
        gapMs: 2,
      })
      expect(answer.statuses).toEqual(statuses)
      expect(answer.text).not.toMatch(/TypeError|at <anonymous>|node_modules|\/src\//)
    })
  })

test('requests in a row on one connection: each its own answer, in order', async () => {
  const { statuses } = await raw(port, [health(HOST), get('GET /api/v1/me'), health(HOST)], {
    gapMs: 200,
    quietMs: 2_000,
  })
  expect(statuses).toEqual([200, 401, 200])
})

test('a body that looks like a request is a body, read or not', async () => {
  const hidden = get('GET /readyz').padEnd(60, ' ')
  for (const path of ['/api/v1/properties', '/api/v1/sandbox/token']) {
    const outer = `POST ${path} HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: ${hidden.length}\r\n\r\n`
    const { statuses, text } = await raw(port, [outer, hidden], { gapMs: 100, quietMs: 400 })
    expect(statuses.length).toBeLessThan(2)
    expect(text).not.toContain('"status":"ready"')
  }
})

test('connections that trickle or say nothing are closed, and hold up nobody meanwhile', async () => {
  const slow: [string, Promise<{ ms: number; closed: boolean }>][] = [
    ['nothing at all', raw(port, '', { quietMs: 60_000 })],
    ['a header begun', raw(port, 'GET /healthz HTTP/1.1\r\nHost: lo', { quietMs: 60_000 })],
    ['a body begun', raw(port, length('100', '{"role"'), { quietMs: 60_000 })],
    ...Array.from(
      { length: 200 },
      (_, i) =>
        [`one of many, ${i}`, raw(port, `GET /healthz HTTP/1.1\r\nX-${i}: `, { quietMs: 60_000 })] as [
          string,
          Promise<{ ms: number; closed: boolean }>,
        ],
    ),
  ]
  for (let i = 0; i < 20; i++) expect((await fetch(`${server.base}/healthz`)).status).toBe(200)
  for (const [name, answer] of slow) {
    const { closed } = await answer
    expect([name, closed]).toEqual([name, true])
  }
}, 120_000)

test('all this again and again: it serves as before, in the memory it had', async () => {
  const rss = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
  const round = () => Promise.all([...lengths, ...headers].map(([, bytes]) => raw(port, bytes, { quietMs: 100 })))
  await round()
  const before = rss()
  for (let n = 0; n < 3; n++) await round()
  expect(rss() - before).toBeLessThan(60)
  expect((await server.call(await server.token(), 'GET /api/v1/me')).status).toBe(200)
})
