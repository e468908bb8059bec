import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder, strangerText, syncFolder } from '../db/files.ts'
import type { Guard } from '../db/integrity.ts'
import { reason, StoreError } from '../db/store-error.ts'
import type { Config } from './config.ts'

const fileOf = (dataDir: string): string => join(dataDir, 'keys', 'master.key')
const LOST =
  'Nothing was changed. Put the right key back from a backup; if it is lost, `loyer keys new` makes another: nobody loses data, everybody signs in again, and webhook secrets change.'

/** Tables whose rows are useless under another master key. */
const KEYED = ['signing_key', 'webhook_endpoint']

function createKey(file: string): void {
  const folder = dirname(file)
  makeFolder(folder)
  const temporary = `${file}.new`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    // writeFileSync writes everything or throws, unlike writeSync: half a key must never have the name of a key.
    writeFileSync(fd, randomBytes(32).toString('base64url'))
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, file)
  syncFolder(folder)
}

/** The data folder's master key, created at the first start (0600); keys for signing and wrapping are derived from it. */
export function masterKey(dataDir: string): Uint8Array {
  const file = fileOf(dataDir)
  let text: string
  try {
    if (!existsSync(file)) createKey(file)
    text = readFileSync(file, 'utf8').trim()
  } catch (e) {
    throw new StoreError(78, `The key file ${file} cannot be used: ${reason(e)}.${strangerText(dataDir)}`, e)
  }
  const key = Buffer.from(text, 'base64url')
  if (key.byteLength !== 32) throw new StoreError(78, `${file} is not a key. Restore it from a backup.`)
  return key
}

/** Refuses a database whose secrets need a key that is missing: a new key would make them unreadable for good. */
export const refuseLostKey =
  (dataDir: string): Guard =>
  (client) => {
    const file = fileOf(dataDir)
    if (existsSync(file)) return
    const present = client.prepare('select 1 from sqlite_master where name = ?')
    if (KEYED.some((table) => present.get(table) && client.prepare(`select 1 from ${table}`).get()))
      throw new StoreError(
        78,
        `The key file ${file} is missing, and the database has secrets that only it opens. ${LOST}`,
      )
  }

/**
 * Refuses a data folder with keys, documents or media but without a database: a new, empty one would look like data
 * loss.
 */
export function refuseLostDatabase({ dataDir, databaseFile }: Pick<Config, 'dataDir' | 'databaseFile'>): void {
  if (existsSync(databaseFile)) return
  const left = ['keys', 'media', 'documents'].filter((name) => hasFiles(join(dataDir, name)))
  if (left.length > 0)
    throw new StoreError(
      65,
      `${databaseFile} is gone, but ${dataDir} still has ${left.join(', ')}. Nothing was changed. Put the database back from a backup, or move ${left.length === 1 ? 'that folder' : 'those folders'} away to begin anew.`,
    )
}

const hasFiles = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())

/** Refuses a database that was sealed with another key. */
export const wrongKey = (dataDir: string, cause: unknown): StoreError =>
  new StoreError(78, `The key file ${fileOf(dataDir)} is not the one that belongs to this database. ${LOST}`, cause)

/** Creates a new master key; everything that the old one had wrapped must be deleted too. */
export function renewMasterKey(dataDir: string): string {
  const file = fileOf(dataDir)
  createKey(file)
  return file
}
