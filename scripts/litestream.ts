// npm run smoke:litestream: a second machine takes over. Writes are copied by Litestream, both processes are killed, the
// copy is restored in another folder and served, and what was acknowledged and is not there is counted.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { cleaner, temporaryFolder } from '../test/support/folder.ts'
import { PASSWORD, PHONE } from '../test/support/oidc.ts'
import { freePort, launch, type Server, startServer } from '../test/support/server.ts'

const VERSION = 'v0.5.18'
const MODULE = `github.com/benbjohnson/litestream/cmd/litestream@${VERSION}`
const CLIENTS = 8
/** How long the clients write: before the service is started anew, and after that until the kill. */
const [BEFORE_MS, AFTER_MS] = [3_000, 6_000]
/** What was acknowledged longer than this before the kill must be in the copy. */
const LOST_MS = 2_000
const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** The program: LITESTREAM names one, else Go builds it once. Undefined where there is no Go. */
function findLitestream(): string | undefined {
  if (process.env.LITESTREAM) return process.env.LITESTREAM
  const folder = join(import.meta.dirname, '../node_modules/.cache', `litestream-${VERSION}`)
  const program = join(folder, 'litestream')
  if (existsSync(program)) return program
  if (Bun.which('go') === null) return undefined
  say(`Building Litestream ${VERSION} ...`)
  const draft = temporaryFolder('litestream')
  const { status } = spawnSync('go', ['install', MODULE], { stdio: 'inherit', env: { ...process.env, GOBIN: draft } })
  if (status !== 0) process.exit(status ?? 1)
  mkdirSync(folder, { recursive: true })
  // Copied beside its place, so that a copy cut short leaves nothing that looks whole.
  cpSync(join(draft, 'litestream'), `${program}.new`)
  renameSync(`${program}.new`, program)
  return program
}

const litestream = findLitestream()
if (litestream === undefined) {
  say('smoke:litestream did not run: there is no Go here.')
  process.exit(0)
}

const [first, second, place] = [
  temporaryFolder('first'),
  join(temporaryFolder('second'), 'data'),
  temporaryFolder('copy'),
]
const database = join(first, 'loyer.db')
const [config, log] = [join(place, 'litestream.yml'), join(place, 'litestream.log')]
const copy = join(place, 'copy')
writeFileSync(config, `dbs:\n  - path: ${database}\n    monitor-interval: 500ms\n    replica:\n      path: ${copy}\n`)
const port = await freePort()
// The issuer's address is in every token: the second machine answers at the first one's.
const env = { PUBLIC_URL: `http://127.0.0.1:${port}` }

const names = ['--first-name', 'Ana', '--last-name', 'Ngo Bell']
const person = ['--phone', PHONE, '--role', 'OWNER', '--password', PASSWORD, ...names]
const account = launch({ data: first, command: 'user create', args: person })
assert.equal((await account.end()).code, 0, account.output())

const serve = (data: string): Promise<Server> => startServer({ data, command: 'serve', port, env })
let server = await serve(first)
const out = openSync(log, 'a')
const replicating: ChildProcess = spawn(litestream, ['replicate', '-config', config], { stdio: ['ignore', out, out] })
process.on('exit', () => replicating.kill('SIGKILL'))
const isCopied = (): boolean =>
  existsSync(copy) && readdirSync(copy, { recursive: true }).some((n) => /\.ltx$/.test(`${n}`))
for (const until = Date.now() + 30_000; !isCopied() && Date.now() < until; ) await Bun.sleep(100)
assert.ok(isCopied(), `nothing was copied:\n${readFileSync(log, 'utf8')}`)

const token = await server.token('OWNER')
type Acknowledged = { readonly id: string; readonly at: number }
const acknowledged: Acknowledged[] = []
/** Writes until `ms` are over, or the service is gone, and notes each acknowledged write with its time. */
async function write(ms: number): Promise<void> {
  const until = Date.now() + ms
  const client = async (i: number): Promise<void> => {
    for (let n = 0; Date.now() < until; n++) {
      const home = { name: `Villa ${i}-${n}`, addressLine: 'Rue Njo-Njo', city: 'Douala' }
      const answer = await server.call(token, 'POST /api/v1/properties', home).catch(() => undefined)
      if (answer === undefined) return
      assert.equal(answer.status, 201)
      acknowledged.push({ id: String(answer.body.id), at: Date.now() })
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)))
}
await write(BEFORE_MS)
// The copy goes on through an orderly end, which brings the write-ahead log into the database.
assert.equal((await server.end('SIGTERM')).code, 0, server.output())
server = await serve(first)
const writing = write(AFTER_MS + 60_000)
await Bun.sleep(AFTER_MS)
const killedAt = Date.now()
replicating.kill('SIGKILL')
await server.end('SIGKILL')
await writing
if (replicating.exitCode === null && replicating.signalCode === null) await once(replicating, 'exit')

mkdirSync(second, { recursive: true })
cpSync(join(first, 'keys'), join(second, 'keys'), { recursive: true })
const restored = join(second, 'loyer.db')
const { status, stderr } = spawnSync(litestream, ['restore', '-config', config, '-o', restored, database], {
  encoding: 'utf8',
})
assert.equal(status, 0, stderr)
const opened = new Database(restored)
assert.deepEqual(opened.pragma('integrity_check'), [{ integrity_check: 'ok' }])
assert.deepEqual(opened.pragma('foreign_key_check'), [])
const there = new Set(opened.prepare('select id from property').pluck().all())
opened.close()
const missing = acknowledged.filter(({ id }) => !there.has(id))
const oldest = Math.max(0, ...missing.map(({ at }) => killedAt - at))
say(`acknowledged ${acknowledged.length}, missing ${missing.length}, all within the last ${oldest} ms before the kill`)
assert.ok(oldest <= LOST_MS, `a write of ${oldest} ms before the kill is missing:\n${readFileSync(log, 'utf8')}`)

server = await serve(second)
const whole = await server.token('OWNER')
const one = acknowledged.find(({ id }) => there.has(id))
assert.equal((await server.call(whole, `GET /api/v1/properties/${one?.id}`)).status, 200)
assert.equal((await server.call(token, 'GET /api/v1/me')).status, 200, 'tokens of the first machine hold')
const next = { name: 'Next', addressLine: 'Rue Njo-Njo', city: 'Douala' }
assert.equal((await server.call(whole, 'POST /api/v1/properties', next)).status, 201)
assert.equal((await server.end('SIGTERM')).code, 0, server.output())
say('The copy was served, and takes writes.')
await cleaner()()
process.exit(0)
