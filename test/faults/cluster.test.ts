// The primary of several machines fails: reads go on, writes fail soon and in words, and nothing that was answered is lost.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { sqld, startCluster } from '../support/cluster.ts'
import { cleaner } from '../support/folder.ts'
import { launch, type Server } from '../support/server.ts'

const VILLA = { name: 'Villa', addressLine: 'Rue Njo-Njo', city: 'Douala' }
const POST = 'POST /api/v1/properties'
const LIST = 'GET /api/v1/properties?limit=1'
const FROZEN_MS = 20_000
/**
 * What a write and a read may take while the primary does not answer, ms: a node waits one second for it, and the rest is
 * what a machine under load adds.
 */
const [SOON, AT_ONCE] = [6000, 5000]

async function until(holds: () => boolean | Promise<boolean>, ms = 60_000): Promise<boolean> {
  for (const late = performance.now() + ms; performance.now() < late; await Bun.sleep(25))
    if (await holds()) return true
  return false
}
const timed = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
  const began = performance.now()
  return [await work(), performance.now() - began]
}

afterAll(cleaner())

describe.skipIf(sqld === undefined)('a primary that fails (not here: no libSQL server)', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let nodes: readonly [Server, Server]
  let token = ''
  const saved: string[] = []
  /** Writes until told to stop, under keys of its own, each again until it is answered. */
  function pumping() {
    const state = { over: false, slowest: 0, refused: 0, other: [] as number[] }
    const client = async (node: Server, name: string): Promise<void> => {
      for (let i = 0; !state.over; i++)
        for (;;) {
          const body = { ...VILLA, name: `${name} ${i}` }
          const key = { 'idempotency-key': `pumping-${name}-${i}` }
          // A node that is killed answers nothing more.
          const [made, ms] = await timed(() => node.call(token, POST, body, key).catch(() => undefined))
          if (!made) return
          state.slowest = Math.max(state.slowest, ms)
          if (made.status === 201) {
            saved.push(body.name)
            break
          }
          if (made.status === 503 && made.body.code === 'storage_unavailable') state.refused += 1
          else state.other.push(made.status)
          if (state.over) return
          await Bun.sleep(100)
        }
    }
    const clients = Promise.all(nodes.map((node, i) => client(node, `${saved.length}-${i}`)))
    return {
      state,
      end: async () => {
        state.over = true
        await clients
      },
    }
  }
  const namesOf = async (node: Server): Promise<string[]> => {
    const names: string[] = []
    let path: string | undefined = '/api/v1/properties?limit=100'
    while (path !== undefined) {
      const answer: Response = await fetch(node.base + path, { headers: { authorization: `Bearer ${token}` } })
      names.push(...((await answer.json()) as { name: string }[]).map(({ name }) => name))
      const next: string | undefined = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
      path = next?.slice(next.indexOf('/api/'))
    }
    return names
  }
  /** Every write that was answered is there once, on both. */
  async function allThereOnce(): Promise<void> {
    for (const node of nodes) {
      let names: string[] = []
      await until(async () => {
        names = await namesOf(node)
        return saved.every((name) => names.includes(name))
      })
      expect(saved.filter((name) => !names.includes(name))).toEqual([])
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
    }
  }

  beforeAll(async () => {
    cluster = await startCluster()
    const args = ['--phone', '+237670000001', '--role', 'OWNER,ADMIN', '--first-name', 'Awa', '--last-name', 'Ngo']
    const made = launch({ data: cluster.dataOf('a'), command: 'user create', args, env: cluster.env })
    expect((await made.end()).code).toBe(0)
    nodes = [await cluster.node('a'), await cluster.node('b')]
    token = await nodes[0].token('OWNER')
  }, 180_000)

  test('frozen: reads go on, writes are refused soon, and all is well afterwards', async () => {
    const clients = pumping()
    await Bun.sleep(500)
    cluster.primary.freeze()
    await Bun.sleep(1500)
    for (const late = performance.now() + FROZEN_MS; performance.now() < late; await Bun.sleep(1000))
      for (const node of nodes) {
        const [read, ms] = await timed(() => node.call(token, LIST))
        expect(read.status).toBe(200)
        expect(ms).toBeLessThan(AT_ONCE)
        const [write, slow] = await timed(() => node.call(token, POST, VILLA))
        expect(write).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
        expect(Number(write.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(slow).toBeLessThan(SOON)
      }
    const ready = (await (await fetch(`${nodes[0].base}/readyz`)).json()) as { primary?: string; lagMs?: number }
    expect(ready.primary).toBe('AWAY')
    expect(ready.lagMs).toBeGreaterThan(10_000)
    cluster.primary.thaw()
    const before = saved.length
    expect(await until(() => saved.length > before + 10)).toBe(true)
    await clients.end()
    expect(clients.state.refused).toBeGreaterThan(0)
    expect({ other: clients.state.other, soon: clients.state.slowest < SOON }).toEqual({ other: [], soon: true })
    await allThereOnce()
  }, 180_000)

  test('killed and started again, three times', async () => {
    const clients = pumping()
    for (let i = 0; i < 3; i++) {
      await Bun.sleep(400)
      await cluster.primary.kill()
      const [read, ms] = await timed(() => nodes[1].call(token, LIST))
      expect(read.status).toBe(200)
      expect(ms).toBeLessThan(AT_ONCE)
      const [write, slow] = await timed(() => nodes[1].call(token, POST, { ...VILLA, name: `while away ${i}` }))
      expect(write.status).toBe(503)
      expect(slow).toBeLessThan(SOON)
      await cluster.primary.start()
      const before = saved.length
      expect(await until(() => saved.length > before + 5)).toBe(true)
    }
    await clients.end()
    expect({ other: clients.state.other, soon: clients.state.slowest < SOON }).toEqual({ other: [], soon: true })
    await allThereOnce()
  }, 180_000)

  test('a node killed in the middle of writes has what was answered when it is back', async () => {
    const clients = pumping()
    await Bun.sleep(600)
    const [a, b] = nodes
    await b.end('SIGKILL')
    await clients.end()
    nodes = [a, await cluster.node('b', { port: b.port })]
    await allThereOnce()
  }, 180_000)

  // The last of these: it loses what was written after the copy, as a restore does.
  test('put back to an older state: the nodes notice, end, and begin anew from what it has', async () => {
    const kept = `${cluster.primary.data}.kept`
    await cluster.primary.kill()
    cpSync(cluster.primary.data, kept, { recursive: true })
    await cluster.primary.start()
    await until(async () => (await nodes[0].call(token, POST, { ...VILLA, name: 'lost' })).status === 201)
    expect((await nodes[0].call(token, POST, { ...VILLA, name: 'lost too' })).status).toBe(201)
    await Bun.sleep(800)
    const { headers } = await nodes[0].call(token, LIST)
    await cluster.primary.kill()
    rmSync(cluster.primary.data, { recursive: true })
    cpSync(kept, cluster.primary.data, { recursive: true })
    await cluster.primary.start()
    const ends = await Promise.all(nodes.map((node) => node.end()))
    expect(ends.map(({ code }) => code)).toEqual([75, 75])
    const [one, two] = nodes
    nodes = [await cluster.node('a', { port: one.port }), await cluster.node('b', { port: two.port })]
    for (const node of nodes) {
      const names = await namesOf(node)
      expect(names.filter((name) => name.startsWith('lost'))).toEqual([])
      expect(saved.filter((name) => !names.includes(name))).toEqual([])
    }
    const again = await nodes[1].call(token, LIST, undefined, { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(200)
    const made = await nodes[0].call(token, POST, { ...VILLA, name: 'after' })
    expect((await nodes[1].call(token, `GET /api/v1/properties/${made.body.id}`)).status).toBe(200)
    for (const node of nodes) await node.end('SIGTERM')
  }, 180_000)
})
