import { chmodSync, chownSync, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../db/files.ts'
import { StoreError } from '../../db/store-error.ts'
import { finishReplacing } from '../adapters/backups/replace.ts'
import { asRoot } from './service.ts'

/** Where the program before the last update is kept. */
export const previousOf = (program: string): string => `${program}.previous`
/** Where the newer program is kept after a rollback. */
export const newerOf = (program: string): string => `${program}.newer`

/** Gives a program the place of another, which is kept under the name `aside`; there is a program in place at every moment. */
export function swap(staged: string, program: string, aside: string): void {
  const { mode, uid, gid } = statSync(program)
  chmodSync(staged, mode & 0o777)
  if (process.getuid?.() === 0) chownSync(staged, uid, gid)
  if (process.platform === 'win32') {
    // A running program can be renamed but not replaced.
    rmSync(aside, { force: true })
    renameSync(program, aside)
    try {
      renameSync(staged, program)
    } catch (e) {
      renameSync(aside, program)
      throw e
    }
    return
  }
  rmSync(`${aside}.new`, { force: true })
  try {
    linkSync(program, `${aside}.new`)
  } catch {
    copyFileSync(program, `${aside}.new`)
  }
  renameSync(`${aside}.new`, aside)
  // Two names of one file are left as they are by a rename.
  rmSync(`${aside}.new`, { force: true })
  renameSync(staged, program)
  syncFolder(dirname(program))
}

/** Puts the program from before the last update back, unless it is in place already; the newer one is kept beside it. */
export function putBack(program: string): void {
  if (existsSync(previousOf(program))) asRoot(() => swap(previousOf(program), program, newerOf(program)))
}

/**
 * Finishes a restore or rollback whose process was killed. @throws StoreError if this program has to give way to the one
 * before it
 */
export function finishCutOff(target: Parameters<typeof finishReplacing>[0]): void {
  let isReplaced = false
  finishReplacing(target, (program) => {
    isReplaced = existsSync(previousOf(program))
    putBack(program)
  })
  if (isReplaced)
    throw new StoreError(
      75,
      'The rollback that was cut off is finished: the database and the Loyer from before the update are in place again. Start it.',
    )
}
