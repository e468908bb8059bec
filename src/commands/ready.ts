import type { Command } from './command.ts'

/** `loyer ready`: asks the service of these settings whether it can work, as a container's health check does. */
export const ready: Command = async ({ config: settings }) => {
  const { host, port } = settings()
  const at = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  const url = `http://${at}:${port}/readyz`
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => {
    throw new Error(`Nothing answers at ${url}`)
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
