import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../db/store-error.ts'

/** The data folder's master key: made at first start, 0600; what signs and wraps is derived from it. */
export function masterKey(dataDir: string): Uint8Array {
  const folder = join(dataDir, 'keys')
  const file = join(folder, 'master.key')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) {
    const temporary = `${file}.new`
    const fd = openSync(temporary, 'w', 0o600)
    writeSync(fd, randomBytes(32).toString('base64url'))
    fsyncSync(fd)
    closeSync(fd)
    renameSync(temporary, file)
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
  if (key.byteLength !== 32) throw new StoreError(78, `${file} is not a key. Restore it from a backup.`)
  return key
}
