import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { givingBack, syncFolder } from '../../db/files.ts'
import { isDenied, reason, StoreError } from '../../db/store-error.ts'
import { finishReplacing, isCutOff } from '../adapters/backups/replace.ts'
import { asRoot, INSTALLED, SERVICE_SETTINGS } from './service.ts'

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

/** How a line begins that changes this program: where its folder is root's, only root may. */
export const sudoFor = (program: string): string =>
  process.getuid !== undefined && statSync(dirname(program)).uid === 0 ? 'sudo ' : ''
/** The line to type for a command that changes this program. `settings`: the file that --config names. */
export function lineFor(program: string, command: string, settings?: string): string {
  const [sudo, { LOYER_DATA }] = [sudoFor(program), process.env]
  // sudo passes no environment on.
  const folder = sudo && LOYER_DATA ? `LOYER_DATA=${LOYER_DATA} ` : ''
  const file = settings === undefined || settings === SERVICE_SETTINGS ? '' : ` --config ${settings}`
  return `${sudo}${folder}${program === INSTALLED ? 'loyer' : program} ${command}${file}`
}

/**
 * Finishes a restore or rollback whose process was killed. `settings`: the file that --config names. @throws StoreError
 * if this program has to give way to the one before it, or if this user may not finish it: then nothing was moved
 */
export function finishCutOff(target: Parameters<typeof finishReplacing>[0], settings?: string): void {
  let isReplaced = false
  try {
    finishReplacing(target, {
      expect: (program) => expectRight(program, settings),
      putBack: (program) => {
        isReplaced = existsSync(previousOf(program))
        putBack(program)
      },
    })
  } catch (e) {
    if (!isDenied(e) || process.platform === 'win32') throw e
    throw new StoreError(
      78,
      `A restore or rollback was cut off, and this user may not finish it: ${reason(e)}. Give the folder to its owner, then start Loyer, which finishes it: ${givingBack(target.dataDir)}`,
      e,
    )
  }
  if (isReplaced)
    throw new StoreError(
      75,
      'The rollback that was cut off is finished: the database and the Loyer from before the update are in place again. Start it.',
    )
}

/** Refuses a folder that is half replaced to who cannot finish it. @throws StoreError */
export function expectSettled({ dataDir }: { readonly dataDir: string }): void {
  if (isCutOff(dataDir))
    throw new StoreError(
      75,
      `A restore or rollback in ${dataDir} is under way, or was cut off: then start Loyer, which finishes it or says who can.`,
    )
}

/** Refuses a rollback of this program to who may not replace it. @throws StoreError */
function expectRight(program: string, settings: string | undefined): void {
  if (!existsSync(previousOf(program))) return
  try {
    accessSync(dirname(program), constants.W_OK)
  } catch (e) {
    throw new StoreError(
      78,
      `A rollback was cut off, and this user may not finish it: ${dirname(program)} belongs to another. Type: ${lineFor(program, 'rollback', settings)}. Until then everything stays as it is, and nothing is served.`,
      e,
    )
  }
}
