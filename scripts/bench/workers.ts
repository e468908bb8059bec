// `bun scripts/bench/workers.ts [--rounds 12] [--seconds 2] [--only words]`: one process against a writer with two workers,
// the same requests to both in turns of one run; Linux only. The half of the rounds in which others took least of the
// processors counts. Put before all others by its autogroup, it would keep the system's own threads from the disk, and
// commits would wait seconds for them.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openStore } from '../../db/open.ts'
import { fillReported } from './fill.ts'
import { idOf } from './ids.ts'
import { startIssuer } from './issuer.ts'
import { connect, processorSeconds, quantile } from './load.ts'
import { type Child, serve } from './servers.ts'
import { busySeconds, eachSeconds, stepBack, stepForward } from './tree.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
})
const rounds = Number(options.rounds)
const ms = Number(options.seconds) * 1000
const say = (text: string): void => void process.stdout.write(`${text}\n`)

const issuer = await startIssuer()
const admin = (org: number) =>
  issuer.token({ sub: idOf('admin', org), orgId: idOf('organization', org), role: 'ADMIN' })
/** The first organization has 5,000 units; the others write, in turn, as each may have 20,000 properties. */
const [large = '', ...others] = await Promise.all(Array.from({ length: 25 }, (_, org) => admin(org)))
const [mine = ''] = others

type Ask = { readonly text: (port: number) => string; readonly status: number }
const request = (port: number, token: string, line: string, body = '', header = ''): string => {
  const more = body && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${header}${more}\r\n${body}`
}
let asked = 0
const PROPERTY = JSON.stringify({ name: 'Résidence Makepe', addressLine: 'Derrière le marché', city: 'Douala' })
const API = '/api/v1'
const YEAR = 'from=2022-01-01&to=2022-12-31'
/** What is read anew each time: the cache goes by the whole query. */
const anew = (path: string, header = ''): Ask => ({
  status: 200,
  text: (port) => request(port, large, `GET ${API}${path}&n=${asked++}`, '', header),
})
const PACKED = 'Accept-Encoding: gzip, deflate\r\n'
const LIST = anew('/invoices?limit=50')
const CHEAP: Ask = { status: 200, text: (port) => request(port, mine, `GET ${API}/properties?limit=1`) }
const WRITE: Ask = {
  status: 201,
  text: (port) => request(port, others[asked++ % others.length] ?? '', `POST ${API}/properties`, PROPERTY),
}

/** `perSecond`: of all connections together; without it each asks again at once. */
type Stream = { readonly ask: Ask; readonly connections: number; readonly perSecond?: number }
type Seen = { readonly took: number[]; readonly perSecond: number }

async function run(port: number, { ask, connections, perSecond }: Stream, until: number): Promise<Seen> {
  const took: number[] = []
  const began = performance.now()
  let turn = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await connect(port, ask.status)
      for (;;) {
        // A late request is timed from the moment it was due, as a waiting person would.
        const due = perSecond === undefined ? performance.now() : began + (turn++ * 1000) / perSecond
        if (due >= until) break
        if (due > performance.now()) await Bun.sleep(due - performance.now())
        await connection.send(ask.text(port))
        took.push(performance.now() - due)
      }
      connection.end()
    }),
  )
  return { took, perSecond: (took.length * 1000) / (performance.now() - began) }
}

/** `processors`: those that the service and this client are kept to; without it they have all. */
type Side = { readonly name: string; readonly child: Child; readonly processors?: string }
const ALL = `0-${availableParallelism() - 1}`
const keepTo = (processors: string, pid: number): void => {
  for (const each of [pid, process.pid]) Bun.spawnSync(['taskset', '--all-tasks', '-pc', processors, String(each)])
}
/** Processor time, in processors: of each process of the service, of this one, and of all others of the machine. */
type Taken = { readonly each: readonly number[]; readonly client: number; readonly others: number }
type Round = { readonly seen: readonly Seen[]; readonly taken: Taken }
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
const asking = ({ seen }: Round): number => sum(seen.map(({ perSecond }) => perSecond))

async function round({ child, processors = ALL }: Side, streams: readonly Stream[]): Promise<Round> {
  keepTo(processors, child.pid)
  const now = () => [
    performance.now() / 1000,
    busySeconds(),
    processorSeconds(process.pid) ?? 0,
    ...eachSeconds(child.pid),
  ]
  const before = now()
  const until = performance.now() + ms
  const seen = await Promise.all(streams.map((stream) => run(child.port, stream, until)))
  const [took = 0, busy = 0, client = 0, ...each] = now().map((value, i) => value - (before[i] ?? Number.NaN))
  const others = busy - client - sum(each)
  return { seen, taken: { each: each.map((one) => one / took), client: client / took, others: others / took } }
}

const p = (values: readonly number[], q: number): string => quantile(values, q).toFixed(1)
const times = (n: number): string => `×${n.toFixed(2)}`
const shares = ({ each, client, others }: Taken): string =>
  `${each.map((one) => one.toFixed(2)).join(' + ')}, client ${client.toFixed(2)}, others ${others.toFixed(2)}`

/** The same streams to both sides in turn, one-two-two-one, and what was seen of each in the quieter half of the rounds. */
async function compare(name: string, sides: readonly [Side, Side], streams: Readonly<Record<string, Stream>>) {
  if (!name.includes(options.only)) return
  const made: [Round, Round][] = []
  for (const side of sides) await round(side, Object.values(streams))
  for (let i = 0; i < rounds; i++) {
    const first = await round(sides[i % 2 === 0 ? 0 : 1], Object.values(streams))
    const second = await round(sides[i % 2 === 0 ? 1 : 0], Object.values(streams))
    made.push(i % 2 === 0 ? [first, second] : [second, first])
  }
  const noise = ([one, two]: [Round, Round]): number => one.taken.others + two.taken.others
  const counted = made.sort((a, b) => noise(a) - noise(b)).slice(0, Math.ceil(rounds / 2))
  const found = [counted.map(([one]) => one), counted.map(([, two]) => two)] as const
  const middle = (of: (round: Round) => number) => found.map((all) => quantile(all.map(of), 0.5)) as [number, number]
  const [one, two] = middle((made) => (sum(made.taken.each) * 1e6) / asking(made))
  const [c1, c2] = middle((made) => (made.taken.client * 1e6) / asking(made))
  // On one processor a client takes its part of it too.
  const alone = sides[0].processors === undefined ? one : one + c1
  say(
    `\n${name}: ${one.toFixed(0)} µs of processor time a request, ${two.toFixed(0)} with workers (${times(two / one)}); the client took ${c1.toFixed(0)} and ${c2.toFixed(0)} µs, which leaves ${times((availableParallelism() * alone) / (two + c2))} at most`,
  )
  const last = counted.at(-1)
  if (last) say(`  processors, in the least quiet of them: ${shares(last[0].taken)} : ${shares(last[1].taken)}`)
  Object.keys(streams).forEach((stream, i) => {
    const [a, b] = middle(({ seen }) => seen[i]?.perSecond ?? Number.NaN)
    const ratios = found[1].map(({ seen }, n) => (seen[i]?.perSecond ?? 0) / (found[0][n]?.seen[i]?.perSecond ?? 0))
    const [x, y] = found.map((all) => all.flatMap(({ seen }) => seen[i]?.took ?? [])) as [number[], number[]]
    const p99s = middle(({ seen }) => quantile(seen[i]?.took ?? [], 0.99))
    say(
      `  ${stream}: ${a.toFixed(0)} : ${b.toFixed(0)} a second (${times(quantile(ratios, 0.5))}, quartiles ${times(quantile(ratios, 0.25))} and ${times(quantile(ratios, 0.75))}); p50 ${p(x, 0.5)} : ${p(y, 0.5)} ms, p99 ${p(x, 0.99)} : ${p(y, 0.99)} ms; p99 of the middle round ${times(p99s[1] / p99s[0])}`,
    )
  })
}

async function ended(port: number, path: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${large}` } })
    const { status } = (await answer.json()) as { status: string }
    if (status === 'SUCCEEDED') return
    if (status === 'FAILED') throw new Error(`${path} failed`)
    await Bun.sleep(50)
  }
}
async function post(port: number, path: string, given: object): Promise<void> {
  const headers = { authorization: `Bearer ${large}`, 'content-type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(given),
  })
  const { id } = (await answer.json()) as { id?: string }
  if (id === undefined) throw new Error(`POST ${path}: ${answer.status}`)
  await ended(port, `${path}/${id}`)
}
let imported = 0
const persons = (): string =>
  ['Nom', ...Array.from({ length: 1000 }, () => `Personne ${imported++} ${crypto.randomUUID()}`)].join('\n')
const WORK: Readonly<Record<string, (port: number) => Promise<unknown>>> = {
  report: async (port) =>
    (
      await fetch(`http://127.0.0.1:${port}${API}/reports/rent-roll?${YEAR}`, {
        headers: { authorization: `Bearer ${large}` },
      })
    ).arrayBuffer(),
  import: (port) => post(port, `${API}/imports`, { kind: 'tenants', csv: persons() }),
  export: (port) => post(port, `${API}/exports`, {}),
}

/** A cheap read and writes of others, first alone, then beside work that goes on all the time. */
async function beside(work: string, { name, child }: Side) {
  const streams: readonly Stream[] = [
    { ask: CHEAP, connections: 8, perSecond: 100 },
    { ask: WRITE, connections: 8, perSecond: 20 },
  ]
  let over = false
  let done = 0
  const going = (async () => {
    for (; !over && WORK[work]; done++) await WORK[work](child.port)
  })()
  const until = performance.now() + 4 * ms
  const [cheap, writes] = await Promise.all(streams.map((stream) => run(child.port, stream, until)))
  over = true
  await going
  say(
    `${name}, beside ${work} (${done}): GET p50 ${p(cheap?.took ?? [], 0.5)}, p99 ${p(cheap?.took ?? [], 0.99)} ms (bar 20); writes p50 ${p(writes?.took ?? [], 0.5)}, p99 ${p(writes?.took ?? [], 0.99)} ms (bar 200)`,
  )
}

const folder = mkdtempSync(join(tmpdir(), 'loyer-bench-workers-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const dataOf = (name: string): string => join(folder, name)
const store = openStore(join(dataOf('one'), 'loyer.db'))
fillReported(store.client)
const invoice = String(store.client.prepare('select id from invoice limit 1').pluck().get())
await store.close()
cpSync(dataOf('one'), dataOf('two'), { recursive: true })
const sides: readonly [Side, Side] = [
  { name: 'one process', child: await serve(dataOf('one'), issuer.url) },
  { name: 'two workers', child: await serve(dataOf('two'), issuer.url, { WORKERS: '2' }) },
]

const reads = (perSecond?: number): Stream => ({ ask: LIST, connections: 16, ...(perSecond && { perSecond }) })
const writes = (perSecond: number): Stream => ({ ask: WRITE, connections: 16, perSecond })
// A worker hands on the first request with a token. A long answer then comes in chunks, which this client does not read.
for (const { child } of sides) await run(child.port, { ask: LIST, connections: 32 }, performance.now() + 500)
stepForward()
await compare('writes alone, as fast as they go', sides, { creates: { ask: WRITE, connections: 32 } })
await compare('writes alone, 100 a second', sides, { creates: writes(100) })
await compare('writes beside reads that leave time', sides, { creates: writes(100), lists: reads(1000) })
await compare('writes beside as many reads as one process answers', sides, { creates: writes(100), lists: reads(5000) })
await compare('writes beside reads as fast as they go', sides, { creates: writes(100), lists: reads() })
// As if the machine had one processor more, not the service alone: what a client takes is in both.
const [one, two] = sides
const grown: readonly [Side, Side] = [{ ...one, processors: '0' }, two]
const GROWN = 'a second processor with the second worker'
await compare(`writes beside reads as fast as they go, ${GROWN}`, grown, { creates: writes(100), lists: reads() })
// Ahead of all others, a client that takes in a large report would hold up the service itself.
stepBack()
say('')
for (const work of ['nothing', ...Object.keys(WORK)])
  if (`beside ${work}`.includes(options.only)) for (const side of sides) await beside(work, side)
const READS: Readonly<Record<string, Ask>> = {
  lists: LIST,
  'lists, packed': anew('/invoices?limit=50', PACKED),
  'single invoices': anew(`/invoices/${invoice}?`),
}
for (const [what, ask] of Object.entries(READS))
  await compare(`reads alone, ${what}`, sides, { [what]: { ask, connections: 32 } })
const reports = { ask: anew(`/reports/rent-roll?${YEAR}`, PACKED), connections: 4 }
await compare('reads alone, reports', sides, { reports })
for (const [what, ask] of Object.entries(READS))
  await compare(`reads alone, ${GROWN}, ${what}`, grown, {
    [what]: { ask, connections: 32 },
  })
await compare(`reads alone, ${GROWN}, reports`, grown, { reports })
for (const { child } of sides) await child.stop()
await issuer.close()
process.exit(0)
