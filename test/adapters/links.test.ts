// Signed links: whatever is changed of one, it is refused by its text alone.
import { expect, test } from 'bun:test'
import { createLinks } from '../../src/adapters/blobs/links.ts'
import { uuid } from '../support/app.ts'

const HOST = 'https://rent.example.cm'
const time = { now: Date.parse('2026-03-10T08:00:00.000Z') }
const links = createLinks(new Uint8Array(32), HOST, () => time.now)
const id = uuid('media')
const good = links.sign('GET', '/media-files', id, 300, { size: '320' }).url
const kindOf = (url: string, method = 'GET') => links.check(method, url).kind

test('a link holds until it expires, and tells its parameters', () => {
  expect(links.check('GET', good)).toMatchObject({ kind: 'good', parameters: { size: '320', v: '1' } })
  expect(kindOf(good, 'HEAD')).toBe('good')
  time.now += 299_999
  expect(kindOf(good)).toBe('good')
  time.now += 1
  expect(kindOf(good)).toBe('expired')
  time.now -= 300_000
})

test('every bit of path and query of 50 links, flipped, breaks it', () => {
  const sizes = [{}, { size: '320' }, { size: '800' }]
  const fifty = Array.from({ length: 50 }, (_, i) =>
    i % 4 === 3
      ? (['PUT', links.sign('PUT', '/media-uploads', uuid(`media ${i}`), 900).url] as const)
      : (['GET', links.sign('GET', '/media-files', uuid(`media ${i}`), 60 + i, sizes[i % 3]).url] as const),
  )
  let tried = 0
  const taken: string[] = []
  for (const [method, link] of fifty) {
    const tail = Buffer.from(link.slice(HOST.length + 1))
    for (let at = 0; at < tail.length; at++)
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(tail)
        changed[at] = (changed[at] ?? 0) ^ (1 << bit)
        const url = `${HOST}/${changed.toString('latin1')}`
        if (kindOf(url, method) !== 'bad') taken.push(url)
        tried += 1
      }
    expect(kindOf(link, method)).toBe('good')
  }
  expect(taken).toEqual([])
  expect(tried).toBeGreaterThan(50_000)
})

const query = good.slice(good.indexOf('?') + 1)
const [unsigned = '', sig = ''] = query.split('&sig=')
const at = good.slice(0, good.indexOf('?'))
const exp = Number(/exp=(\d+)/.exec(query)?.[1])
test.each([
  ['another id', good.replace(id, uuid('other'))],
  ['the other route', good.replace('/media-files/', '/media-uploads/')],
  ['a later end', good.replace(`exp=${exp}`, `exp=${exp + 1}`)],
  ['another size', good.replace('size=320', 'size=800')],
  ['no size', good.replace('&size=320', '')],
  ['another key id', good.replace(/kid=(\d+)/, (_, n) => `kid=${Number(n) - 1}`)],
  ['another version', good.replace('v=1', 'v=2')],
  ['a parameter twice', `${at}?${unsigned}&size=320&sig=${sig}`],
  ['a parameter twice at the end', `${good}&exp=${exp + 9}`],
  ['the signature twice', `${good}&sig=${sig}`],
  ['another order', `${at}?sig=${sig}&${unsigned}`],
  ['a parameter more', `${at}?${unsigned}&x=1&sig=${sig}`],
  ['no signature', `${at}?${unsigned}`],
  ['an empty one', `${at}?${unsigned}&sig=`],
  ['a padded one', `${good}=`],
  ['percent signs', good.replace('size', '%73ize')],
  ['no query', at],
])('%s is refused', (_what, url) => expect(kindOf(url)).toBe('bad'))

test('methods are not exchanged', () => {
  for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) expect(kindOf(good, method)).toBe('bad')
  const upload = links.sign('PUT', '/media-uploads', id, 900).url
  expect(kindOf(upload, 'PUT')).toBe('good')
  expect(kindOf(upload, 'GET')).toBe('bad')
})

test('another key signs another link', () => {
  const others = createLinks(new Uint8Array(32).fill(1), HOST, () => time.now)
  expect(kindOf(others.sign('GET', '/media-files', id, 300).url)).toBe('bad')
})

test('a key lives on for one change, and no longer', () => {
  const long = links.sign('GET', '/media-files', id, 90 * 86_400).url
  const begun = time.now
  time.now += 30 * 86_400_000
  expect(kindOf(long)).toBe('good')
  time.now += 30 * 86_400_000
  expect(kindOf(long)).toBe('bad')
  time.now = begun
})
