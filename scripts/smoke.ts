// `bun scripts/smoke.ts --binary dist/loyer | --bun | --deno`: starts `demo` on an empty folder, as a newcomer would.
import '../test/support/clock/own.ts'
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { dataScenarios } from './smoke/data.ts'
import { mediaAfterRestart, mediaScenarios } from './smoke/media.ts'
import { paperScenarios, papersAfterRestart } from './smoke/papers.ts'
import { afterRestart, caller, type Scenario, scenarios, type World } from './smoke/scenarios.ts'
import { denoAlone, freePort, runCommand, start, type Way, wayOf } from './smoke/server.ts'

const { values } = parseArgs({
  options: { binary: { type: 'string' }, bun: { type: 'boolean' }, deno: { type: 'boolean' } },
})
const runtime = values.binary === undefined ? (values.deno ? 'deno' : 'bun') : 'binary'
const folder = mkdtempSync(join(tmpdir(), 'loyer-smoke-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const version: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version

let failures = 0
const report = async (name: string, run: () => Promise<void>): Promise<boolean> => {
  const began = performance.now()
  const problem = await run().then(
    () => undefined,
    // the rest of an assertion's message is a comparison over many lines
    (error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)),
  )
  if (problem !== undefined) failures += 1
  const time = `${Math.round(performance.now() - began)} ms`.padStart(8)
  process.stdout.write(`${problem === undefined ? 'ok  ' : 'FAIL'} ${time}  ${name}\n`)
  if (problem !== undefined) process.stdout.write(`               ${problem}\n`)
  return problem === undefined
}

type Command = {
  name: string
  args: string[]
  input?: string
  binaryOnly?: true
  check: (out: string, data: string) => void
}

const commands: Command[] = [
  { name: '--version', args: ['--version'], check: (out) => assert.ok(out.includes(String(version)), out) },
  { name: '--help', args: ['--help'], check: (out) => assert.match(out, /\bserve\b[\s\S]*\bdemo\b/) },
  { name: 'openapi', args: ['openapi'], check: (out) => assert.ok(Object.keys(JSON.parse(out).paths).length > 10) },
  {
    name: 'migrate on an empty folder',
    args: ['migrate'],
    binaryOnly: true,
    check: (_, data) => assert.ok(readdirSync(data).some((name) => name.endsWith('.db'))),
  },
  {
    name: 'user create',
    args: [
      'user',
      'create',
      '--phone',
      '+237699000001',
      '--role',
      'ADMIN',
      '--first-name',
      'Awa',
      '--last-name',
      'Ngo',
    ],
    binaryOnly: true,
    check: (out) => assert.match(out, /^user [0-9a-f-]{36}\n[\s\S]*^password \S+$/m),
  },
]

const runCommands = async (way: Way): Promise<void> => {
  const data = join(folder, 'commands')
  mkdirSync(data, { recursive: true })
  for (const { name, args, binaryOnly, check } of commands) {
    if (binaryOnly && runtime !== 'binary') continue
    await report(name, async () => {
      const { status, stdout, stderr } = runCommand(way, args, { LOYER_DATA: data })
      assert.equal(status, 0, `exit ${status}: ${stderr.slice(-600)}`)
      check(stdout, data)
    })
  }
}

/** Settings come from the environment only: what lies in the working folder must not run or count. */
const straysAreIgnored = async (way: Way): Promise<void> => {
  const cwd = join(folder, 'stray')
  mkdirSync(cwd)
  writeFileSync(join(cwd, '.env'), 'PORT=none\n')
  writeFileSync(join(cwd, 'bunfig.toml'), 'preload = ["./evil.ts"]\n')
  writeFileSync(join(cwd, 'evil.ts'), 'await Bun.write("evil", "")\n')
  await report('a stray .env and bunfig.toml are ignored', async () => {
    const { status, stderr } = runCommand({ ...way, cwd }, ['migrate'], { LOYER_DATA: join(cwd, 'data') })
    assert.equal(status, 0, stderr.slice(-600))
    assert.ok(!existsSync(join(cwd, 'evil')))
  })
}

/** The binary unpacks SQLite before it can load it: where it cannot, it names that folder, not the one of the data. */
const unpackingIsNamed = (way: Way): Promise<boolean> =>
  report('nowhere to unpack to: exit 78, and TMPDIR is named', async () => {
    const [data, TMPDIR] = [join(folder, 'unpacked'), join(folder, 'missing')]
    const { status, stderr } = runCommand({ ...way, env: { ...way.env, TMPDIR } }, ['migrate'], { LOYER_DATA: data })
    assert.equal(status, 78, stderr.slice(-600))
    assert.match(stderr, /to \S+missing, the folder for temporary files, .* TMPDIR\.$/m)
    assert.ok(!existsSync(join(data, 'loyer.db')))
  })

const runServer = async (way: Way, world: World, table: Scenario[]): Promise<void> => {
  const began = performance.now()
  const server = await start(way, join(folder, 'data'), port)
  process.stdout.write(`     ${server.base} ready after ${Math.round(performance.now() - began)} ms\n`)
  world.call = caller(server.base)
  const before = failures
  for (const { name, run } of table) await report(name, () => run(world))
  if (table === first) {
    if (Bun.which('bash') && Bun.which('curl'))
      await report('the walks of the handbook', () => handbookWalks(server.base))
    else process.stdout.write('     the walks of the handbook were not tried: they need bash and curl\n')
  }
  await report('SIGTERM → exit 0 within 10 s', async () => {
    const { code, ms } = await server.stop()
    assert.equal(code, 0, `exit ${code} after ${ms} ms`)
  })
  if (failures > before) process.stdout.write(`--- the server's last words ---\n${server.output()}\n`)
}

/** `deno task start` fetches what it needs, makes what is made, and serves: no Node, npm or Bun on the machine. */
const startsWithDenoAlone = (): Promise<boolean> =>
  report('a bare copy starts with nothing but Deno', async () => {
    const server = await start(denoAlone(folder), join(folder, 'alone'), port, [])
    try {
      const document = await (await fetch(`${server.base}/openapi.json`)).json()
      assert.ok(Object.keys(document.paths).length > 10)
      const role = JSON.stringify({ role: 'OWNER' })
      const headers = { 'content-type': 'application/json' }
      const token = await fetch(`${server.base}/api/v1/sandbox/token`, { method: 'POST', headers, body: role })
      assert.equal(token.status, 200)
    } finally {
      assert.equal((await server.stop()).code, 0, server.output())
    }
  })

/** The walks of the handbook, pasted into a shell as they stand. */
const handbookWalks = async (base: string): Promise<void> => {
  const chapter = readFileSync(join(import.meta.dirname, '../src/web/handbook/en/walk.md'), 'utf8')
  const blocks = chapter.matchAll(/^```sh\n([\s\S]*?)^```/gm)
  const walks = [...blocks].map(([, text = '']) => text).filter((text) => /\bcurl -s\b/.test(text))
  const input = walks.join('\n').replace('http://localhost:3000', base)
  const { stdout, stderr } = spawnSync('bash', {
    input,
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '..'),
    timeout: 60_000,
  })
  const statuses = [...stdout.matchAll(/"status":"(PAID|APPROVED)"/g)].map(([, status]) => status)
  const output = `${statuses}: ${stderr} ${stdout.replaceAll('\n', ' ').slice(-2000)}`
  assert.equal(walks.length, 2)
  assert.doesNotMatch(stdout, /"status":[45]\d\d/, output)
  assert.deepEqual(statuses, ['PAID', 'APPROVED', 'APPROVED'], output)
  assert.match(stdout, /"phoneNumber":"\+237699001133"[^\n]*$/, output)
}

// the same one after the restart: it is part of the issuer's address
const port = await freePort()
const empty = join(folder, 'empty')
mkdirSync(empty)
const binary = join(empty, 'loyer')
if (values.binary !== undefined) copyFileSync(resolve(values.binary), binary)
process.stdout.write(`smoke: ${values.binary ?? runtime}\n`)
const way = await wayOf(runtime, binary, empty)
const first = [...scenarios, ...mediaScenarios, ...paperScenarios, ...dataScenarios]
const world: World = { call: caller(''), ids: {} }
try {
  await runCommands(way)
  if (runtime === 'binary') {
    await straysAreIgnored(way)
    await unpackingIsNamed(way)
  }
  await runServer(way, world, first)
  if (runtime === 'deno') await startsWithDenoAlone()
  await runServer(way, world, [...afterRestart, mediaAfterRestart, papersAfterRestart])
} catch (error) {
  failures += 1
  process.stdout.write(`FAIL ${error instanceof Error ? error.message : String(error)}\n`)
}
process.stdout.write(failures === 0 ? 'smoke: all passed\n' : `smoke: ${failures} failed\n`)
process.exit(failures === 0 ? 0 : 1)
