// What a browser gets at the addresses of pages: the shells where they are built, a page of its language where nothing is.
import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createApp } from '../../../../src/app.ts'
import { assets } from '../../../../src/web/assets.gen.ts'
import { createTestApp } from '../../../support/app.ts'

const t = createTestApp({ config: { publicUrl: 'https://rent.example.cm' } })
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', host: 'rent.example.cm' }
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  t.app.handle(new Request(`http://rent.example.cm${path}`, { method, headers: { ...BROWSER, ...headers } }))
const isBuilt = 'ui/console/index.html' in assets

test('the product’s own address leads to the console, never to a reference page', async () => {
  const answer = await ask('/')
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/console'])
})

test.each([
  ['/nowhere', 'fr', 404, 'Page introuvable'],
  ['/nowhere', 'en', 404, 'Page not found'],
  ['/nowhere?lang=en', 'fr', 404, 'Page not found'],
  ['/console.txt', 'fr', 404, 'Page introuvable'],
  ['/console/a.js', 'fr', 404, 'Page introuvable'],
  ['/ui/assets/gone.js', 'en', 404, 'Page not found'],
])('a browser at %s in %s gets %d and the page "%s"', async (path, language, status, title) => {
  const answer = await ask(path, { 'accept-language': language })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
  expect(answer.headers.has('www-authenticate')).toBe(false)
  expect(await answer.text()).toContain(title)
})

test.each(['/a/', '/i/', '/r/', '/s/', '/u/', '/verify/'])(
  '%s answers a long text of signs beyond the first plane',
  async (page) => {
    for (const before of [60, 61, 62, 63, 64]) {
      const answer = await ask(page + encodeURIComponent('a'.repeat(before) + '😀'.repeat(9)))
      expect([before, answer.status]).toEqual([before, 404])
      expect(await answer.text()).not.toContain('momentan')
    }
  },
)

test.each([
  ['an API address in a browser', '/api/v1/nowhere', BROWSER.accept, 'GET', 401],
  ['a program at an unknown address', '/nowhere', '*/*', 'GET', 401],
  ['a form sent to an unknown address', '/nowhere', BROWSER.accept, 'POST', 401],
])('%s is answered as before', async (_what, path, accept, method, status) => {
  const answer = await ask(path, { accept }, method)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    status,
    'application/problem+json; charset=utf-8',
  ])
})

test.skipIf(!isBuilt)('a shell says where messages do not leave by themselves, and only there', async () => {
  const mute = createTestApp({ config: { publicUrl: 'https://rent.example.cm' } })
  Object.assign(mute.deps.messenger, { mute: true })
  const shell = await createApp(mute.deps).handle(new Request('http://rent.example.cm/console', { headers: BROWSER }))
  expect(await shell.text()).toContain('<meta data-mute name="issuer"')
  expect(await (await ask('/console')).text()).not.toContain('data-mute')
})

// The tests' provider is elsewhere, and so has to be named in the policy.
test.skipIf(!isBuilt)('a shell is the same page at all of its addresses, under the strict policy', async () => {
  const [first, deep] = await Promise.all([ask('/console'), ask('/console/invoices/x')])
  const text = await first.text()
  expect([first.status, deep.status, await deep.text()]).toEqual([200, 200, text])
  expect(text).toContain('<meta name="issuer" content="https://id.example.cm/realms/svc" data-provider="other">')
  // one script stands in the page itself, and the policy names it by its hash
  const inside = [...text.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
  expect(inside).toHaveLength(1)
  const hash = createHash('sha256').update(inside.join()).digest('base64')
  expect(text).not.toMatch(/<style| style=| on\w+="/)
  const header = (name: string) => first.headers.get(name)
  expect(header('content-security-policy')).toBe(
    `default-src 'none'; script-src 'self' 'sha256-${hash}'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self' https://id.example.cm; manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types svelte-trusted-html loyer-worker`,
  )
  expect([header('cross-origin-opener-policy'), header('cache-control')]).toEqual(['same-origin', 'no-cache'])
  const again = await ask('/portal', { 'if-none-match': (await ask('/portal')).headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

test.skipIf(!isBuilt).each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
] as const)('a shell goes packed to who accepts %s, and is the same page', async (accepts, encoding, unpack) => {
  const packed = await ask('/portal', { 'accept-encoding': accepts })
  expect(packed.headers.get('content-encoding')).toBe(encoding)
  const bytes = new Uint8Array(await packed.arrayBuffer())
  expect(unpack(bytes).toString()).toBe(await (await ask('/portal')).text())
  expect(bytes.length).toBeLessThan(3000)
})

test.skipIf(!isBuilt)('another host is led to PUBLIC_URL, where sign-in comes back', async () => {
  const answer = await ask('/console/invoices?status=PAID', { host: 'localhost:3000' })
  expect([answer.status, answer.headers.get('location')]).toEqual([
    302,
    'https://rent.example.cm/console/invoices?status=PAID',
  ])
})

test.skipIf(!isBuilt)('files of the pages are kept for good, the worker may speak for the portal', async () => {
  const name = Object.keys(assets).find((path) => path.startsWith('ui/assets/first-') && path.endsWith('.js')) ?? ''
  expect((await ask(`/${name}`)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const worker = await ask('/portal/sw.js')
  expect([worker.status, worker.headers.get('service-worker-allowed')]).toEqual([200, '/portal'])
  expect(worker.headers.get('cache-control')).toBe('public, no-cache')
  expect(worker.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
  const manifest = await (await ask('/portal/manifest.webmanifest')).json()
  expect(manifest).toMatchObject({ start_url: '/portal', scope: '/portal', display: 'standalone' })
  const icons = (manifest.icons as { src: string; sizes: string; type: string }[]).filter(
    ({ type }) => type === 'image/png',
  )
  expect(icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512'])
  for (const { src, sizes } of [...icons, { src: '/ui/icon-180.png', sizes: '180x180' }]) {
    const bytes = Buffer.from(await (await ask(src)).arrayBuffer())
    // the size stands in a PNG's first chunk
    expect([src, `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`]).toEqual([src, sizes])
  }
})
