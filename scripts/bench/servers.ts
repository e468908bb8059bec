// Starts and stops the servers that are compared; each says its port on a line of JSON.

import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { freePort } from '../smoke/server.ts'
import { processorSeconds } from './load.ts'

const root = join(import.meta.dirname, '../..')
/** What an operator runs. */
export const BINARY = join(root, 'dist/loyer')
/** What is wrong with the binary, in a sentence; undefined where it is of the sources as they are. */
export function staleBinary(): string | undefined {
  const built = statSync(BINARY, { throwIfNoEntry: false })?.mtimeMs
  if (built === undefined) return 'The binary is measured, and there is none yet: run npm run build first.'
  const later = globSync('{src,db}/**/*.{ts,svelte,sql}', { cwd: root, exclude: (name) => name.endsWith('.gen.ts') })
  return later.some((name) => statSync(join(root, name)).mtimeMs > built)
    ? 'The binary is measured, and it is older than the sources: run npm run build first.'
    : undefined
}
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
 * The service as an operator runs it, from its binary, but on any free port and without request limits. After each start it checks
 * its whole database in a thread: it is measured after that.
 */
export async function serve(data: string, issuer: string, more: Readonly<Record<string, string>> = {}): Promise<Child> {
  const env = { LOYER_DATA: data, AUTH_URL: issuer, PORT: String(await freePort()), RATE_LIMITS: 'off', ...more }
  const child = await start([BINARY], { args: ['serve'], env })
  await rested(child.pid)
  return child
}
