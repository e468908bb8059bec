import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../db/files.ts'
import { reason, StoreError } from '../db/store-error.ts'

function createKey(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const temporary = `${file}.new`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    // Unlike writeSync it goes on until everything is written, or throws: half a key must not get the name.
    writeFileSync(fd, randomBytes(32).toString('base64url'))
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, file)
  syncFolder(folder)
}

/** The data folder's master key: made at first start, 0600; what signs and wraps is derived from it. */
export function masterKey(dataDir: string): Uint8Array {
  const folder = join(dataDir, 'keys')
  const file = join(folder, 'master.key')
  let text: string
  try {
    if (!existsSync(file)) createKey(folder, file)
    text = readFileSync(file, 'utf8').trim()
  } catch (e) {
    throw new StoreError(78, `The key file ${file} cannot be used: ${reason(e)}.`, e)
  }
  const key = Buffer.from(text, 'base64url')
  if (key.byteLength !== 32) throw new StoreError(78, `${file} is not a key. Restore it from a backup.`)
  return key
}
