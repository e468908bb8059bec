// Starting, watching and stopping the service under test, as an operator would.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PRELOAD, sameDate } from '../../test/support/clock/dates.ts'

const root = join(import.meta.dirname, '../..')
const DENO = 'deno@2.9.6'

/** How to start Loyer: the command in front of `demo`, the folder it runs in and the environment it gets. */
export type Way = { command: string[]; cwd: string; env: Record<string, string> }
export type Server = { base: string; stop: () => Promise<{ code: number | null; ms: number }>; output: () => string }

/** The real Deno executable: signals must reach it, not the npm process that fetched it. */
const denoPath = (): string => {
  const [command = '', ...args] = Bun.which('npx') ? ['npx', '--yes', DENO] : [process.execPath, 'x', DENO]
  const { status, stdout, stderr } = spawnSync(command, [...args, 'eval', 'console.log(Deno.execPath())'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${DENO} did not start: ${stderr}`)
  return stdout.trim().split('\n').at(-1) ?? ''
}

/** A command line of Deno, with the module that moves the clock of what it runs. */
const onItsDate = (line: string): string => line.replace('deno run ', `deno run --preload=${PRELOAD} `)

/** The permissions of the deno.json task, so that the task is what is tested. */
const denoArguments = async (): Promise<string[]> => {
  const config: { tasks: Record<string, string> } = await Bun.file(join(root, 'deno.json')).json()
  return onItsDate(config.tasks['start:deno'] ?? '')
    .split(' ')
    .filter((word) => word !== 'deno' && word !== 'demo')
}

export const wayOf = async (runtime: 'binary' | 'bun' | 'deno', binary: string, folder: string): Promise<Way> => {
  if (runtime === 'binary') return { command: [binary], cwd: folder, env: { ...sameDate() } }
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...sameDate() }
  if (runtime === 'bun') return { command: [process.execPath, 'src/main.ts'], cwd: root, env }
  return { command: [denoPath(), ...(await denoArguments())], cwd: root, env: { ...env, DENO_NO_UPDATE_CHECK: '1' } }
}

const LEFT_OUT = /(^|\/)(node_modules|dist|\.git|loyer-(demo|data)|[\w-]+\.gen\.ts)(\/|$)/
/** A machine that has Deno and nothing else: a bare copy of the sources, Deno alone on the path, an empty home. */
export const denoAlone = (folder: string): Way => {
  const cwd = join(folder, 'bare')
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(denoPath(), join(bin, 'deno'))
  cpSync(root, cwd, { recursive: true, filter: (path) => !LEFT_OUT.test(path.slice(root.length)) })
  const tasks = join(cwd, 'deno.json')
  writeFileSync(tasks, onItsDate(readFileSync(tasks, 'utf8')))
  // Registries of a company's own are known to the system's certificates, not to Deno's.
  const home = { PATH: bin, HOME: join(folder, 'home'), ...sameDate() }
  const env = { ...home, DENO_NO_UPDATE_CHECK: '1', DENO_TLS_CA_STORE: 'mozilla,system' }
  return { command: [join(bin, 'deno'), 'task', 'start'], cwd, env }
}

/** Runs a command to its end, 30 seconds at most. */
export const runCommand = (way: Way, args: string[], env: Record<string, string>) => {
  const [command = '', ...front] = way.command
  const options = { cwd: way.cwd, env: { ...way.env, ...env }, encoding: 'utf8', timeout: 30_000 } as const
  const { status, stdout, stderr } = spawnSync(command, [...front, ...args], { ...options, maxBuffer: 2 ** 26 })
  return { status, stdout, stderr }
}

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const exited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

export const start = async (way: Way, data: string, port: number, words = ['demo']): Promise<Server> => {
  const base = `http://127.0.0.1:${port}`
  const [command = '', ...front] = way.command
  const env = { ...way.env, PORT: String(port), HOST: '127.0.0.1', LOYER_DATA: data }
  const child = spawn(command, [...front, ...words], { cwd: way.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let text = ''
  const keep = (chunk: unknown) => {
    text = (text + String(chunk)).slice(-8000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.on('exit', () => running.delete(child))

  const deadline = Date.now() + 120_000
  const ready = () =>
    fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
      (answer) => answer.ok,
      () => false,
    )
  while (!(await ready())) {
    if (exited(child)) throw new Error(`demo ended with ${child.exitCode ?? child.signalCode}:\n${text}`)
    if (Date.now() > deadline) throw new Error(`demo was not ready within 120 s:\n${text}`)
    await Bun.sleep(50)
  }
  const stop = async () => {
    const began = Date.now()
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    if (!exited(child)) await once(child, 'exit')
    clearTimeout(timer)
    return { code: child.exitCode, ms: Date.now() - began }
  }
  return { base, stop, output: () => text }
}
