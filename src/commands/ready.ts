import type { Config } from '../config.ts'
import type { Command } from './command.ts'

/** Asks the service of these settings whether it can work. @returns its answer @throws what it says, or that nothing answers */
export async function askReady({ host, port }: Pick<Config, 'host' | 'port'>): Promise<string> {
  const at = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  const url = `http://${at}:${port}/readyz`
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => {
    throw new Error(`Nothing answers at ${url}`)
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

/** `loyer ready`: asks as a container's health check does. */
export const ready: Command = ({ config }) => askReady(config())
