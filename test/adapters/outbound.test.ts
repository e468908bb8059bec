// Calls to addresses that users choose: what they answer, what fails, and what is never called.
import { afterAll, expect, test } from 'bun:test'
import http from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { createOutbound } from '../../src/adapters/outbound/outbound.ts'
import { isPublicAddress } from '../../src/core/addresses.ts'

let called = 0
const web = http.createServer((request, response) => {
  called += 1
  if (request.url === '/hang') return
  if (request.url === '/endless') {
    response.writeHead(200)
    const more = setInterval(() => response.write('x'.repeat(65_536)), 1)
    response.on('close', () => clearInterval(more))
    return
  }
  response.writeHead(Number(request.url?.slice(1)), { location: '/200' })
  response.end('answer')
})
const rude = createServer((socket) => {
  socket.on('error', () => {})
  socket.on('data', () => socket.destroy())
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
const open = createOutbound({ allowPrivate: true, timeoutMs: 400, lookup: resolving('127.0.0.1') })
const outcome = (url: string) => open.post(url, { 'content-type': 'application/json' }, '{}')

test.each([
  [`http://127.0.0.1:${port}/200`, { status: 200 }],
  [`http://name.example.cm:${port}/204`, { status: 204 }],
  [`http://127.0.0.1:${port}/302`, { status: 302 }],
  [`http://127.0.0.1:${port}/500`, { status: 500 }],
  [`http://127.0.0.1:${port}/endless`, { status: 200 }],
  [`http://127.0.0.1:${port}/hang`, { failure: 'TIMEOUT' }],
  [`http://127.0.0.1:${broken}/200`, { failure: 'CONNECTION' }],
  ['http://127.0.0.1:1/200', { failure: 'CONNECTION' }],
  [`https://127.0.0.1:${port}/200`, { failure: 'TLS' }],
] as const)('%s: %p', async (url, expected) => {
  expect(await outcome(url)).toEqual(expected)
})

test('a name that nobody knows', async () => {
  const system = createOutbound({ allowPrivate: false })
  expect(await system.post('http://nowhere.invalid/', {}, '{}')).toEqual({ failure: 'DNS' })
})

test.each([
  ['an address as it is', `http://127.0.0.1:${port}/200`, []],
  ['in hexadecimal', `http://0x7f000001:${port}/200`, []],
  ['IPv4 in IPv6', `http://[::ffff:127.0.0.1]:${port}/200`, []],
  ['a name that leads inside', `http://inside.example.cm:${port}/200`, ['127.0.0.1']],
  ['a name that leads outside and inside', `http://both.example.cm:${port}/200`, ['8.8.8.8', '127.0.0.1']],
] as const)('a closed address is never called: %s', async (_name, url, found) => {
  const before = called
  const closed = createOutbound({ allowPrivate: false, timeoutMs: 400, lookup: resolving(...found) })
  expect(await closed.post(url, {}, '{}')).toEqual({ failure: 'PRIVATE_ADDRESS' })
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
      ...'224.0.0.1 255.255.255.255 :: ::1 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808:: 2001:db8::1 fc00::1'.split(
        ' ',
      ),
      ...'fe80::1 fec0::1 ff02::1 localhost'.split(' '),
      '',
    ].filter(are(true)),
  ).toEqual([])
})
