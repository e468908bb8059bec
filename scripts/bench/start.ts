// What an operator sees: how soon it answers, what it takes when idle, how large it is.
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { freePort } from '../smoke/server.ts'
import { processorSeconds } from './load.ts'
import { type Child, rested, start } from './servers.ts'

const MEBIBYTE = 2 ** 20
const residentMb = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024

/** From the start of the process to the first 200 of /readyz, and its memory two seconds later. */
async function once(command: readonly string[], data: string): Promise<{ ms: number; mb: number }> {
  const port = await freePort()
  const began = performance.now()
  let ms = Number.NaN
  const starting: Promise<Child> = start(command, { args: ['serve'], env: { LOYER_DATA: data, PORT: String(port) } })
  while (Number.isNaN(ms)) {
    const ok = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (r) => r.ok,
      () => false,
    )
    if (ok) ms = performance.now() - began
    else await Bun.sleep(1)
  }
  const child = await starting
  await Bun.sleep(2000)
  const mb = residentMb(child.pid)
  await child.stop()
  return { ms, mb }
}

export async function startUp(
  command: readonly string[],
  data: string,
  times: number,
): Promise<{ ms: number; mb: number }> {
  // The first start makes keys and tables.
  await once(command, data)
  const all = []
  for (let i = 0; i < times; i++) all.push(await once(command, data))
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
  return { ms: middle(all.map((s) => s.ms)), mb: middle(all.map((s) => s.mb)) }
}

const IDLE_S = 10
/** Memory with a full folder, once it has been checked, and the processor time that ten idle seconds take. */
export async function idle(command: readonly string[], data: string): Promise<{ mb: number; ms: number }> {
  const { pid, stop } = await start(command, {
    args: ['serve'],
    env: { LOYER_DATA: data, PORT: String(await freePort()) },
  })
  await Bun.sleep(5000)
  await rested(pid)
  const before = processorSeconds(pid) ?? Number.NaN
  await Bun.sleep(IDLE_S * 1000)
  const ms = ((processorSeconds(pid) ?? Number.NaN) - before) * 1000
  const mb = residentMb(pid)
  await stop()
  return { mb, ms }
}

export const sizeMb = (file: string): number => statSync(file).size / MEBIBYTE
