// ETags name the database's epoch: a copy that is put back has old versions under which clients know newer rows.
import { afterAll, afterEach, expect, setSystemTime, test } from 'bun:test'
import { copyFileSync, cpSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openStore } from '../../db/open.ts'
import { createApp } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { addUser } from '../../src/features/people/accounts/account.ts'
import { silentLog } from '../../src/log.ts'
import { buildDeps } from '../../src/wiring.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())
afterEach(() => void setSystemTime())
const newFile = (): string => join(temporaryFolder(), 'data', 'loyer.db')
/** Starts, does something, stops in order. @returns the epoch of that run */
async function run(file: string): Promise<string> {
  const store = openStore(file)
  await store.write(
    null,
    (tx) => tx.$client.prepare('insert into setting(key, value) values(?, ?)').run(crypto.randomUUID(), 'x') as object,
  )
  await store.close()
  return store.epoch
}

test('a restart keeps the epoch, as often as it happens', async () => {
  const file = newFile()
  const first = await run(file)
  expect(first.length).toBe(8)
  expect([await run(file), await run(file)]).toEqual([first, first])
})

const restores: [name: string, back: (file: string, copy: string) => void][] = [
  ['copied over the file', (file, copy) => copyFileSync(join(copy, 'loyer.db'), file)],
  ['moved over the file', (file, copy) => renameSync(join(copy, 'loyer.db'), file)],
  ['written into the file', (file, copy) => writeFileSync(file, readFileSync(join(copy, 'loyer.db')))],
  [
    'as a whole folder, with its times',
    (file, copy) => {
      rmSync(dirname(file), { recursive: true })
      cpSync(copy, dirname(file), { recursive: true, preserveTimestamps: true })
    },
  ],
]
for (const [name, back] of restores)
  test(`a copy put back, ${name}: another epoch, which then stays`, async () => {
    const file = newFile()
    const before = await run(file)
    const copy = join(temporaryFolder(), 'copy')
    cpSync(dirname(file), copy, { recursive: true, preserveTimestamps: true })
    expect(await run(file)).toBe(before)
    back(file, copy)
    const after = await run(file)
    expect(after).not.toBe(before)
    expect(await run(file)).toBe(after)
  })

test('after a crash, a long stop, or with a clock that was set back it is another one', async () => {
  const file = newFile()
  const first = await run(file)
  const crashed = openStore(file)
  expect(crashed.epoch).toBe(first)
  const folder = temporaryFolder()
  // What is left of a process that was killed.
  for (const end of ['', '-wal']) copyFileSync(file + end, join(folder, `loyer.db${end}`))
  await crashed.close()
  expect(await run(join(folder, 'loyer.db'))).not.toBe(first)
  const now = Date.now()
  setSystemTime(now + 3600_000)
  const second = await run(file)
  expect(second).not.toBe(first)
  setSystemTime(now)
  expect(await run(file)).not.toBe(second)
})

test('the time of a file says nothing', async () => {
  const file = newFile()
  const first = await run(file)
  const copy = readFileSync(file)
  await run(file)
  writeFileSync(file, copy)
  utimesSync(file, 1, 1)
  expect(await run(file)).not.toBe(first)
})

const ANA = { phone: '+237677000001', password: 'pignon sur rue' }
/** The service on a data folder, asked as Ana. */
async function serve(folder: string, first = false) {
  const running = await buildDeps(
    loadConfig({ LOYER_DATA: folder, LOYER_MODE: 'sandbox', RATE_LIMITS: 'off' }),
    silentLog,
  )
  if (first) await addUser(running.deps, { ...ANA, roles: ['OWNER'], orgName: 'Agence' })
  const app = createApp(running.deps)
  const { access_token: token } =
    (await running.deps.embedded?.passwordTokens(ANA.phone, ANA.password, '127.0.0.1')) ?? {}
  async function ask(line: string, body?: object, headers: Record<string, string> = {}) {
    const [method = '', path = ''] = line.split(' ')
    const json = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers }
    const init = { method, headers: json, ...(body && { body: JSON.stringify(body) }) }
    const answer = await app.handle(new Request(`http://localhost/api/v1/properties${path}`, init))
    const text = await answer.text()
    return { status: answer.status, etag: answer.headers.get('etag') ?? '', text }
  }
  return { ask, close: running.close }
}
const villa = (name: string) => ({ name, addressLine: 'Rue 1', city: 'Douala' })

test('after a copy was put back, no ETag of what came later is taken: lists are sent, changes refused', async () => {
  const folder = temporaryFolder()
  const before = await serve(folder, true)
  const { id } = JSON.parse((await before.ask('POST ', villa('Un'))).text)
  await before.close()
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true })

  const later = await serve(folder)
  await later.ask(`PATCH /${id}`, { name: 'Deux' })
  const [list, one] = [await later.ask('GET '), await later.ask(`GET /${id}`)]
  await later.close()
  const kept = await serve(folder)
  expect((await kept.ask('GET ', undefined, { 'if-none-match': list.etag })).status).toBe(304)
  await kept.close()

  cpSync(copy, folder, { recursive: true, preserveTimestamps: true })
  const restored = await serve(folder)
  // As many changes as there were, but others.
  expect((await restored.ask(`PATCH /${id}`, { name: 'Trois' })).status).toBe(200)
  for (const [line, etag] of [
    ['GET ', list.etag],
    [`GET /${id}`, one.etag],
  ] as const) {
    const answer = await restored.ask(line, undefined, { 'if-none-match': etag })
    expect([line, answer.status, answer.text]).toEqual([line, 200, expect.stringContaining('Trois')])
  }
  expect((await restored.ask(`PATCH /${id}`, { name: 'Quatre' }, { 'if-match': one.etag })).status).toBe(412)
  expect((await restored.ask(`GET /${id}`)).text).toContain('Trois')
  await restored.close()
})
