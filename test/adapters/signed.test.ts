// A downloaded program is held against a signature that the real minisign made.
import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { update } from '../../src/commands/update.ts'
import { type ConfigError, loadConfig } from '../../src/config.ts'
import { commandLine } from '../support/backups.ts'
import { cleaner, temporaryFolder } from '../support/folder.ts'

afterAll(cleaner())

const KEY = 'RWQ9agPAIJMUDs9tV0N0TrMYYqc4NAQRVb861mswJjfigs9TUHsrrdsT'
const OTHER = `RWQ8${KEY.slice(4)}`
const PROGRAM = 'loyer, newer\n'
const SIGNED = `untrusted comment: signature from minisign secret key
RUQ9agPAIJMUDhJdlujZ84D5UzoGXm4vtqP/nVz8Lv+aQCaifL4LYyiacIAVt29UmyKE529xsaqiZTNrTRFJJ+JD2uk+h/mE5gg=
trusted comment: loyer 0.2.0 linux-x64
h9E6en4KmhFGoPm5A98jskfodeWaVKsSH55goJNAY73Uq7+055D91vO8Rq7Xc54LZwm0LiXxLY4V3D5x36QzAw==
`
test.each([
  ['as it was signed', PROGRAM, SIGNED, KEY, /is what was signed: loyer 0\.2\.0 linux-x64$/],
  ['with line ends of Windows', PROGRAM, SIGNED.replaceAll('\n', '\r\n'), KEY, /is what was signed/],
  ['another program', `${PROGRAM}.`, SIGNED, KEY, /its contents are not those that were signed/],
  ['another comment', PROGRAM, SIGNED.replace('0.2.0', '0.3.0'), KEY, /its signature was changed/],
  ['another key', PROGRAM, SIGNED, OTHER, /signed with another key than UPDATE_KEY/],
  ['a changed signature', PROGRAM, SIGNED.replace('UDhJd', 'UDhJe'), KEY, /its contents are not those/],
  ['no signature', PROGRAM, 'hello', KEY, /is not a signature made by minisign/],
  ['without prehash', PROGRAM, SIGNED.replace('RUQ9', 'RWQ9'), KEY, /older kind/],
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
  [`RWQ${'A'.repeat(53)}`, false],
  [`RW${'z'.repeat(54)}`, false],
  [`RWQ9agPAIJMU${'AgAAAAAA'.padEnd(44, 'A')}`, false],
] as const)('UPDATE_KEY=%s starts: %p', (key, starts) => {
  const sentence = 'UPDATE_KEY: must be a whole public key as minisign prints it, which begins with RW'
  expect(problemsOf(key)).toEqual(starts ? [] : [sentence])
})
