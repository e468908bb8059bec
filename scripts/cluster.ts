// Two nodes, their primary and the proxy before them on one machine, to look at: `bun scripts/cluster.ts`, until Ctrl-C.
// `--measure` says what they carry, and ends; `--suite [files]` runs the scenario suite over two nodes, and ends.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sqld, startCluster } from '../test/support/cluster.ts'
import { cleaner, temporaryFolder } from '../test/support/folder.ts'
import { PASSWORD, PHONE } from '../test/support/oidc.ts'
import { launch, type Server } from '../test/support/server.ts'
import { runSuite } from './suite.ts'

const SECONDS = 5
const VILLA = { name: 'Villa', addressLine: 'Rue Njo-Njo', city: 'Douala' }
const POST = 'POST /api/v1/properties'
const say = (line: string): void => void process.stdout.write(`${line}\n`)

if (sqld === undefined) throw new Error('There is no libSQL server for this machine: name one in SQLD.')
if (process.argv[2] === '--suite') process.exit(await runSuite(sqld, process.argv.slice(3)))
const cluster = await startCluster()
const names = ['--first-name', 'Ana', '--last-name', 'Ngo Bell']
const args = ['--phone', PHONE, '--role', 'OWNER,ADMIN', '--password', PASSWORD, ...names]
const made = launch({ data: cluster.dataOf('a'), command: 'user create', args, env: cluster.env })
if ((await made.end()).code !== 0) throw new Error(made.output())
const nodes = [await cluster.node('a'), await cluster.node('b')]
const bases = nodes.map(({ base }) => base)
say(`primary  http://127.0.0.1:${cluster.primary.port}`)
for (const base of bases) say(`node     ${base}`)

const hasCaddy = spawnSync('caddy', ['version']).status === 0
const proxy = cluster.env.PUBLIC_URL
if (hasCaddy) {
  const file = join(temporaryFolder('caddy'), 'Caddyfile')
  const targets = bases.map((base) => base.replace('http://', '')).join(' ')
  writeFileSync(
    file,
    `{\n\tadmin off\n\tauto_https off\n}\n${proxy} {\n\treverse_proxy ${targets} {\n\t\tlb_policy cookie loyer_node\n\t\thealth_uri /readyz\n\t\thealth_interval 2s\n\t}\n}\n`,
  )
  const caddy = spawn('caddy', ['run', '--config', file], { stdio: 'ignore' })
  process.on('exit', () => caddy.kill())
  for (let i = 0; i < 100 && !(await fetch(`${proxy}/readyz`).catch(() => undefined))?.ok; i++) await Bun.sleep(50)
}
say(hasCaddy ? `proxy    ${proxy}  (Caddy)` : 'proxy    none: Caddy is not installed')
say(`sign in  ${PHONE}  ${PASSWORD}`)

async function writes(targets: readonly Server[], clients: number, token: string): Promise<string> {
  const took: number[] = []
  const until = performance.now() + SECONDS * 1000
  const client = async (i: number): Promise<void> => {
    const target = targets[i % targets.length]
    const made = await target?.call(token, POST, VILLA)
    // A change each, because an organization may have 20,000 properties.
    for (let n = 0; performance.now() < until; n++) {
      const began = performance.now()
      const answer = await target?.call(token, `PATCH /api/v1/properties/${made?.body.id}`, { name: `Villa ${i}-${n}` })
      if (answer?.status !== 200) throw new Error(`a change was answered ${answer?.status}`)
      took.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)))
  took.sort((x, y) => x - y)
  const at = (part: number): string => (took[Math.floor(took.length * part)] ?? 0).toFixed(0)
  return `${Math.round(took.length / SECONDS)} a second, ${at(0.5)} ms each (p50), ${at(0.99)} ms (p99)`
}
async function measure(): Promise<void> {
  const [a, b] = nodes
  if (!a || !b) return
  const token = await a.token('OWNER')
  say(`one node, one client:        ${await writes([a], 1, token)}`)
  say(`one node, 32 clients:        ${await writes([a], 32, token)}`)
  say(`two nodes, 32 clients:       ${await writes([a, b], 32, token)}`)
  const late: number[] = []
  for (let i = 0; i < 20; i++) {
    const name = `Late ${i}`
    if ((await a.call(token, POST, { ...VILLA, name })).status !== 201) throw new Error('a write was refused')
    const began = performance.now()
    const list = { headers: { authorization: `Bearer ${token}` } }
    while (!(await (await fetch(`${b.base}/api/v1/properties?limit=1`, list)).text()).includes(name)) await Bun.sleep(2)
    late.push(performance.now() - began)
  }
  late.sort((x, y) => x - y)
  say(`seen in the other's lists:   after ${late[10]?.toFixed(0)} ms (p50), ${late.at(-1)?.toFixed(0)} ms at most`)
  for (const node of nodes) await node.end('SIGTERM')
  const alone = await cluster.node('a', { env: { DATABASE_URL: '' } })
  const own = await alone.token('OWNER')
  say(`alone, without a primary, one client: ${await writes([alone], 1, own)}`)
  say(`alone, without a primary, 32 clients: ${await writes([alone], 32, own)}`)
  await alone.end('SIGTERM')
}

if (process.argv.includes('--measure')) {
  await measure()
  await cleaner()()
  process.exit(0)
}
await new Promise<void>((resolve) => process.once('SIGINT', resolve))
await Promise.all(nodes.map((node) => node.end('SIGTERM')))
await cleaner()()
process.exit(0)
