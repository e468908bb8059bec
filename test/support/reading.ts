// Run by tests as a process of its own: reads a file of rows; prints the most additional memory, in MiB, and the outcome.
import { readFileSync } from 'node:fs'
import { zip } from '../../src/adapters/archive/zip.ts'
import { createTables } from '../../src/adapters/tables/tables.ts'

const rss = () => process.memoryUsage().rss / 2 ** 20
const before = rss()
let most = before
let since = performance.now()
async function rest() {
  most = Math.max(most, rss())
  if (performance.now() - since < 2) return
  await new Promise((resolve) => setImmediate(resolve))
  since = performance.now()
}
const bytes = new Uint8Array(readFileSync(process.argv[2] ?? ''))
let said: string
try {
  said = `${(await createTables(zip).read(bytes, 20_000, rest)).rows.length} rows`
} catch (e) {
  const { details } = e as { details?: { errors?: { message: { en: string } }[] } }
  said = details?.errors?.[0]?.message.en ?? String(e)
}
most = Math.max(most, rss())
process.stdout.write(JSON.stringify({ said, mib: Math.round(most - before) }))
