// Calls to addresses that users choose: what they answer, what fails, and what is never called.
import { afterAll, expect, test } from 'bun:test'
import http from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createOutbound } from '../../src/adapters/outbound/outbound.ts'
import { isPublicAddress } from '../../src/core/addresses.ts'

let called = 0
/** Bytes of an answer without end. */
let written = 0
const web = http.createServer((request, response) => {
  called += 1
  if (request.url === '/hang') return
  if (request.url === '/endless') {
    response.writeHead(200)
    const more = setInterval(() => {
      written += 65_536
      response.write('x'.repeat(65_536))
    }, 1)
    response.on('close', () => clearInterval(more))
    return
  }
  response.writeHead(Number(request.url?.slice(1)), { location: '/200' })
  response.end('answer')
})
/** What a receiver does with its socket, once the request has come. */
const RUDE: Readonly<Record<string, (socket: Socket) => void>> = {
  closes: (socket) => socket.destroy(),
  closesInHead: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
  closesInBody: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\nhalf'),
  // A byte now and then: never silent for long, never done.
  dripsHead: (socket) => {
    let at = 0
    const drip = setInterval(() => socket.write('HTTP/1.1 200 OK\r\nx-very-long: '.charAt(at++) || 'a'), 20)
    socket.on('close', () => clearInterval(drip))
  },
  neverEndsHead: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const more = setInterval(() => socket.write(`x-more: ${'y'.repeat(8000)}\r\n`), 1)
    socket.on('close', () => clearInterval(more))
  },
  onlyHints: (socket) => {
    const more = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20)
    socket.on('close', () => clearInterval(more))
  },
  talksSmtp: (socket) => socket.end('220 mail.example.cm ESMTP\r\n'),
}
const rude = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', (head) => RUDE[/^POST \/(\w+)/.exec(String(head))?.[1] ?? 'closes']?.(socket))
})
const listen = (server: typeof web | typeof rude): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
const port = await listen(web)
const broken = await listen(rude)
afterAll(() => {
  web.closeAllConnections()
  web.close()
  rude.close()
})

/** A resolver that says what it is told. */
const resolving = (...addresses: string[]) =>
  ((_name: string, _options: object, done: (e: null, found: object[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never
const open = createOutbound({ reach: 'ANY', timeoutMs: 400, lookup: resolving('127.0.0.1') })
const outcome = (url: string) => open.post(url, { 'content-type': 'application/json' }, '{}')

test.each([
  [`http://127.0.0.1:${port}/200`, { status: 200 }],
  [`http://name.example.cm:${port}/204`, { status: 204 }],
  [`http://127.0.0.1:${port}/302`, { status: 302 }],
  [`http://127.0.0.1:${port}/500`, { status: 500 }],
  [`http://127.0.0.1:${port}/endless`, { status: 200 }],
  [`http://127.0.0.1:${port}/hang`, { failure: 'TIMEOUT' }],
  [`http://127.0.0.1:${broken}/closes`, { failure: 'CONNECTION' }],
  [`http://127.0.0.1:${broken}/closesInHead`, { failure: 'CONNECTION' }],
  [`http://127.0.0.1:${broken}/closesInBody`, { status: 200 }],
  [`http://127.0.0.1:${broken}/dripsHead`, { failure: 'TIMEOUT' }],
  [`http://127.0.0.1:${broken}/onlyHints`, { failure: 'TIMEOUT' }],
  [`http://127.0.0.1:${broken}/talksSmtp`, { failure: 'CONNECTION' }],
  ['http://127.0.0.1:1/200', { failure: 'CONNECTION' }],
  [`https://127.0.0.1:${port}/200`, { failure: 'TLS' }],
] as const)('%s: %p', async (url, expected) => {
  expect(await outcome(url)).toEqual(expected)
})

test('a head without end is cut off', async () => {
  expect(Object.keys(await outcome(`http://127.0.0.1:${broken}/neverEndsHead`))).toEqual(['failure'])
})

test('of an answer of 100 MB next to nothing is taken, and a redirect is not followed', async () => {
  written = 0
  expect(await outcome(`http://127.0.0.1:${port}/endless`)).toEqual({ status: 200 })
  const taken = written
  expect(taken).toBeLessThan(20_000_000)
  const before = called
  for (const status of [301, 302, 303, 307, 308])
    expect(await outcome(`http://127.0.0.1:${port}/${status}`)).toEqual({ status })
  expect(called).toBe(before + 5)
  // Its connection is closed: nothing more is written meanwhile.
  expect(written).toBeLessThan(taken + 20_000_000)
})

test('a name that nobody knows', async () => {
  const system = createOutbound({ reach: 'PUBLIC' })
  expect(await system.post('http://nowhere.invalid/', {}, '{}')).toEqual({ failure: 'DNS' })
})

test.each([
  ['an address as it is', `http://127.0.0.1:${port}/200`, []],
  ['in hexadecimal', `http://0x7f000001:${port}/200`, []],
  ['as one number', `http://2130706433:${port}/200`, []],
  ['in octal', `http://0177.0.0.1:${port}/200`, []],
  ['in short', `http://127.1:${port}/200`, []],
  ['the address of all', `http://0.0.0.0:${port}/200`, []],
  ['its short form', `http://0:${port}/200`, []],
  ['in IPv6', `http://[::1]:${port}/200`, []],
  ['IPv4 in IPv6, in hexadecimal', `http://[::ffff:7f00:1]:${port}/200`, []],
  ['a name that leads to IPv4 in IPv6', `http://mapped.example.cm:${port}/200`, ['::ffff:127.0.0.1']],
  ["the operator's own name", `http://localhost:${port}/200`, ['127.0.0.1']],
  ['IPv4 in IPv6', `http://[::ffff:127.0.0.1]:${port}/200`, []],
  ['a name that leads inside', `http://inside.example.cm:${port}/200`, ['127.0.0.1']],
  ['a name that leads outside and inside', `http://both.example.cm:${port}/200`, ['8.8.8.8', '127.0.0.1']],
] as const)('a closed address is never called: %s', async (_name, url, found) => {
  const before = called
  const closed = createOutbound({ reach: 'PUBLIC', timeoutMs: 400, lookup: resolving(...found) })
  expect(await closed.post(url, {}, '{}')).toEqual({ failure: 'PRIVATE_ADDRESS' })
  expect(called).toBe(before)
})

test.each([
  [`http://127.0.0.1:${port}/200`, [], { status: 200 }],
  [`http://localhost:${port}/200`, ['127.0.0.1'], { status: 200 }],
  [`http://localhost:${port}/200`, ['10.0.0.1'], { failure: 'PRIVATE_ADDRESS' }],
  [`http://inside.example.cm:${port}/200`, ['127.0.0.1'], { failure: 'PRIVATE_ADDRESS' }],
  [`http://0.0.0.0:${port}/200`, [], { failure: 'PRIVATE_ADDRESS' }],
  [`http://[::ffff:127.0.0.1]:${port}/200`, [], { failure: 'PRIVATE_ADDRESS' }],
] as const)('this machine by its own names alone: %s, resolved to %p', async (url, found, expected) => {
  const loopback = createOutbound({ reach: 'LOOPBACK', timeoutMs: 400, lookup: resolving(...found) })
  expect(await loopback.post(url, {}, '{}')).toEqual(expected)
  expect(await loopback.leadsInside(url)).toBe('failure' in expected)
})

test.each([
  ['https://8.8.8.8/', [], false],
  ['https://[::ffff:0:a00:1]/', [], true],
  ['https://outside.example.cm/', ['8.8.8.8', '2606:4700::1111'], false],
  ['https://both.example.cm/', ['8.8.8.8', '192.168.0.1'], true],
  ['https://translated.example.cm/', ['::ffff:0:10.0.0.1'], true],
  ['https://nowhere.example.cm/', [], false],
] as const)('where %s leads is known before it is ever called', async (url, found, inside) => {
  const before = called
  const looked = createOutbound({ reach: 'PUBLIC', lookup: resolving(...found) })
  expect(await looked.leadsInside(url)).toBe(inside)
  expect(called).toBe(before)
})

test('which addresses are open', () => {
  const are = (open: boolean) => (address: string) => isPublicAddress(address) === open
  expect('8.8.8.8 1.1.1.1 172.32.0.1 100.128.0.1 2606:4700::1111 2a00:1450::1'.split(' ').filter(are(false))).toEqual(
    [],
  )
  expect(
    [
      ...'0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1'.split(
        ' ',
      ),
      ...'224.0.0.1 255.255.255.255 :: ::1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 64:ff9b::808:808 2002:808:808:: 2001:db8::1 fc00::1'.split(
        ' ',
      ),
      ...'fe80::1 fec0::1 ff02::1 localhost'.split(' '),
      '',
    ].filter(are(true)),
  ).toEqual([])
})
