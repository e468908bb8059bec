// A command of Loyer from source in a process of its own, as somebody types it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { sameDate } from './clock/dates.ts'

const MAIN = join(import.meta.dirname, '../../src/main.ts')

/** Commands that leave what they note of this machine in a folder, and run there unless told otherwise. */
export const commandsIn =
  (folder: string) =>
  (args: string[], { cwd = folder, env = {} }: { cwd?: string; env?: Record<string, string> } = {}) => {
    const { PATH = '', HOME = '' } = process.env
    const run = spawnSync(process.execPath, [MAIN, ...args], {
      cwd,
      env: { PATH, HOME, ...sameDate(), XDG_STATE_HOME: join(folder, 'state'), LOYER_CONFIG: '', ...env },
      encoding: 'utf8',
    })
    return { code: run.status, out: run.stdout + run.stderr }
  }
