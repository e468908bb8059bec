// Behind a real proxy that speaks HTTPS: whose request it is, what the world is told, and files both ways.
import { afterAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { ask, HOST, isInstalled, PROXIES, startProxy } from '../support/proxy.ts'
import { freePort, launch, startServer } from '../support/server.ts'

afterAll(cleaner())
const env = { PUBLIC_URL: `https://${HOST}`, TRUSTED_PROXIES: '127.0.0.1', RATE_LIMITS: 'on' }
const ADMIN = ['--phone', '+237699111222', '--role', 'ADMIN', '--first-name', 'Awa', '--last-name', 'Ngo']
const json = { 'content-type': 'application/json' }

for (const proxy of PROXIES) {
  if (!isInstalled(proxy)) {
    test.skip(`behind ${proxy.name}, which is not installed here`, () => {})
    continue
  }
  describe(`behind ${proxy.name}`, async () => {
    const [port, files] = [await freePort(), await freePort()]
    const data = temporaryFolder('real')
    // Before there is an administrator, nothing but the setup is answered.
    await launch({ data, command: 'user create', args: ADMIN }).end()
    const real = await startServer({
      ...{ data, command: 'serve' },
      env: {
        ...env,
        LOYER_MODE: 'production',
        ALLOWED_PHONE_PREFIXES: '+237,+241',
        OIDC_REDIRECT_URIS: `https://${HOST}/callback`,
      },
    })
    const sandbox = await startServer({ data: temporaryFolder('sandbox'), env: { ...env, RATE_LIMITS: 'off' } })
    const stop = await startProxy(proxy, [
      { port, upstream: real.port },
      { port: files, upstream: sandbox.port },
    ])
    afterAll(async () => {
      stop()
      await Promise.all([real.end('SIGTERM'), sandbox.end('SIGTERM')])
    })

    test('the issuer and its pages are those of PUBLIC_URL, cookies are for HTTPS only, and browsers are told to stay', async () => {
      const discovery = await ask(port, 'GET', '/realms/svc/.well-known/openid-configuration')
      const told = JSON.parse(discovery.text) as Record<string, unknown>
      expect(told.issuer).toBe(`https://${HOST}/realms/svc`)
      for (const [name, value] of Object.entries(told))
        if (name.endsWith('_endpoint') || name === 'jwks_uri')
          expect(String(value)).toStartWith(`https://${HOST}/realms/svc/`)
      expect(discovery.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
      const query = new URLSearchParams({
        ...{
          client_id: 'svc-mobile',
          response_type: 'code',
          scope: 'openid',
          redirect_uri: `https://${HOST}/callback`,
        },
        ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256', state: 's' },
      })
      const asked = await ask(port, 'GET', `/realms/svc/protocol/openid-connect/auth?${query}`)
      const cookies = asked.headers['set-cookie'] ?? []
      expect([asked.status < 400, cookies.length > 0, asked.headers.location ?? '/']).toEqual([
        true,
        true,
        expect.stringMatching(/^(\/|https:\/\/rent\.example\.cm\/)/),
      ])
      for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/; ?secure/)
      const outside = await fetch(`${real.base}/realms/svc/.well-known/openid-configuration`, {
        headers: { host: 'evil.example' },
      })
      expect(outside.status).toBe(421)
    })

    test('each client has a budget of its own, and what it says of others gains nothing', async () => {
      let n = 0
      const signUp = (from: string) => {
        n += 1
        return ask(port, 'POST', '/api/v1/registration/nothing', {
          from,
          headers: {
            ...json,
            'x-forwarded-for': `10.${n}.0.1`,
            'x-real-ip': `10.0.${n}.1`,
            forwarded: `for=10.0.0.${n}`,
          },
          body: '{}',
        }).then(({ status }) => status)
      }
      for (let i = 0; i < 10; i++) expect(await signUp('127.0.0.2')).toBe(404)
      expect(await signUp('127.0.0.2')).toBe(429)
      expect(await signUp('127.0.0.3')).toBe(404)
      // Past the proxy, from an address that is none: nothing that it says is believed.
      for (let i = 0; i < 12; i++) {
        const status = await new Promise<number | undefined>((resolve, reject) => {
          request(
            {
              ...{ host: '127.0.0.1', port: real.port, method: 'POST', path: '/api/v1/registration/nothing' },
              ...{ localAddress: '127.0.0.4', headers: { ...json, 'x-forwarded-for': `10.7.0.${i}` }, agent: false },
            },
            (answer) => {
              answer.resume()
              resolve(answer.statusCode)
            },
          )
            .on('error', reject)
            .end('{}')
        })
        expect(status).toBe(i < 10 ? 404 : 429)
      }
    })

    test('tokens that are guessed are counted by the address in front of the proxy', async () => {
      const guess = (from: string) =>
        ask(port, 'GET', '/api/v1/me', { from, headers: { authorization: 'Bearer nobody' } }).then(
          ({ status }) => status,
        )
      const seen = new Set(await Promise.all(Array.from({ length: 90 }, () => guess('127.0.0.5'))))
      expect([...seen].sort()).toEqual([401, 429])
      expect(await guess('127.0.0.6')).toBe(401)
    })

    test('codes go where they may be sent', async () => {
      const otp = (phoneNumber: string, from: string) =>
        ask(port, 'POST', '/api/v1/registration/otp', { from, headers: json, body: JSON.stringify({ phoneNumber }) })
      // No vendor is connected here, so that those who may have a code are told so.
      expect((await otp('+237677000077', '127.0.0.7')).status).toBe(503)
      expect((await otp('+24106000077', '127.0.0.7')).status).toBe(503)
      const abroad = await otp('+33612345678', '127.0.0.7')
      expect([abroad.status, JSON.parse(abroad.text).code]).toEqual([422, 'phone_prefix_not_allowed'])
    })

    test('the numbers of /metrics are the machine’s own, also where the proxy comes from loopback', async () => {
      expect((await ask(port, 'GET', '/metrics')).status).toBe(401)
      expect((await fetch(`${real.base}/metrics`)).status).toBe(200)
    })

    test('18 MB go up and come down again', async () => {
      const token = await sandbox.token()
      const { body: me } = await sandbox.call(token, 'GET /api/v1/me')
      const bytes = Buffer.alloc(18 * 1024 * 1024, '%PDF-1.7 loyer ')
      bytes.write('%%EOF', bytes.length - 5)
      const made = await sandbox.call(token, 'POST /api/v1/media', {
        ...{ ownerType: 'USER', ownerId: me.id, kind: 'DOCUMENT', filename: 'a.pdf' },
        ...{ contentType: 'application/pdf', sizeBytes: bytes.length },
      })
      const to = (url: string): string => url.replace(`https://${HOST}`, '')
      const upload = (made.body.upload as { url: string }).url
      expect(upload).toStartWith(`https://${HOST}/media-uploads/`)
      const sent = await ask(files, 'PUT', to(upload), { headers: { 'content-type': 'application/pdf' }, body: bytes })
      expect(sent.status).toBe(204)
      expect((await sandbox.call(token, `POST /api/v1/media/${made.body.id}/complete`, {})).status).toBe(200)
      const { body } = await sandbox.call(token, `GET /api/v1/media/${made.body.id}/download-url`)
      const got = await ask(files, 'GET', to(String(body.url)))
      expect([got.status, got.headers['content-length'], got.text.length]).toEqual([
        200,
        String(bytes.length),
        bytes.length,
      ])
      expect(Buffer.from(got.text, 'latin1').equals(bytes)).toBe(true)
    })
  })
}

const handbook = ['en', 'fr'].flatMap((language) =>
  globSync(`src/web/handbook/${language}/*.md`).map((file) => [file, readFileSync(file, 'utf8')] as const),
)
test('what the handbook says for a proxy stands in blocks to copy, never in the middle of a sentence', () => {
  for (const [file, text] of handbook)
    expect([file, [...text.matchAll(/`[^`\n]*(?:reverse_proxy|proxy_pass)[^`\n]*\{[^`\n]*`/g)].map(String)]).toEqual([
      file,
      [],
    ])
})

test.skipIf(Bun.which('caddy') === null)('every Caddyfile of the handbook is one (not here: no Caddy)', () => {
  const found = handbook.flatMap(([file, text]) =>
    [...text.matchAll(/^ *```\n( *[a-z]+\.example\.cm \{\n[^`]*)```$/gm)].map(([, block = '']) => ({ file, block })),
  )
  expect(found.length).toBeGreaterThanOrEqual(2)
  // The README's is made by a line of its shell, which needs no right to port 443 and goes on after the session.
  const [, line = ''] =
    /^(printf .+) \| sudo tee -a \/etc\/caddy\/Caddyfile$/m.exec(readFileSync('README.md', 'utf8')) ?? []
  const made = spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout
  expect(made).toContain('reverse_proxy 127.0.0.1:3000\n')
  // Another site that the proxy serves already stays.
  found.push({ file: 'README.md', block: `:80 {\n\trespond old\n}\n${made}` })
  const path = join(temporaryFolder('caddyfile'), 'Caddyfile')
  for (const { file, block } of found) {
    writeFileSync(path, block)
    const { status, stderr, stdout } = spawnSync('caddy', ['adapt', '--config', path, '--adapter', 'caddyfile'], {
      encoding: 'utf8',
    })
    expect([file, status, status === 0 ? '' : stderr]).toEqual([file, 0, ''])
    if (file === 'README.md')
      expect([stdout.includes('127.0.0.1:3000'), stdout.includes('"old"')]).toEqual([true, true])
  }
})
