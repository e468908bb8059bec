// Ten thousand who connect and say nothing, and five hundred who send slowly: others are served as before.
import { afterAll, expect, test } from 'bun:test'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { atEnd, cleaner, temporaryFolder } from '../support/folder.ts'
import { type Server, startServer } from '../support/server.ts'

afterAll(cleaner())

const [IDLE, SLOW] = [10_000, 500]
const ENOUGH = 'ulimit -n 16000 && exec "$@"'
const canOpen = spawnSync('sh', ['-c', 'ulimit -n 16000']).status === 0

const memoryOf = ({ pid }: Server): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
/** The 99th percentile of single requests, ms. */
async function p99({ base }: Server, token: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 400; i++) {
    const began = performance.now()
    const answer = await fetch(`${base}/api/v1/properties?limit=1`, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${answer.status}`)
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

test.skipIf(!canOpen)(
  `${IDLE} idle and ${SLOW} slow connections: others wait no longer, memory grows by 5 to 8 KB for each, and it ends as ever`,
  async () => {
    const server = await startServer({ data: temporaryFolder('crowd'), shell: ENOUGH })
    const token = await server.token()
    // Memory grows until the program is warm, with or without a crowd.
    for (let i = 0; i < 8; i++) await p99(server, token)
    const [before, alone] = [memoryOf(server), await p99(server, token)]
    const line = [process.execPath, new URL('./crowd-child.ts', import.meta.url).pathname, server.port, IDLE, SLOW].map(
      String,
    )
    const crowd = spawn('sh', ['-c', ENOUGH, 'sh', ...line], { stdio: ['ignore', 'pipe', 'inherit'] })
    atEnd(() => void crowd.kill('SIGKILL'))
    const [said] = (await once(crowd.stdout, 'data')) as [Buffer]
    expect(String(said).trim()).toBe(`open ${IDLE + SLOW}`)
    const beside = await p99(server, token)
    const grown = memoryOf(server) - before
    process.stdout.write(
      `p99 alone ${alone.toFixed(1)} ms, beside ${beside.toFixed(1)} ms, memory + ${grown.toFixed(1)} MB\n`,
    )
    // On a busy machine even a request alone takes long.
    expect(beside).toBeLessThan(Math.max(50, 3 * alone))
    // Nearly all of it is the runtime's own, for its sockets.
    expect(grown).toBeLessThan((IDLE + SLOW) / 100)
    crowd.kill('SIGKILL')
    await once(crowd, 'exit')
    expect(await p99(server, token)).toBeLessThan(Math.max(50, 3 * alone))
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  120_000,
)
