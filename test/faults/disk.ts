import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd, temporaryFolder } from '../support/folder.ts'
import { type Server, startServer } from '../support/server.ts'
import { audit } from './ledger.ts'
import { type Attempt, create } from './load.ts'

/** A disk that can be filled up and given room again while the service runs on it. */
export type Disk = {
  readonly name: string
  readonly data: string
  readonly shell?: string
  readonly fill: (server: Server) => void
  readonly free: (server: Server) => void
  readonly remove: () => void
}

/** Whether the command is there and ended well. */
export const run = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

/** Whether a small disk can be mounted here. */
export const canMount = (): boolean => {
  const disk = smallDisk(temporaryFolder('mount'), '1m')
  disk?.remove()
  return disk !== undefined
}
/** Whether the size of files can be limited here. */
export const canLimit = (): boolean => run('prlimit', '--version')

/** A small tmpfs; undefined where mounting is not permitted. */
export function smallDisk(folder: string, size = '16m'): Disk | undefined {
  const mount = join(folder, 'disk')
  mkdirSync(mount, { recursive: true })
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', mount)) return undefined
  const ballast = join(mount, 'ballast')
  const remove = () => run('umount', '-l', mount)
  atEnd(remove)
  return {
    name: `a full tmpfs of ${size}`,
    data: join(mount, 'data'),
    fill() {
      const { bavail, bsize } = statfsSync(mount)
      writeFileSync(ballast, Buffer.alloc(bavail * bsize))
    },
    free: () => rmSync(ballast),
    remove,
  }
}

/** A limit on the size of each file, which needs no rights: SQLite then hears an input/output error. */
export function limitedFiles(folder: string): Disk | undefined {
  if (!canLimit()) return undefined
  const limit = (server: Server, bytes: string) => {
    if (!run('prlimit', '--pid', String(server.pid), `--fsize=${bytes}:`)) throw new Error('prlimit failed')
  }
  return {
    name: 'a limit on the size of files',
    data: join(folder, 'data'),
    fill: (server) => limit(server, '4096'),
    free: (server) => limit(server, 'unlimited'),
    remove: () => {},
  }
}

const REFUSED = {
  status: 503,
  type: 'application/problem+json; charset=utf-8',
  code: 'storage_unavailable',
  retryAfter: true,
}

/** Fills the disk under a running service, looks what it answers, gives room back: as often as told. */
export async function fillAndFree(disk: Disk, rounds: number, port: number) {
  const server = await startServer({ data: disk.data, port })
  const token = await server.token()
  const attempts: Attempt[] = []
  const write = async (key: string) => {
    const answer = await create(server, token, key)
    const attempt: Attempt = { key, sentAt: 0 }
    attempts.push(attempt)
    if (answer.status === 201) attempt.id = String(answer.body.id)
    return answer
  }
  const surprises: string[] = []
  const expect = (what: string, good: boolean, seen: unknown): void => {
    if (!good) surprises.push(`${what}: ${JSON.stringify(seen)}`)
  }
  let refused = 0
  for (let round = 0; round < rounds; round++) {
    const before = await write(`before-${round}`)
    expect('a write with room', before.status === 201, before)
    disk.fill(server)
    // What lies ready in the log may still take a few.
    let full = await write(`full-${round}-0`)
    for (let i = 1; i < 400 && full.status === 201; i++) full = await write(`full-${round}-${i}`)
    const many = await Promise.all(Array.from({ length: 20 }, (_, i) => write(`many-${round}-${i}`)))
    for (const { status, headers, body } of [full, ...many]) {
      const seen = {
        status,
        type: headers.get('content-type'),
        code: body.code,
        retryAfter: Number(headers.get('retry-after')) >= 1,
      }
      if (JSON.stringify(seen) === JSON.stringify(REFUSED)) refused++
      else expect('a write without room', status === 201, seen)
    }
    for (const [path, expected] of [
      ['/api/v1/properties?limit=50', 200],
      [`/api/v1/properties/${String(before.body.id)}`, 200],
      ['/healthz', 200],
    ] as const) {
      const { status } = await server.call(token, `GET ${path}`)
      expect(`GET ${path} without room`, status === expected, status)
    }
    let ready = (await server.call(token, 'GET /readyz')).status
    // A job's write may still fit into the log after one that was refused, and says ready until the next refusal.
    for (let i = 0; i < 20 && ready !== 503; i++) {
      await write(`ready-${round}-${i}`)
      ready = (await server.call(token, 'GET /readyz')).status
    }
    expect('GET /readyz without room', ready === 503, ready)
    expect('the process', !server.ended(), server.output().slice(-500))
    disk.free(server)
    let after = await write(`after-${round}`)
    // The disk is looked at again a quarter of a second later.
    for (let i = 0; i < 20 && after.status !== 201; i++) {
      await Bun.sleep(100)
      after = await write(`after-${round}`)
    }
    expect('a write with room again', after.status === 201, after)
  }
  const books = audit(disk.data, attempts)
  const unkept = attempts.filter((a) => a.id === undefined).map((a) => a.key)
  // A refused write must not have happened: asked for again it happens once.
  for (const key of unkept) {
    const { status } = await create(server, token, key)
    expect(`the retry of ${key}`, status === 201, status)
  }
  const again = audit(disk.data, attempts)
  const { code } = await server.end('SIGTERM')
  return { disk: disk.name, refused, surprises, ...books, doubled: again.doubled, exit: code, log: server.output() }
}
