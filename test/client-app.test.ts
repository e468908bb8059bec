// Signing in, renewing and uploading with the client; its package, and the example of an app, against a server that listens.
import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, ok } from '../src/client/client.ts'
import { createSession, SignedOut } from '../src/client/sign-in.ts'
import { upload } from '../src/client/upload.ts'
import { DEMO_PASSWORD, DEMO_USERS } from '../src/features/system/demo/rules.ts'
import { jpegOf } from './support/files.ts'
import { cleaner, temporaryFolder } from './support/folder.ts'
import { Browser, type Realm } from './support/oidc.ts'
import { startServer } from './support/server.ts'

afterAll(cleaner())
const folder = temporaryFolder('client-app')
const CALLBACK = 'com.example.app:/callback'
const server = await startServer({ data: join(folder, 'data'), env: { OIDC_REDIRECT_URIS: CALLBACK } })
afterAll(() => server.end('SIGTERM'))
const realm: Realm = {
  issuer: `http://localhost:${server.port}/realms/svc`,
  fetch: (request) => fetch(request, { redirect: 'manual' }),
}
const baseUrl = `http://localhost:${server.port}`
const [owner] = DEMO_USERS

/** What the person does in the browser that the app opened. */
async function signInAt(address: string): Promise<string> {
  const browser = new Browser(realm)
  const page = await browser.visit(address)
  const done = await browser.submit(page, { username: owner.phone, password: DEMO_PASSWORD })
  if (!done.left) throw new Error(`not signed in: ${done.response.status} ${done.text.slice(0, 1000)}`)
  return done.url
}

function phone() {
  let kept: string | undefined
  /** Requests to the provider, and a fault to meet the next one. */
  const asked: string[] = []
  const vault = {
    get: () => kept,
    set: (value: string | undefined) => {
      kept = value
    },
  }
  const send = async (request: Request): Promise<Response> => {
    asked.push(new URL(request.url).pathname.split('/').at(-1) ?? '')
    return fetch(request)
  }
  const session = createSession({ baseUrl, redirectUri: CALLBACK, vault, fetch: send })
  /** The access token has one second left. */
  const age = (): void => {
    const state = JSON.parse(kept ?? '{}')
    kept = JSON.stringify({ ...state, tokens: { ...state.tokens, until: Date.now() + 1000 } })
  }
  return { session, asked, age, kept: () => kept, vault }
}

const renewalBy = (refresh: string) => {
  const form = { client_id: 'svc-mobile', grant_type: 'refresh_token', refresh_token: refresh }
  return fetch(`${realm.issuer}/protocol/openid-connect/token`, { method: 'POST', body: new URLSearchParams(form) })
}

test('a person signs in through the browser; many requests renew one token once; nobody is left after signing out', async () => {
  const { session, asked, age, kept } = phone()
  await session.finish(await signInAt(await session.begin()))
  const client = createClient({ baseUrl, token: session.token })
  expect(ok(await client.GET('/api/v1/me')).firstName).toBe(owner.firstName)
  expect(asked).toEqual(['token'])
  const first = kept()
  age()
  const all = await Promise.all(Array.from({ length: 10 }, () => client.GET('/api/v1/me')))
  expect(all.map(({ response }) => response.status)).toEqual(Array(10).fill(200))
  expect(asked).toEqual(['token', 'token'])
  expect(kept()).not.toBe(first)
  const refresh = JSON.parse(kept() ?? '{}').tokens.refresh
  await session.signOut()
  expect([kept(), asked.at(-1)]).toEqual([undefined, 'revoke'])
  await expect(session.token()).rejects.toBeInstanceOf(SignedOut)
  // the server knows it no more either
  const again = await renewalBy(refresh)
  expect(again.status).toBe(400)
})

test('an answer to another sign-in, or to none, opens nothing', async () => {
  const { session, asked, kept } = phone()
  await expect(session.finish(`${CALLBACK}?code=stolen&state=mine`)).rejects.toBeInstanceOf(SignedOut)
  await session.begin()
  await expect(session.finish(`${CALLBACK}?code=stolen&state=mine`)).rejects.toBeInstanceOf(SignedOut)
  const { state } = JSON.parse(kept() ?? '{}').attempt
  await expect(session.finish(`${CALLBACK}?error=access_denied&state=${state}`)).rejects.toBeInstanceOf(SignedOut)
  expect(asked).toEqual([])
  await expect(session.finish(`${CALLBACK}?code=made-up&state=${state}`)).rejects.toBeInstanceOf(SignedOut)
  expect(kept()).toBeUndefined()
})

test('without network a session stays; a session that the server ended is gone', async () => {
  const { session, age, kept, vault } = phone()
  await session.finish(await signInAt(await session.begin()))
  age()
  const away = createSession({
    baseUrl,
    redirectUri: CALLBACK,
    vault,
    fetch: () => Promise.reject(new TypeError('no network')),
  })
  await expect(away.token()).rejects.toBeInstanceOf(TypeError)
  expect(JSON.parse(kept() ?? '{}').tokens.refresh).toBeString()
  expect(await session.token()).toBeString()
  vault.set(JSON.stringify({ tokens: { access: 'a', refresh: 'of nobody', until: 0 } }))
  await expect(session.token()).rejects.toBeInstanceOf(SignedOut)
  expect(kept()).toBeUndefined()
})

test('a renewal while the browser is open leaves the sign-in as it is; a sign-in that fails leaves the session', async () => {
  const { session, age, kept } = phone()
  await session.finish(await signInAt(await session.begin()))
  const address = await session.begin()
  age()
  const renewed = await session.token()
  await session.finish(await signInAt(address))
  const second = await session.token()
  expect(second).not.toBe(renewed)
  await session.begin()
  const { state } = JSON.parse(kept() ?? '{}').attempt
  await expect(session.finish(`${CALLBACK}?code=made-up&state=${state}`)).rejects.toBeInstanceOf(SignedOut)
  expect([await session.token(), JSON.parse(kept() ?? '{}').attempt]).toEqual([second, undefined])
})

test('a clock that was set back makes no token good for longer', async () => {
  const { session, asked, kept, vault } = phone()
  await session.finish(await signInAt(await session.begin()))
  const { tokens } = JSON.parse(kept() ?? '{}')
  const day = 86_400_000
  vault.set(JSON.stringify({ tokens: { ...tokens, from: tokens.from + day, until: tokens.until + day } }))
  expect(await session.token()).not.toBe(tokens.access)
  expect(asked).toEqual(['token', 'token'])
  await session.token()
  expect(asked.length).toBe(2)
})

test('who signs out while a renewal is under way is signed out, here and at the server', async () => {
  let kept: string | undefined
  const vault = {
    get: () => kept,
    set: (value: string | undefined) => {
      kept = value
    },
  }
  const got: { refresh_token?: string }[] = []
  let gate = Promise.resolve()
  const slow = async (request: Request): Promise<Response> => {
    const answer = await fetch(request)
    if (!request.url.endsWith('/token')) return answer
    got.push(await answer.clone().json())
    await gate
    return answer
  }
  const session = createSession({ baseUrl, redirectUri: CALLBACK, vault, fetch: slow })
  await session.finish(await signInAt(await session.begin()))
  const state = JSON.parse(kept ?? '{}')
  kept = JSON.stringify({ tokens: { ...state.tokens, until: 0 } })
  let open = (): void => undefined
  gate = new Promise((resolve) => {
    open = resolve
  })
  const renewing = session.token().catch((e) => e)
  while (got.length < 2) await Bun.sleep(5)
  await session.signOut()
  open()
  expect(await renewing).toBeInstanceOf(SignedOut)
  expect(kept).toBeUndefined()
  expect((await renewalBy(got[1]?.refresh_token ?? '')).status).toBe(400)
})

test('a renewal whose answer was lost is sent again while its token is still good', async () => {
  const { session, age, kept, vault } = phone()
  await session.finish(await signInAt(await session.begin()))
  age()
  let asked = 0
  const losing = createSession({
    baseUrl,
    redirectUri: CALLBACK,
    vault,
    fetch: async (request) => {
      const answer = await fetch(request)
      asked += 1
      if (asked === 1) throw new TypeError('The connection was closed.')
      return answer
    },
  })
  const client = createClient({ baseUrl, token: losing.token })
  expect(ok(await client.GET('/api/v1/me')).firstName).toBe(owner.firstName)
  expect(asked).toBe(2)
  expect((await renewalBy(JSON.parse(kept() ?? '{}').tokens.refresh)).status).toBe(200)
})

const photo = await jpegOf(800, 600)
async function property(client: ReturnType<typeof createClient>): Promise<string> {
  const [own] = ok(await client.GET('/api/v1/properties', { params: { query: { limit: 1 } } }))
  return own?.id ?? ''
}

test('a photo whose way was cut is sent again; what the server refuses is told, once', async () => {
  const client = createClient({ baseUrl, token: await server.token('OWNER') })
  const about = {
    ownerType: 'PROPERTY',
    ownerId: await property(client),
    kind: 'PHOTO',
    filename: 'a.jpg',
    contentType: 'image/jpeg',
  } as const
  let sent = 0
  const flaky = (request: Request): Promise<Response> => {
    sent += 1
    return sent === 1 ? Promise.reject(new TypeError('The connection was closed.')) : fetch(request)
  }
  const done = await upload(client, about, new Blob([new Uint8Array(photo)]), flaky)
  expect([sent, done.kind, done.filename]).toEqual([2, 'PHOTO', 'a.jpg'])
  sent = 1
  const wrong = await upload(client, about, new Blob(['no photo']), flaky).catch((e: Error) => e)
  expect([sent, wrong]).toEqual([2, expect.objectContaining({ name: 'ProblemError' })])
})

async function example(program: string): Promise<{ code: number; out: string }> {
  writeFileSync(join(folder, 'photo.jpg'), photo)
  const id = await property(createClient({ baseUrl, token: await server.token('OWNER') }))
  const env = { ...process.env, LOYER: baseUrl, CALLBACK }
  const run = Bun.spawn([process.execPath, program, id, join(folder, 'photo.jpg')], {
    env,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let out = ''
  for await (const chunk of run.stdout) {
    const isFirst = out === ''
    out += new TextDecoder().decode(chunk)
    if (!isFirst) continue
    run.stdin.write(`${await signInAt(out.trim())}\n`)
    await run.stdin.end()
  }
  return { code: await run.exited, out }
}

test('the ten minutes of the handbook do what they say, in both languages', async () => {
  const program = join(import.meta.dirname, '../src/client/ten-minutes.ts')
  const env = { ...process.env, LOYER: baseUrl }
  const run = Bun.spawn([process.execPath, program], { env, stdout: 'pipe', stderr: 'pipe' })
  const [out, error] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  expect([await run.exited, error, out.split('\n')]).toEqual([
    0,
    '',
    [
      '1 signed in as Odile Owona, OWNER',
      '2 Villa Bonapriso, A1: 85000 XAF a month',
      expect.stringMatching(/^3 the lease of \d{4}-\d\d-\d\d is ACTIVE$/),
      expect.stringMatching(/^4 invoice \d{4}-\d{6}: 85000 XAF, due \d{4}-\d\d-\d\d, ISSUED$/),
      '5 endpoint.tested has arrived',
      expect.stringMatching(/^6 payment CONFIRMED, invoice\.paid: invoice \d{4}-\d{6} is PAID, 0 left$/),
      '',
    ],
  ])
  const code = readFileSync(program, 'utf8').replace("'./client.ts'", "'@loyer/client'")
  for (const language of ['en', 'fr']) {
    const chapter = readFileSync(join(import.meta.dirname, `../src/web/handbook/${language}/api.md`), 'utf8')
    expect(chapter).toContain(`\`\`\`ts\n${code}\`\`\`\n`)
  }
}, 60_000)

test('the package has types and examples, and its example of an app does what it says', async () => {
  // within the repository, so that openapi-fetch is found
  const target = join(import.meta.dirname, `../dist/client-${process.pid}`)
  const build = Bun.spawn([process.execPath, join(import.meta.dirname, '../scripts/client.ts'), target], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect([await new Response(build.stderr).text(), await build.exited]).toEqual(['', 0])
  try {
    const { name, main, types, exports, dependencies } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
    for (const file of [main, types]) expect([file, existsSync(join(target, file))]).toEqual([file, true])
    expect([name, Object.keys(exports), dependencies]).toEqual([
      '@loyer/client',
      ['.', './sign-in', './upload'],
      { 'openapi-fetch': expect.stringMatching(/^\d/) },
    ])
    expect(readFileSync(join(target, 'client.d.ts'), 'utf8')).toContain('export declare function createClient(')
    // What it tells a reader to type is there without the sources.
    for (const file of ['README.md', 'ten-minutes.ts', 'example.ts', 'example-app.ts'])
      expect([file, readFileSync(join(target, file), 'utf8')]).toEqual([
        file,
        expect.not.stringMatching(/src\/|\.\/client/),
      ])
    const { code, out } = await example(join(target, 'example-app.ts'))
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/\nOdile Owona, terms \S+\n(.+, .+\n)+[\da-f-]{36} AVAILABLE\nsigned out\n$/),
    ])
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}, 300_000)
