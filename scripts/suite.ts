import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { temporaryFolder } from '../test/support/folder.ts'
import { freePort } from '../test/support/server.ts'
import { startSqld } from './sqld.ts'

const root = join(import.meta.dirname, '..')
const FILES = ['test/features', 'test/http', 'test/jobs', 'test/races', 'test/life.test.ts']

/** Runs the scenario suite, or the named files of it, over two nodes and a real libSQL server. @returns the exit code */
export async function runSuite(program: string, files: readonly string[]): Promise<number> {
  const [port, admin] = [await freePort(), await freePort()]
  const primary = await startSqld(program, join(temporaryFolder('suite'), 'data'), port, admin)
  process.on('exit', () => primary.kill('SIGKILL'))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const named = files.length > 0 ? files : FILES
  const tests = spawn(process.execPath, ['test', '--parallel', '--timeout', '120000', ...named], {
    cwd: root,
    env: { ...process.env, LOYER_TEST_LOG: `${port},${admin}` },
    stdio: 'inherit',
  })
  return new Promise((resolve) => tests.once('exit', (code) => resolve(code ?? 1)))
}
