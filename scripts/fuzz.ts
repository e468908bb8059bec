// bun scripts/fuzz.ts --requests 1000000 [--seed 1]: every route from its schema, in the process; stops at the first fault.
import { parseArgs } from 'node:util'
import { fuzz } from '../test/support/fuzz.ts'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
})
/** A seed's database starts afresh, so that it stays small and a fault is found again quickly. */
const PER_SEED = 20_000
const total = Number(values.requests)
const statuses = new Map<number, number>()
const startedAt = performance.now()
let done = 0
for (let seed = Number(values.seed); done < total; seed++) {
  const requests = Math.min(PER_SEED, total - done)
  for (const [status, n] of await fuzz(seed, requests)) statuses.set(status, (statuses.get(status) ?? 0) + n)
  done += requests
  const seconds = (performance.now() - startedAt) / 1000
  process.stdout.write(`seed ${seed}: ${done} requests, ${Math.round(done / seconds)}/s\n`)
}
for (const [status, n] of [...statuses].sort(([a], [b]) => a - b)) process.stdout.write(`${status} ${n}\n`)
