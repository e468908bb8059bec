// Two services that share a log of changes on a real libSQL server.
import type { ChildProcess } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { findSqld, startSqld } from '../../scripts/sqld.ts'
import { atEnd, temporaryFolder } from './folder.ts'
import { startS3 } from './s3.ts'
import { freePort, type Options, type Server, startServer } from './server.ts'

/** Whether this machine has, or can fetch, a libSQL server. */
export const sqld = findSqld()

type Primary = {
  readonly port: number
  readonly data: string
  /** Ends it at once, as a power cut would. */
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly freeze: () => void
  readonly thaw: () => void
}
async function startPrimary(): Promise<Primary> {
  const port = await freePort()
  const data = join(temporaryFolder('primary'), 'data')
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    child = await startSqld(sqld ?? '', data, port)
  }
  const kill = async (): Promise<void> => {
    const was = child
    if (!was) return
    was.kill('SIGKILL')
    if (was.exitCode === null && was.signalCode === null) await new Promise((ended) => was.once('exit', ended))
  }
  atEnd(() => void child?.kill('SIGKILL'))
  await start()
  return { port, data, start, kill, freeze: () => void child?.kill('SIGSTOP'), thaw: () => void child?.kill('SIGCONT') }
}

/** A primary, files on an S3 server, and as many nodes as are asked for. */
export async function startCluster() {
  const primary = await startPrimary()
  const files = await startS3({ bucket: 'homes' })
  const folder = temporaryFolder('nodes')
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  const env = {
    DATABASE_URL: `libsql://127.0.0.1:${primary.port}?tls=0`,
    FILES_TO: 's3://homes/loyer',
    FILES_ENDPOINT: files.settings.endpoint,
    FILES_REGION: files.settings.region,
    FILES_KEY_ID: files.settings.keyId,
    FILES_KEY_SECRET: files.settings.secret,
    PUBLIC_URL: publicUrl,
  }
  const dataOf = (name: string): string => join(folder, name)
  /** Starts a node; one that has no keys yet gets those of the first. */
  const node = (name: string, more: Partial<Options> = {}): Promise<Server> => {
    if (name !== 'a') cpSync(join(dataOf('a'), 'keys'), join(dataOf(name), 'keys'), { recursive: true })
    return startServer({ data: dataOf(name), command: 'serve', ...more, env: { ...env, ...more.env } })
  }
  return { primary, files, node, dataOf, env }
}
