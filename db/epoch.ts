import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { sizeOf } from './files.ts'

/** A copy of the whole disk, put back, shows nothing by itself: after a stop of this length it is taken for one. */
const LONGEST_STOP_MS = 10 * 60_000
const noteOf = (file: string): string => `${file}.closed`

/** Which file it is and when its bytes or its name last changed: no copy that is put back can have the same. */
function identity(file: string): string {
  const { ino, size, ctimeMs } = statSync(file)
  return `${ino} ${size} ${ctimeMs}`
}

/** To be asked before anything is written: whether the file is the very one that this service closed a moment ago. */
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
 * A random word in every ETag. It stays while the database goes on where it was left, and else is another one: a copy
 * that is put back has old versions again, under which clients know rows that came later.
 */
export function createEpoch(client: Database.Database, file: string, goesOn: boolean) {
  const found = client.prepare("select value from setting where key = 'epoch'").pluck().get()
  const value = goesOn && typeof found === 'string' ? found : randomBytes(6).toString('base64url')
  const save = () => client.prepare("insert or replace into setting(key, value) values('epoch', ?)").run(value)
  // A database in memory is never closed to be opened again: its copies go on where it was.
  if (file === ':memory:' && value !== found) save()
  return {
    value,
    /** Closes the database, and notes beside it which file that was: only an orderly end says so. */
    close(): void {
      let noted = file !== ':memory:'
      try {
        // What refused to start has changed nothing.
        if (value !== found && client.prepare('select total_changes()').pluck().get() === 0) noted = false
        else if (noted) save()
      } catch {
        noted = false
      }
      client.close()
      try {
        if (noted) writeFileSync(noteOf(file), `${identity(file)} ${Date.now()}`, { mode: 0o600 })
      } catch {
        // A full disk: clients ask for everything once more.
      }
    },
  }
}
