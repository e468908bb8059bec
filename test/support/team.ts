// A service of two workers and a writer, with an ADMIN and an owner.
import { readdirSync, readFileSync } from 'node:fs'
import { temporaryFolder } from './folder.ts'
import { launch, type Server, startServer } from './server.ts'

// Only Linux shares a port fairly, and only Bun asks it to.
export const able = process.platform === 'linux' && typeof Bun !== 'undefined'
export const VILLA = { name: 'Villa', addressLine: 'Rue Njo-Njo', city: 'Douala' }

export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
/** One that has ended may wait for its parent, or init, to take notice. */
export const runs = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
export async function until(holds: () => boolean | Promise<boolean>, ms = 15_000): Promise<boolean> {
  for (const late = performance.now() + ms; performance.now() < late; await Bun.sleep(20))
    if (await holds()) return true
  return false
}

async function account(data: string, phone: string, ...more: string[]): Promise<Record<string, string>> {
  const args = ['--phone', phone, '--first-name', 'Awa', '--last-name', 'Ngo', ...more]
  const made = launch({ data, command: 'user create', args })
  await made.end()
  return Object.fromEntries(
    made
      .output()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  )
}
export async function startTeam(env: Record<string, string> = {}) {
  const data = temporaryFolder('workers')
  const admin = await account(data, '+237670000001', '--role', 'ADMIN', '--role', 'OWNER')
  const owner = await account(data, '+237670000002', '--role', 'OWNER', '--org', admin.organization ?? '')
  const server = await startServer({ data, command: 'serve', env: { WORKERS: '2', ...env } })
  await until(async () => (await ready(server)).workers === 2)
  return {
    data,
    server,
    admin: await server.token('ADMIN'),
    owner: String(owner.user),
    ownerAs: await signIn(server, owner),
  }
}
export type Team = Awaited<ReturnType<typeof startTeam>>
export const ready = async ({ base }: Server) => (await (await fetch(`${base}/readyz`)).json()) as { workers?: number }
const signIn = async (server: Server, { password }: Record<string, string>): Promise<string> => {
  const given = { username: '+237670000002', password }
  return String((await server.call('', 'POST /api/v1/sandbox/token', given)).body.access_token)
}
/** Asks over a connection of its own, so that either worker may get it. */
export const asks = async ({ base }: Server, token: string, path: string) => {
  const answer = await fetch(`${base}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}`, connection: 'close' },
    keepalive: false,
  })
  return { status: answer.status, etag: answer.headers.get('etag'), text: await answer.text() }
}

/** How many GETs of a route were answered 200, as /metrics says; asked again where the worker that got the question hangs. */
export async function counted(server: Server, route: string): Promise<number> {
  const line = `loyer_http_request_duration_seconds_count{method="GET",route="${route}",status="200"} `
  const found = (await metrics(server)).split('\n').find((l) => l.startsWith(line))
  return Number(found?.slice(line.length) ?? 0)
}
export async function metrics({ base }: Server): Promise<string> {
  for (let left = 20; ; left--)
    try {
      return await (await fetch(`${base}/metrics`, { keepalive: false, signal: AbortSignal.timeout(2_000) })).text()
    } catch (e) {
      if (left === 0) throw e
    }
}
