// The work of several machines is done by one of them: killed in the middle of a night of billing, its work goes on at
// another, and nothing is billed twice or left out.
import { afterAll, describe, expect, test } from 'bun:test'
import { sqld, startCluster } from '../support/cluster.ts'
import { cleaner } from '../support/folder.ts'
import { launch, type Server } from '../support/server.ts'

const LEASES = 24
/** Ten seconds until the work of a dead node is taken over, and what a busy machine adds. */
const TAKEN_OVER_MS = 90_000

async function until(holds: () => boolean | Promise<boolean>, ms = TAKEN_OVER_MS): Promise<boolean> {
  for (const late = performance.now() + ms; performance.now() < late; await Bun.sleep(25))
    if (await holds()) return true
  return false
}
type Invoice = {
  readonly id: string
  readonly bookingId: string
  readonly periodStart: string
  readonly number: string
}

afterAll(cleaner())

describe.skipIf(sqld === undefined)('the work of a node that is killed (not here: no libSQL server)', () => {
  test('billing and what other systems are told of it: each once, and on at the other node', async () => {
    const told: { id: string; type: string; invoice: string }[] = []
    const hook = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { type, data } = (await request.json()) as { type: string; data: { id: string } }
        told.push({ id: request.headers.get('webhook-id') ?? '', type, invoice: data.id })
        // A receiver that takes its time, so that whoever tells it can die in the middle.
        await Bun.sleep(200)
        return new Response('ok')
      },
    })
    const cluster = await startCluster()
    const env = { WEBHOOK_PRIVATE_ADDRESSES: 'on' }
    const args = ['--phone', '+237670000001', '--role', 'OWNER,ADMIN', '--first-name', 'Awa', '--last-name', 'Ngo']
    const made = launch({ data: cluster.dataOf('a'), command: 'user create', args, env: cluster.env })
    expect((await made.end()).code).toBe(0)
    const nodes = [await cluster.node('a', { env }), await cluster.node('b', { env })] as const
    const worksAt = (node: Server): boolean => node.output().includes('cluster.works')
    expect(await until(() => nodes.some(worksAt))).toBe(true)
    expect(nodes.filter(worksAt)).toHaveLength(1)
    const [worker, other] = worksAt(nodes[0]) ? nodes : ([nodes[1], nodes[0]] as const)

    const token = await other.token('OWNER')
    const make = async (line: string, body?: object): Promise<string> => {
      const answer = await other.call(token, `POST /api/v1/${line}`, body)
      expect([line, answer.status < 300, answer.body.code]).toEqual([line, true, undefined])
      return String(answer.body.id)
    }
    await make('webhook-endpoints', { url: `http://127.0.0.1:${hook.port}/`, events: ['invoice'] })
    const house = await make('properties', { name: 'Villa', addressLine: 'Rue 1', city: 'Douala' })
    const startDate = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
    await Promise.all(
      Array.from({ length: LEASES }, async (_, i) => {
        const unitId = await make(`properties/${house}/units`, { label: `A${i}`, rentAmount: 50_000 })
        const tenantId = await make('tenants', { fullName: `Locataire ${i}` })
        const lease = await make('bookings', { unitId, tenantId, startDate })
        for (const step of ['submit', 'activate']) await make(`bookings/${lease}/${step}`)
      }),
    )
    const list = async (): Promise<Invoice[]> => {
      const answer = await fetch(`${other.base}/api/v1/invoices?limit=200`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return (await answer.json()) as Invoice[]
    }
    const all = async (count: number): Promise<boolean> => (await list()).length >= count
    expect(await until(() => all(LEASES))).toBe(true)
    const first = (await list()).length

    const issued = () => told.filter(({ type }) => type === 'invoice.issue')
    expect(await until(() => issued().length >= first)).toBe(true)

    // A month later there is a night of billing; the node that does it dies while it tells of it.
    expect((await other.call('', 'POST /api/v1/sandbox/clock', { advanceDays: 30 })).status).toBe(200)
    expect(await until(() => issued().length > first)).toBe(true)
    await worker.end('SIGKILL')
    const killedAt = performance.now()
    const then = new Set(issued().map(({ invoice }) => invoice)).size
    expect(then).toBeLessThan(first + LEASES)
    expect(await until(() => worksAt(other))).toBe(true)
    const tookOver = performance.now() - killedAt
    expect(await until(() => all(first + LEASES))).toBe(true)

    const invoices = await list()
    expect(new Set(invoices.map(({ bookingId, periodStart }) => `${bookingId} ${periodStart}`)).size).toBe(
      invoices.length,
    )
    expect(new Set(invoices.map(({ number }) => number)).size).toBe(invoices.length)
    expect(invoices).toHaveLength(first + LEASES)
    // A receiver may be told again of what it had begun to answer, under the same id.
    const toldOf = () => new Set(issued().map(({ invoice }) => invoice))
    expect(await until(() => invoices.every(({ id }) => toldOf().has(id)))).toBe(true)
    expect(new Set(issued().map(({ id }) => id)).size).toBe(invoices.length)
    expect(tookOver).toBeLessThan(TAKEN_OVER_MS)
    await other.end('SIGTERM')
    await hook.stop(true)
  }, 400_000)
})
