import { closeSync, openSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { AppError, diskFull, type Text } from '../src/errors.ts'
import { isDamage, reason, sqliteCode } from './store-error.ts'

type Trouble = 'full' | 'gone' | 'damaged' | 'handles' | 'failing'
const SENTENCES: Readonly<Record<Exclude<Trouble, 'full'>, Text>> = {
  gone: {
    en: 'The database file or the log beside it is gone, or another one has taken its place: nothing is saved until the service is started again.',
    fr: 'Le fichier de la base de données ou son journal a disparu ou a été remplacé : rien n’est enregistré avant le redémarrage du service.',
  },
  damaged: {
    en: 'The database is damaged: nothing more is saved. Its operator must restore a backup.',
    fr: 'La base de données est endommagée : plus rien n’est enregistré. Son exploitant doit restaurer une sauvegarde.',
  },
  handles: {
    en: 'The service has no file handle left. Try again in a moment.',
    fr: 'Le service n’a plus de descripteur de fichier disponible. Réessayez dans un instant.',
  },
  failing: {
    en: 'Nothing can be saved at the moment. Try again later.',
    fr: 'Rien ne peut être enregistré pour le moment. Réessayez plus tard.',
  },
}
/** Retry-After, in seconds: a restore needs a person, while space or a file handle may be free again soon. */
const RETRY_AFTER: Readonly<Record<Exclude<Trouble, 'full'>, number>> = {
  gone: 3600,
  damaged: 3600,
  handles: 5,
  failing: 30,
}

const refusal = (trouble: Trouble, cause?: unknown): AppError =>
  trouble === 'full'
    ? diskFull(cause)
    : new AppError('storage_unavailable', SENTENCES[trouble], { retryAfter: RETRY_AFTER[trouble] }, cause)

const causesOf = (e: unknown): unknown[] => (e instanceof Error ? [e, ...causesOf(e.cause)] : [])
function troubleOf(cause: unknown): Trouble {
  const errors = causesOf(cause)
  if (errors.some(isDamage)) return 'damaged'
  const codes = errors.map((e) => sqliteCode(e) || String((e as { code?: unknown }).code ?? ''))
  if (codes.some((code) => /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code))) return 'full'
  return codes.some((code) => /^E[MN]FILE$/.test(code)) ? 'handles' : 'failing'
}

/** The error that a client sees when a disk or file fails. */
export const storageError = (cause: unknown): AppError => refusal(troubleOf(cause), cause)

/** `device:inode` of a file, which tells it from another file of the same name. Undefined when there is no file. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

/**
 * The health of a store, as learned from each write, each failed statement and the check of the whole file. `rescue`
 * copies the write-ahead log into the file, even if that log has been deleted meanwhile.
 */
export function createHealth(file: string, rescue?: () => void) {
  const inMemory = file === ':memory:'
  const identity = inMemory ? undefined : identityOf(file)
  /** What SQLite keeps beside the file as long as it is open: a write into a deleted log would be lost. */
  const beside = new Map<string, string | undefined>()
  if (rescue) for (const end of ['-wal', '-shm']) beside.set(file + end, undefined)
  let trouble: Trouble | undefined
  let refused = 0
  let refusedAt = 0
  let problems: readonly string[] | undefined

  function inPlace(): boolean {
    if (inMemory) return true
    if (identityOf(file) !== identity) return false
    for (const [name, known] of beside) {
      const present = identityOf(name)
      if (known === undefined) beside.set(name, present)
      else if (present !== known) {
        if (present === undefined && trouble !== 'gone') save()
        return false
      }
    }
    return true
  }
  function save(): void {
    trouble = 'gone'
    try {
      rescue?.()
    } catch {
      // The next write, or the end of the service, tries again.
      trouble = undefined
    }
  }
  return {
    /** How many writes failed because of the disk or the file since the start. */
    refused: (): number => refused,
    /**
     * The damage that the last check of the whole file, or a failed statement, found; undefined before the first
     * check.
     */
    problems: () => problems,
    checked(damage: readonly string[]): void {
      // Damage that a statement found counts, even if the quick check finds none.
      if (trouble === 'damaged' && damage.length === 0) return
      problems = damage
      if (damage.length > 0) trouble = 'damaged'
    },
    /** Remembers damage that a failed statement, also one that only reads, has found. */
    failed(cause: unknown): void {
      if (troubleOf(cause) !== 'damaged') return
      trouble = 'damaged'
      problems ??= []
      if (problems.length === 0) problems = causesOf(cause).filter(isDamage).slice(0, 1).map(reason)
    },
    /** Call before a batch of writes. @throws when the file was replaced or removed, or is damaged */
    checkWritable(): void {
      if (trouble === 'damaged') throw refusal('damaged')
      if (!inPlace()) throw refusal('gone')
    },
    /** Call when a batch could not be saved. */
    lost(writes: number, cause: unknown): AppError {
      refused += writes
      refusedAt = performance.now()
      const error = cause instanceof AppError ? cause : storageError(cause)
      this.failed(cause)
      if (trouble !== 'damaged') trouble = inPlace() ? troubleOf(cause) : 'gone'
      return error
    },
    saved(): void {
      if (trouble !== 'damaged') trouble = undefined
    },
    /** Milliseconds since the last refused write, if none was saved since; undefined if a retry cannot help. */
    failingFor: (): number | undefined =>
      trouble === undefined || trouble === 'damaged' ? undefined : performance.now() - refusedAt,
    /** @throws when the service cannot work: the file is damaged or gone, writes fail, or no file handle is free */
    checkReady(): void {
      if (!inPlace()) throw refusal('gone')
      if (trouble !== undefined) throw refusal(trouble)
      if (inMemory) return
      try {
        // Never the database itself: closing any handle of a file gives up all of this process's locks on it.
        closeSync(openSync(devNull, 'r'))
      } catch (e) {
        throw storageError(e)
      }
    },
  }
}
export type Health = ReturnType<typeof createHealth>
