// `bun scripts/faults/soak.ts [--minutes 30]`: the binary under a landlord's day at 300 requests a second, one in twenty
// hostile, beside backups, imports and reports. PROGRAM names another binary than dist/loyer.
import { readFileSync, statSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { create } from '../../test/faults/load.ts'
import { cleaner, temporaryFolder } from '../../test/support/folder.ts'
import { startServer } from '../../test/support/server.ts'
import { report } from './report.ts'

const PER_SECOND = 320
const LANES = 24
const CREATED = 5000
const MINUTE = 60_000
/** Minutes in which caches fill and code is compiled: they say nothing of what follows. */
const WARM = 5
const MONTHS = 'from=2025-01-01&to=2027-12-31'
const minutes = Number(parseArgs({ options: { minutes: { type: 'string', default: '30' } } }).values.minutes)
const data = temporaryFolder('soak')
const server = await startServer({
  data: join(data, 'd'),
  program: resolve(process.env.PROGRAM ?? 'dist/loyer'),
  env: { RATE_LIMITS: 'off', BACKUP_TO: join(data, 'backups') },
})
// The clients yield to the service, or they would measure themselves.
setPriority(10)

const residentMb = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
const walBytes = (): number => statSync(join(data, 'd', 'loyer.db-wal'), { throwIfNoEntry: false })?.size ?? 0
/** Least squares, of what was seen each minute. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length
  const over = values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0)
  return values.reduce((sum, v, i) => sum + (i - middle) * (v - mean), 0) / over
}

let token = await server.token()
const admin = { token: await server.token('ADMIN') }
const began = performance.now()
const statuses: Record<string, number> = {}
const failures: string[] = []
const waits: number[] = []
const memory: number[] = []
let wal = 0
let count = 0
let over = false
let lastId = ''
let created = 0
const longName = 'x'.repeat(2_000_000)
const HOSTILE: readonly (() => Promise<{ status: number }>)[] = [
  () => server.call('not.a.token', 'GET /api/v1/invoices'),
  () => server.call(token, 'GET /api/v1/properties/..%2f..%2fetc%2fpasswd'),
  () => server.call(token, 'GET /api/v1/invoices?limit=1e9&cursor=%00%ff'),
  () => server.call(token, `GET /api/v1/search?q=${encodeURIComponent(`"' OR 1=1 -- *^:NEAR(`)}`),
  () => server.call(token, 'POST /api/v1/properties', { name: { $gt: '' }, addressLine: [], city: 1e300 }),
  () => server.call(token, 'POST /api/v1/properties', { name: longName }),
  () => server.call(token, 'DELETE /api/v1/properties'),
  () => server.call('', 'POST /api/v1/registration/otp', { phoneNumber: '+237600000000'.repeat(9) }),
  () =>
    fetch(`${server.base}/api/v1/properties`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '[['.repeat(20_000),
    }).then((answer) => answer.text().then(() => answer)),
]

/** What the n-th request is: mostly lists, as people look more than they write. */
function request(n: number): Promise<{ status: number }> {
  const kind = n % 20
  if (kind === 0) return HOSTILE[(n / 20) % HOSTILE.length]?.() ?? Promise.reject()
  // An organization has a quota of properties: then those it has are changed.
  if (kind < 3 && created >= CREATED)
    return server.call(token, `PATCH /api/v1/properties/${lastId}`, { name: `soak-${n}` })
  if (kind < 3) {
    created += 1
    const creation = create(server, token, `soak-${n}`)
    return creation.then((answer) => {
      if (answer.status === 201) lastId = String(answer.body.id)
      return answer
    })
  }
  if (kind < 6 && lastId !== '') return server.call(token, `GET /api/v1/properties/${lastId}`)
  if (kind < 9) return server.call(token, 'GET /api/v1/invoices?limit=50')
  if (kind < 12) return server.call(token, 'GET /api/v1/bookings?limit=50')
  if (kind < 14) return server.call(token, 'GET /api/v1/tenants?limit=50')
  if (kind < 16) return server.call(token, 'GET /api/v1/payments?limit=20')
  return server.call(token, 'GET /api/v1/properties?limit=50')
}
async function counted(what: string, ask: () => Promise<{ status: number }>): Promise<void> {
  const from = performance.now()
  const status = await ask().then(
    (answer) => answer.status,
    (e: unknown) => `no answer (${e instanceof Error ? e.message : e})`,
  )
  waits.push(performance.now() - from)
  statuses[status] = (statuses[status] ?? 0) + 1
  if (typeof status === 'string' || status >= 500) failures.push(`${what}: ${status}`)
}
async function lane(): Promise<void> {
  while (!over) {
    const n = count++
    const due = began + (n * 1000) / PER_SECOND
    if (performance.now() < due) await Bun.sleep(due - performance.now())
    await counted(`request ${n % 20 === 0 ? `hostile ${(n / 20) % HOSTILE.length}` : n % 20}`, () => request(n))
  }
}
async function every(ms: number, first: number, work: () => Promise<void>): Promise<void> {
  for (let next = began + first; !over; next += ms) {
    while (!over && performance.now() < next) await Bun.sleep(200)
    if (!over) await work()
  }
}
const csv = (round: number): string =>
  ['Nom', ...Array.from({ length: 500 }, (_, i) => `Personne ${round} ${i}`)].join('\n')
let rounds = 0
const all = [
  ...Array.from({ length: LANES }, lane),
  every(2 * MINUTE, 2 * MINUTE, async () => {
    token = await server.token()
    admin.token = await server.token('ADMIN')
  }),
  every(1000, 0, async () => {
    wal = Math.max(wal, walBytes())
  }),
  every(MINUTE, MINUTE, async () => {
    memory.push(residentMb())
    const took = waits.splice(0).sort((a, b) => a - b)
    const p99 = took[Math.floor(took.length * 0.99)]?.toFixed(0)
    process.stdout.write(
      `minute ${memory.length}: ${(took.length / 60).toFixed(0)} a second, p99 ${p99} ms, ${memory.at(-1)?.toFixed(0)} MB, WAL ${(wal / 1e6).toFixed(1)} MB, failures ${failures.length}\n`,
    )
  }),
  every(20_000, 10_000, () => counted('report', () => server.call(token, `GET /api/v1/reports/rent-roll?${MONTHS}`))),
  every(2 * MINUTE, 30_000, () =>
    counted('import', () => server.call(token, 'POST /api/v1/imports', { kind: 'tenants', csv: csv(rounds++) })),
  ),
  every(3 * MINUTE, 40_000, () => counted('backup', () => server.call(admin.token, 'POST /api/v1/admin/backups', {}))),
]
await Bun.sleep(minutes * MINUTE + 2000)
over = true
await Promise.all(all)
const last = await server.call(admin.token, 'GET /api/v1/admin/backups')
const settled = memory.slice(Math.min(WARM, memory.length - 2))
const counts = {
  minutes,
  requests: count,
  aSecond: Math.round(count / (minutes * 60)),
  statuses,
  failures: failures.slice(0, 20),
  memoryMb: memory.map(Math.round),
  slopeMbAMinute: Number(slope(settled).toFixed(2)),
  walMb: Number((wal / 1e6).toFixed(1)),
  backups: last.body,
}
report('soak', counts, {
  'at least 300 requests a second': counts.aSecond >= 300,
  'no answer of 500 or above': failures.length === 0,
  'memory grows by less than 0.5 MB a minute': counts.slopeMbAMinute < 0.5,
  'the WAL stays below 64 MB': wal < 64e6,
})
await server.end('SIGTERM')
await cleaner()()
