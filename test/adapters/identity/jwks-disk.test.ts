import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadKeySet, readKeySet, saveKeySet } from '../../../src/adapters/identity/keys/key-set.ts'
import { silentLog } from '../../../src/log.ts'
import { createClock, createWorld, DAY, HOUR, SECOND, START } from '../../support/remote-keys.ts'
import { createKey, FAULTS, startKeyServer } from '../../support/tokens.ts'

const key = createKey('current', 'RS256')
const next = createKey('next', 'RS256')
const foreign = createKey('foreign', 'RS256')
const server = await startKeyServer([key.jwk])
const root = mkdtempSync(join(tmpdir(), 'loyer-keys-'))
let file = ''
afterAll(async () => {
  await server.close()
  rmSync(root, { recursive: true })
})
beforeEach(() => {
  server.mode = 'ok'
  server.keys = [key.jwk]
  file = join(mkdtempSync(join(root, 'run-')), 'keys.json')
})

/** A first run that fetched and kept the set at START, ended. */
async function firstRun(): Promise<void> {
  const { ask } = createWorld(server, key, { file })
  expect(await ask()).toBe(200)
}
/** A second run, `later` milliseconds after the first. */
function secondRun(later: number) {
  const clock = createClock()
  clock.pass(later)
  return createWorld(server, key, { file, clock })
}

describe('a cold start during the fault works from the disk: known keys pass, unknown ones are 503', () => {
  for (const fault of FAULTS)
    test(fault, async () => {
      await firstRun()
      server.mode = fault
      const { ask, fetches, keys } = secondRun(HOUR)
      expect(await Promise.all([ask(), ask(foreign)])).toEqual([200, 503])
      expect(keys.state()).toMatchObject({ source: 'disk', lastFetch: 'failed', usable: true })
      expect(fetches.length).toBe(1)
    })
})

test('the file is for its owner only, and nothing is left beside it', async () => {
  writeFileSync(`${file}.tmp`, 'left by a crash', { mode: 0o666 })
  await firstRun()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dirname(file))).toEqual(['keys.json'])
})

test('a link laid where the draft goes is not followed', async () => {
  const victim = join(dirname(file), 'victim')
  writeFileSync(victim, 'untouched')
  symlinkSync(victim, `${file}.tmp`)
  await firstRun()
  expect(readFileSync(victim, 'utf8')).toBe('untouched')
})

test('a folder that cannot be written is logged and locks nobody out', async () => {
  file = join(dirname(file), 'absent', 'keys.json')
  const { ask, keys, warnings } = createWorld(server, key, { file })
  expect(await ask()).toBe(200)
  expect(keys.state().lastFetch).toBe('ok')
  expect(warnings.join()).toContain('identity_keys_not_saved')
})

describe('age of the kept set when the provider is down', () => {
  const cases: readonly [string, number, 200 | 503][] = [
    ['a minute', 60 * SECOND, 200],
    ['24 h', DAY, 200],
    ['24 h and a second', DAY + SECOND, 503],
    ['an hour ahead of a clock set back', -HOUR, 200],
    ['two days ahead', -2 * DAY, 503],
  ]
  for (const [name, later, expected] of cases)
    test(`${name} → ${expected}`, async () => {
      await firstRun()
      server.mode = 'down'
      expect(await secondRun(later).ask()).toBe(expected)
    })

  for (const back of [0, 20 * HOUR])
    test(`the 24 h count from the fetch, not from the start, with the clock then set back ${back} ms`, async () => {
      await firstRun()
      server.mode = 'down'
      const { ask, clock } = secondRun(23 * HOUR)
      expect(await ask()).toBe(200)
      clock.setBack(back)
      clock.pass(HOUR + SECOND)
      expect(await ask()).toBe(503)
    })
})

test('a set of less than 600 s needs no fetch; an older one is refreshed behind the answer', async () => {
  await firstRun()
  const early = secondRun(599 * SECOND)
  expect(await early.ask()).toBe(200)
  expect(early.fetches.length).toBe(0)
  const late = secondRun(601 * SECOND)
  expect(await late.ask()).toBe(200)
  expect(late.fetches.length).toBe(1)
})

test('a rotation during the downtime: the new key is fetched at first sight', async () => {
  await firstRun()
  server.keys = [next.jwk]
  const { ask, fetches } = secondRun(60 * SECOND)
  expect([await ask(next), await ask(key)]).toEqual([200, 401])
  expect(fetches.length).toBe(1)
})

describe('a damaged or edited file is ignored: not trusted, and not fatal', () => {
  const edit = (change: (content: Record<string, unknown>) => void) => (text: string) => {
    const content = JSON.parse(text)
    change(content)
    return JSON.stringify(content)
  }
  const cases: readonly [string, (text: string) => string][] = [
    ['empty', () => ''],
    ['torn', (text) => text.slice(0, -20)],
    ['no JSON', () => '<html>'],
    ['null', () => 'null'],
    ['zeros', (text) => '\0'.repeat(text.length)],
    [
      'another key put in',
      edit((content) => {
        content.keys = [key.jwk, foreign.jwk]
      }),
    ],
    [
      'made younger',
      edit((content) => {
        content.fetchedAt = START + HOUR
      }),
    ],
    [
      'fetch time as text',
      edit((content) => {
        content.fetchedAt = 'now'
      }),
    ],
    [
      'of another provider',
      edit((content) => {
        content.url = 'https://other.example/certs'
      }),
    ],
    [
      'without checksum',
      edit((content) => {
        delete content.sha256
      }),
    ],
    ['a megabyte', (text) => text + ' '.repeat(1_000_000)],
  ]
  for (const [name, damage] of cases)
    test(name, async () => {
      await firstRun()
      writeFileSync(file, damage(readFileSync(file, 'utf8')))
      server.mode = 'down'
      const offline = secondRun(HOUR)
      expect(await Promise.all([offline.ask(), offline.ask(foreign)])).toEqual([503, 503])
      expect(offline.warnings.join()).toContain('identity_keys_file_ignored')
      server.mode = 'ok'
      expect(await secondRun(HOUR).ask()).toBe(200)
    })

  test('a folder in its place', async () => {
    mkdirSync(file)
    expect(await createWorld(server, key, { file }).ask()).toBe(200)
  })

  test('a private key in it is not used, though the checksum is right', async () => {
    const leaked = { ...foreign.privateKey.export({ format: 'jwk' }), kid: foreign.kid, alg: 'RS256' }
    const set = await readKeySet(JSON.stringify({ keys: [key.jwk] }), silentLog)
    saveKeySet(file, server.url, { ...set, keys: [...set.keys, leaked] }, START, silentLog)
    const loaded = await loadKeySet(file, server.url, silentLog)
    expect([...(loaded?.set.kids ?? [])]).toEqual([key.kid])
  })
})
