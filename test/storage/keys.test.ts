// The master key: a database whose secrets only it opens is not started with another, and is not locked for good either.
import { afterAll, expect, test } from 'bun:test'
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../../db/store-error.ts'
import { loadConfig } from '../../src/config.ts'
import { addUser } from '../../src/features/people/accounts/account.ts'
import { silentLog } from '../../src/log.ts'
import { buildDeps } from '../../src/wiring.ts'
import { cleaner, contents, modeOf, temporaryFolder } from '../support/folder.ts'
import { launch } from '../support/server.ts'

afterAll(cleaner())

const start = (folder: string, env: Record<string, string> = {}) =>
  buildDeps(loadConfig({ LOYER_DATA: folder, LOYER_MODE: 'sandbox', ...env }), silentLog)
const refusalOf = (folder: string) =>
  start(folder).then(
    () => undefined,
    (e: unknown) => (e instanceof StoreError ? { code: e.exitCode, message: e.message } : e),
  )
/** What a start may touch without having changed anything: the lock, and what SQLite keeps beside an open database. */
const kept = (folder: string) => contents(folder, ['.lock', '-shm', '-wal'])

async function used(): Promise<string> {
  const folder = temporaryFolder('keys')
  const { deps, close } = await start(folder)
  await addUser(deps, { phone: '+237677000001', roles: ['OWNER'], orgName: 'Agence', password: 'pignon sur rue' })
  await close()
  return folder
}
const seed = await used()
const other = await used()
const copy = (): string => {
  const folder = temporaryFolder('keys')
  cpSync(seed, folder, { recursive: true })
  return folder
}
const keyOf = (folder: string): string => join(folder, 'keys', 'master.key')

const broken: [name: string, spoil: (folder: string) => void, says: RegExp][] = [
  ['is missing', (f) => rmSync(keyOf(f)), /master\.key is missing, and the database .* `loyer keys new`/],
  ['went with its folder', (f) => rmSync(join(f, 'keys'), { recursive: true }), /is missing/],
  ['is another one’s', (f) => cpSync(keyOf(other), keyOf(f)), /not the one that belongs .* `loyer keys new`/],
  ['is cut short', (f) => writeFileSync(keyOf(f), 'abc'), /is not a key/],
]
test.each(broken)(
  'a key that %s: the start is refused, says what to do and changes nothing',
  async (_n, spoil, says) => {
    const folder = copy()
    spoil(folder)
    const before = kept(folder)
    expect(await refusalOf(folder)).toEqual({ code: 78, message: expect.stringMatching(says) })
    expect(kept(folder)).toEqual(before)
  },
)

test('with the key put back it starts, and the account is there', async () => {
  const folder = copy()
  renameSync(keyOf(folder), `${keyOf(folder)}.away`)
  expect(await refusalOf(folder)).toBeDefined()
  renameSync(`${keyOf(folder)}.away`, keyOf(folder))
  const { deps, close } = await start(folder)
  expect(await deps.embedded?.checkPassword('+237677000001', 'pignon sur rue', '127.0.0.1')).toBe(true)
  await close()
})

test.each(broken.slice(0, 3))(
  'a key that %s for good: `loyer keys new`, and passwords still hold',
  async (_n, spoil) => {
    const folder = copy()
    spoil(folder)
    const made = launch({ data: folder, command: 'keys new' })
    expect((await made.end()).code).toBe(0)
    expect(made.output()).toContain('everybody signs in again')
    expect(modeOf(keyOf(folder))).toBe('600')
    const { deps, close } = await start(folder)
    expect(await deps.embedded?.checkPassword('+237677000001', 'pignon sur rue', '127.0.0.1')).toBe(true)
    await close()
  },
)

test('a new folder, and one whose accounts are elsewhere, simply get a key', async () => {
  for (const env of [{}, { AUTH_URL: 'https://id.example.cm' }]) {
    const folder = temporaryFolder('keys')
    await (await start(folder, env)).close()
    if ('AUTH_URL' in env) rmSync(keyOf(folder))
    await (await start(folder, env)).close()
    expect(modeOf(keyOf(folder))).toBe('600')
  }
})
