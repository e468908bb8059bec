import { expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { isKnown } from '../../src/http/etag.ts'
import { assets } from '../../src/web/assets.gen.ts'
import { docsPage } from '../../src/web/docs.ts'
import { assetPath, assetResponse } from '../../src/web/serve.ts'

const name = 'docs/init.js'
const hash = assets[name]?.hash ?? ''
const hashedName = assetPath(name).slice(1)
const source = await Bun.file(`${import.meta.dirname}/../../src/web/static/${name}`).text()
const ask = (path: string, headers: Record<string, string> = {}) =>
  assetResponse(path, new Request(`http://localhost/${path}`, { headers }), isKnown)

const encodings: [accept: string, encoding: string | null][] = [
  ['', null],
  ['identity', null],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000, gzip;q=0', null],
  ['br;q=0.1, gzip;q=0.9', 'br'],
  ['*', 'br'],
  ['*;q=0, gzip', 'gzip'],
  ['*;q=0', null],
  ['brotli', null],
]

test.each(encodings)('Accept-Encoding %p → %p', async (accept, encoding) => {
  const answer = ask(name, { 'accept-encoding': accept })
  expect(answer?.headers.get('content-encoding') ?? null).toBe(encoding)
  expect(answer?.headers.get('vary')).toBe('Accept-Encoding')
  const bytes = new Uint8Array((await answer?.arrayBuffer()) ?? [])
  expect(answer?.headers.get('content-length')).toBe(String(bytes.length))
  const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes
  expect(new TextDecoder().decode(plain)).toBe(source)
})

test('a hashed name is cached for good, a plain one asked for again', () => {
  expect(ask(hashedName)?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(ask(name)?.headers.get('cache-control')).toBe('public, no-cache')
  for (const path of [name, hashedName]) {
    expect(ask(path)?.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(ask(path)?.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

const conditions: [ifNoneMatch: string, status: number][] = [
  [`"${hash}-br"`, 304],
  [`W/"${hash}-br"`, 304],
  [`"other", "${hash}-br"`, 304],
  ['*', 304],
  [`"${hash}-gzip"`, 200],
  [`${hash}-br`, 200],
  ['"other"', 200],
]

test.each(conditions)('If-None-Match %p → %p', async (tag, status) => {
  const answer = ask(name, { 'accept-encoding': 'br', 'if-none-match': tag })
  expect(answer?.status).toBe(status)
  expect(answer?.headers.get('etag')).toBe(`"${hash}-br"`)
  if (status === 304) expect(await answer?.text()).toBe('')
})

test.each([
  '',
  'docs/',
  'docs/none.js',
  'constructor',
  '__proto__',
  '../package.json',
  'docs/../docs/init.js',
  hashedName.replace(hash, '0123456789abcdef'),
  hashedName.replace(hash, `${hash}.${hash}`),
])('%p is no asset', (path) => {
  expect(assetResponse(path, new Request('http://localhost/'), isKnown)).toBeUndefined()
})

test('every asset unpacks to its size under a type that a browser takes', () => {
  for (const [path, { br, size, type }] of Object.entries(assets)) {
    expect([path, brotliDecompressSync(Buffer.from(br, 'base64')).length]).toEqual([path, size])
    expect(type).toMatch(/^[a-z]+\/[a-z0-9.+-]+(; charset=utf-8)?$/)
  }
})

test('the reference page loads only what this server has, and no script or style within the page', async () => {
  const page = docsPage()
  const html = await page.text()
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect(policy).not.toContain('http')
  expect(html).toContain('<title>Loyer API</title>')
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/)
  const files = [...html.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path = '']) => path.slice(1))
  expect(files.length).toBe(4)
  for (const path of files) expect(ask(path)?.headers.get('cache-control')).toContain('immutable')
  expect(html.replaceAll(/(?:src|href)="\/[^"]*"/g, '')).not.toContain('//')
})
