// The live service, started and stopped as an operator would: for tests of signals, sockets, disks and crashes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sameDate } from './clock/dates.ts'
import { atEnd } from './folder.ts'

const root = join(import.meta.dirname, '../..')
const MAIN = join(root, 'src/main.ts')

export type Options = {
  readonly data: string
  readonly command?:
    | 'demo'
    | 'demo clear'
    | 'serve'
    | 'doctor'
    | 'check'
    | 'migrate'
    | 'keys new'
    | 'user create'
    | 'user password'
    | 'user second-factor'
    | 'clock confirm'
    | 'backup'
    | 'verify'
    | 'restore'
    | 'rollback'
    | 'update'
    | 'import'
    | 'export'
  /** What follows the command. */
  readonly args?: readonly string[]
  /** A free one for servers. Keep it over restarts: it is part of the issuer's address, and so of every token. */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
  /** A compiled binary to run instead of the source. */
  readonly program?: string
  /** A shell line around the command, which it finds as "$@"; it must `exec`, so that signals arrive. */
  readonly shell?: string | undefined
  /** Called at once with the process, to watch it or to break its pipes. */
  readonly spawned?: (child: ChildProcess) => void
}
export type Ended = { readonly code: number | null; readonly signal: string | null; readonly ms: number }
export type Running = {
  readonly pid: number
  /** What it wrote to stdout and stderr, the last 20,000 characters. */
  readonly output: () => string
  readonly ended: () => boolean
  /** Sends the signal, if any, and waits for the end. */
  readonly end: (signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGKILL') => Promise<Ended>
}
export type Call = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }
export type Server = Running & {
  readonly base: string
  readonly port: number
  /** From the start of the process to the first good answer of /readyz. */
  readonly readyMs: number
  /** A new access token of the demo's user with the role. */
  readonly token: (role?: string) => Promise<string>
  readonly call: (token: string, line: string, body?: unknown, headers?: Record<string, string>) => Promise<Call>
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Starts the service and does not wait. The environment holds the given settings and nothing of the machine's. */
export function launch({
  data,
  command = 'demo',
  args: after = [],
  port,
  env = {},
  program: binary,
  shell,
  spawned,
}: Options): Running {
  const { PATH = '', HOME = '', TMPDIR } = process.env
  const settings = {
    LOYER_DATA: data,
    XDG_STATE_HOME: join(data, 'state'),
    LOYER_MODE: 'sandbox',
    RATE_LIMITS: 'off',
    ...env,
  }
  const line = [...(binary === undefined ? [process.execPath, MAIN] : [binary]), ...command.split(' '), ...after]
  const [program = '', ...args] = shell === undefined ? line : ['sh', '-c', shell, 'sh', ...line]
  const child = spawn(program, args, {
    cwd: root,
    env: {
      PATH,
      HOME,
      ...sameDate(),
      ...(TMPDIR ? { TMPDIR } : {}),
      ...(port ? { PORT: String(port) } : {}),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // One that has ended is left alone, whoever has its number now.
  atEnd(() => void child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: unknown) => {
      text = (text + String(chunk)).slice(-20_000)
    })
    stream.on('error', () => {})
  }
  const closed = once(child, 'close')
  spawned?.(child)
  const ended = () => child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid ?? 0,
    output: () => text,
    ended,
    async end(signal) {
      const began = performance.now()
      if (signal && !ended()) child.kill(signal)
      await closed
      return { code: child.exitCode, signal: child.signalCode, ms: Math.round(performance.now() - began) }
    },
  }
}

/** Whether /readyz answers 200 now. */
export const isReady = (base: string): Promise<boolean> =>
  fetch(`${base}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    (answer) => answer.body?.cancel().then(() => answer.ok) ?? answer.ok,
    () => false,
  )

/** Starts the service and waits until it is ready. @throws with its last words when it ends, or is not ready in time */
export async function startServer(options: Options): Promise<Server> {
  const port = options.port ?? (await freePort())
  const base = `http://127.0.0.1:${port}`
  const began = performance.now()
  const running = launch({ ...options, port })
  while (!(await isReady(base))) {
    if (running.ended()) {
      const { code, signal } = await running.end()
      throw new Error(`the service ended with ${code ?? signal}:\n${running.output()}`)
    }
    if (performance.now() - began > 90_000) {
      await running.end('SIGKILL')
      throw new Error(`the service was not ready within 90 s:\n${running.output()}`)
    }
    await Bun.sleep(5)
  }
  const readyMs = Math.round(performance.now() - began)

  const call: Server['call'] = async (token, line, body, headers = {}) => {
    const [method = 'GET', path = '/'] = line.split(' ')
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : {} }
  }
  const token: Server['token'] = async (role = 'OWNER') => {
    const { status, body } = await call('', 'POST /api/v1/sandbox/token', { role })
    if (status !== 200) throw new Error(`no token: ${status} ${JSON.stringify(body)}`)
    return String(body.access_token)
  }
  return { ...running, base, port, readyMs, token, call }
}
