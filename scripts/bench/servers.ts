// Starts and stops the servers that are compared; each says its port on a line of JSON.

import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { freePort } from '../smoke/server.ts'
import { processorSeconds } from './load.ts'

const root = join(import.meta.dirname, '../..')
const running = new Set<Subprocess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

export type Child = { readonly port: number; readonly pid: number; readonly stop: () => Promise<void> }
type Options = { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }

/** `command`: a script to run with this Bun, or an executable with its arguments. Resolves when it has said its port. */
export async function start(command: readonly string[], { args = [], env = {} }: Options = {}): Promise<Child> {
  const [first = ''] = command
  const child = Bun.spawn([...(first.endsWith('.ts') ? [process.execPath] : []), ...command, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'production', ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  running.add(child)
  void child.exited.then(() => running.delete(child))
  const port = await new Promise<number>((ready, failed) => {
    void child.exited.then((code) => failed(new Error(`${command.join(' ')} ended with ${code}`)))
    void (async () => {
      let text = ''
      // Read to the end: a full pipe would hold the server up.
      for await (const chunk of child.stdout) {
        if (text === '*') continue
        text += Buffer.from(chunk).toString()
        const port = /"port":(\d+)/.exec(text)?.[1]
        if (port === undefined) continue
        text = '*'
        ready(Number(port))
      }
    })()
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  return { port, pid: child.pid, stop }
}

/** Waits until a process has used less than a tenth of a processor for a second. */
export async function rested(pid: number): Promise<void> {
  const used = () => processorSeconds(pid) ?? 0
  for (let before = -1, now = used(); now - before > 0.1; now = used()) {
    before = now
    await Bun.sleep(1000)
  }
}

/**
 * The service itself as an operator runs it, but on any free port and without request limits. After each start it checks
 * its whole database in a thread: it is measured after that.
 */
export async function serve(data: string, issuer: string, more: Readonly<Record<string, string>> = {}): Promise<Child> {
  const env = { LOYER_DATA: data, AUTH_URL: issuer, PORT: String(await freePort()), RATE_LIMITS: 'off', ...more }
  const child = await start(['src/main.ts'], { args: ['serve'], env })
  await rested(child.pid)
  return child
}
