import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { sizeOf } from './files.ts'

/**
 * A restored image of the whole disk looks like the original. After a stop longer than this, the database is assumed
 * to be one.
 */
const LONGEST_STOP_MS = 10 * 60_000
const noteOf = (file: string): string => `${file}.closed`

/** Inode, size and time of the last change of the file: a restored copy cannot have the same. */
function identity(file: string): string {
  const { ino, size, ctimeMs } = statSync(file)
  return `${ino} ${size} ${ctimeMs}`
}

/** Whether the file is the very one that this service closed a moment ago. Call this before anything is written. */
export function isAsClosed(file: string): boolean {
  if ((sizeOf(`${file}-wal`) ?? 0) > 0) return false
  try {
    const [, known, at] = /^(.+) (\d+)$/.exec(readFileSync(noteOf(file), 'utf8')) ?? []
    const stoppedMs = Date.now() - Number(at)
    return known === identity(file) && stoppedMs >= 0 && stoppedMs < LONGEST_STOP_MS
  } catch {
    return false
  }
}

/**
 * A random word in every ETag. It stays the same while the database continues where it stopped, and changes
 * otherwise: a restored backup reuses version numbers that clients already know from later rows.
 */
export function createEpoch(client: Database.Database, file: string, goesOn: boolean) {
  const stored = client.prepare("select value from setting where key = 'epoch'").pluck().get()
  const value = goesOn && typeof stored === 'string' ? stored : randomBytes(6).toString('base64url')
  const save = () => client.prepare("insert or replace into setting(key, value) values('epoch', ?)").run(value)
  // A database in memory is never closed and reopened: its copies continue where it was.
  if (file === ':memory:' && value !== stored) save()
  return {
    value,
    /** Closes the database and writes its identity to a file beside it, which only an orderly shutdown does. */
    close(): void {
      let noted = file !== ':memory:'
      try {
        // A start that failed has changed nothing: it must not vouch for the file.
        if (value !== stored && client.prepare('select total_changes()').pluck().get() === 0) noted = false
        else if (noted) save()
      } catch {
        noted = false
      }
      client.close()
      try {
        if (noted) writeFileSync(noteOf(file), `${identity(file)} ${Date.now()}`, { mode: 0o600 })
      } catch {
        // The disk is full: without the note, the next start takes a new epoch and clients fetch everything once more.
      }
    },
  }
}
