// A downloaded program is held against a signature that the real minisign made.
import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Values } from '../../src/commands/command.ts'
import { update } from '../../src/commands/update.ts'
import { type ConfigError, loadConfig } from '../../src/config.ts'
import { commandLine } from '../support/backups.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'
import { minisigner } from '../support/minisign.ts'

afterAll(cleaner())

const KEY = 'RWTEuIUTmKWsUCLUf6itTYAZS6uB3K68hApORSuFAb2kVVxBo0wjOjIU'
const OTHER_ID = `RWTF${KEY.slice(4)}`
const KEY_OF_ID = Buffer.concat([
  Buffer.from(KEY, 'base64').subarray(0, 10),
  Buffer.from(minisigner().key, 'base64').subarray(10),
]).toString('base64')
const PROGRAM = 'loyer, newer\n'
const SIGNED = `untrusted comment: signature from minisign secret key
RUTEuIUTmKWsUEpqgjxm66847VMGboZ335uIs0d6YEpooWjz8evZEO9D3RB0MhO3wgawKyyAsp5wAr251VTU1x4FEnw1D0Ac+A4=
trusted comment: timestamp:1795854559\tfile:loyer-0.2.0-linux-x64\thashed
qngd94/rnKbIliTCMFudxCZuwvFE6q6h4YVq9/MPBkVoJQQL36UNT3DwWnidEzn2JDOwt0PHNxj0yJjOTuFPDw==
`
test.each([
  ['as it was signed', PROGRAM, SIGNED, KEY, /is what was signed: loyer-0\.2\.0-linux-x64$/],
  ['with line ends of Windows', PROGRAM, SIGNED.replaceAll('\n', '\r\n'), KEY, /is what was signed/],
  ['another program', `${PROGRAM}.`, SIGNED, KEY, /its contents are not those that were signed/],
  ['another comment', PROGRAM, SIGNED.replace('0.2.0', '0.3.0'), KEY, /its signature was changed/],
  ['another id of the key', PROGRAM, SIGNED, OTHER_ID, /signed with another key than RWTFuIUT/],
  ['another key of this id', PROGRAM, SIGNED, KEY_OF_ID, /its contents are not those that were signed/],
  ['a changed signature', PROGRAM, SIGNED.replace('UEpqg', 'UEpqh'), KEY, /its contents are not those/],
  ['no signature', PROGRAM, 'hello', KEY, /is not a signature made by minisign/],
  ['without prehash', PROGRAM, SIGNED.replace('RUTE', 'RWTE'), KEY, /older kind/],
] as const)('%s', async (_name, program, signature, key, says) => {
  const file = join(temporaryFolder('signed'), 'loyer-new')
  writeFileSync(file, program)
  writeFileSync(`${file}.minisig`, signature)
  const given = commandLine('/nowhere', [file], { check: true }, { UPDATE_KEY: key })
  const said = await Promise.resolve()
    .then(() => update(given))
    .catch((e: Error) => e.message)
  expect(said).toMatch(says)
})

const problemsOf = (key: string): readonly string[] => {
  try {
    loadConfig({ UPDATE_KEY: key })
    return []
  } catch (e) {
    return (e as ConfigError).problems
  }
}
test.each([
  [KEY, true],
  [KEY.slice(0, -1), false],
  [`RWX${KEY.slice(3)}`, false],
  [`RWQ${'A'.repeat(53)}`, false],
  [`RW${'z'.repeat(54)}`, false],
  [`RWQ9agPAIJMU${'AgAAAAAA'.padEnd(44, 'A')}`, false],
] as const)('UPDATE_KEY=%s starts: %p', (key, starts) => {
  const sentence = 'UPDATE_KEY: must be a whole public key as minisign prints it, which begins with RW'
  expect(problemsOf(key)).toEqual(starts ? [] : [sentence])
})

/** What an update says in a build with this key of its releases. */
function inBuild(key: string, values: Values, env = {}): string {
  const { RELEASE_PUBLIC_KEY } = process.env
  const file = join(temporaryFolder('signed'), 'loyer-new')
  writeFileSync(file, PROGRAM)
  writeFileSync(`${file}.minisig`, SIGNED)
  try {
    process.env.RELEASE_PUBLIC_KEY = key
    return String(update(commandLine('/nowhere', [file], values, env)))
  } catch (e) {
    return String(e)
  } finally {
    if (RELEASE_PUBLIC_KEY === undefined) delete process.env.RELEASE_PUBLIC_KEY
    else process.env.RELEASE_PUBLIC_KEY = RELEASE_PUBLIC_KEY
  }
}
test.each([
  ['signed by the key that is built in', KEY, {}, /is what was signed/],
  ['UPDATE_KEY goes before it', KEY, { UPDATE_KEY: KEY_OF_ID }, /not those that were signed/],
  ['and is believed where another is built in', KEY_OF_ID, { UPDATE_KEY: KEY }, /is what was signed/],
  ['a build without a key says so', '', {}, /built without the public key of its releases/],
] as const)('%s', (_name, key, env, says) => expect(inBuild(key, { check: true }, env)).toMatch(says))
test('a build without a key takes nothing', () => {
  expect(inBuild('', {})).toMatch(/built without the public key of its releases/)
})
