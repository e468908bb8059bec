// A file of settings that was typed in a hurry: what is no setting is told by its line, without the secret that stands there.
import { afterAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../src/config.ts'
import { cleaner, temporaryFolder } from './support/folder.ts'

afterAll(cleaner())
const SECRET = 'hunter2hunter2hunter2'
const NONE = 'must be KEY=value, with the KEY in capitals'
const HALF = 'BACKUP_PASSPHRASE begins with a quote, and has to end with the same one'

const lines: readonly (readonly [name: string, line: string, told: string | undefined])[] = [
  ['a space instead of the sign', `BACKUP_PASSPHRASE ${SECRET}`, NONE],
  ['a colon instead of the sign', `BACKUP_PASSPHRASE: ${SECRET}`, NONE],
  ['small letters', `backup_passphrase=${SECRET}`, NONE],
  ['the second line of a value', SECRET, NONE],
  ['a quote that does not end', `BACKUP_PASSPHRASE="${SECRET}`, HALF],
  ['a quote that ends as another', `BACKUP_PASSPHRASE="${SECRET}'`, HALF],
  ['a comment after the quotes', `BACKUP_PASSPHRASE="${SECRET}" # ours`, HALF],
  ['a name that is none', `BACKUP_PASSFRASE=${SECRET}`, 'unknown setting BACKUP_PASSFRASE'],
  ['quotes', `BACKUP_PASSPHRASE="${SECRET}"`, undefined],
  [
    'a byte order mark, export, spaces, a quote in the middle',
    `\uFEFFexport BACKUP_PASSPHRASE = ${SECRET}"s `,
    undefined,
  ],
]
test.each(lines)('%s', (_name, line, told) => {
  const file = join(temporaryFolder('settings'), 'loyer.env')
  writeFileSync(file, `${line}\r\n`)
  let said = ''
  try {
    expect(loadConfig({}, { file }).backup.passphrase).toStartWith(SECRET)
  } catch (e) {
    said = e instanceof Error ? e.message : String(e)
  }
  expect(said).toBe(told === undefined ? '' : `${file} line 1: ${told}`)
})
