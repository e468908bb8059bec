// The scenario suite over two nodes: `bun scripts/cluster.ts --suite` gives each app a second one and a log of their own
// on a real libSQL server. Requests go to the nodes in turn; at the end both databases are compared, table by table.
import { afterAll, expect } from 'bun:test'
import { randomBytes } from 'node:crypto'
import Database from 'better-sqlite3'
import { createNode } from '../../db/cluster/node.ts'
import type { Primary } from '../../db/cluster/primary.ts'
import { attach, type Store } from '../../db/open.ts'
import { createPrimary } from '../../src/adapters/primary/hrana.ts'
import { upToDate } from '../../src/commands/node.ts'
import type { Deps } from '../../src/deps.ts'
import { contents, writeToBoth } from './log.ts'

/** The server's ports, for changes and for its administration. */
const [port, admin] = (process.env.LOYER_TEST_LOG ?? '').split(',').map(Number)
export const isPaired = Boolean(port && admin)
/** A machine that runs a whole suite answers late at times; what a node does then is tried in test/faults/cluster.test.ts. */
const PATIENCE_MS = 30_000
const AT = { cluster: 'suite', epoch: 'epoch', n: 0, id: 'suite' }

const namespace = (name: string, method: 'POST' | 'DELETE'): Promise<Response> =>
  fetch(`http://127.0.0.1:${admin}/v1/namespaces/${name}${method === 'POST' ? '/create' : ''}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
const names = new Set<string>()
/** The place of the last entry that a log took: a node that has it need not ask. */
const lasts = new WeakMap<Primary, number>()

/** A log in a namespace of its own, which is made with the first change. */
function newLog(): Primary {
  const name = `w${randomBytes(8).toString('hex')}`
  const url = `http://127.0.0.1:${port}`
  const ask = (to: string, init: RequestInit): Promise<Response> => {
    const headers = { ...(init.headers as Record<string, string>), host: `${name}.localhost` }
    return fetch(to, { ...init, headers, signal: AbortSignal.timeout(PATIENCE_MS) })
  }
  async function begin(): Promise<void> {
    names.add(name)
    const made = await namespace(name, 'POST')
    if (!made.ok) throw new Error(`no namespace: ${made.status} ${await made.text()}`)
    const first = createPrimary(url, undefined, ask)
    await first.prepare(PATIENCE_MS)
    const head = { cluster: AT.cluster, epoch: AT.epoch, schema: 0, keyCheck: '' }
    await first.begin(head, { id: 'none', n: 0, pieces: 0 }, PATIENCE_MS)
  }
  let begun: Promise<void> | undefined
  const log = createPrimary(url, undefined, async (to, init) => {
    begun ??= begin()
    await begun
    return ask(to, init)
  })
  const noting: Primary = {
    ...log,
    async append(entry, after, ms) {
      const accepted = await log.append(entry, after, ms)
      if (accepted) lasts.set(noting, entry.n)
      return accepted
    },
  }
  return noting
}

const pairs: (readonly [Store, Store])[] = []
export function pairedStores(file: Uint8Array): readonly [Store, Store] {
  const primary = newLog()
  const nodeOn = (node: string): Store => {
    const store = attach(new Database(Buffer.from(file)), undefined, undefined, true, undefined, (client) =>
      createNode(client, { primary, position: AT, node }),
    )
    // Hundreds of worlds that nobody asks any more would each look for changes twice a second.
    void store.node?.end()
    return store
  }
  const pair = [nodeOn('a'), nodeOn('b')] as const
  writeToBoth(pair[0].client, pair[1].client)
  pairs.push(pair)
  return pair
}

/** What each node has for itself; all else that a test replaces, it replaces on both. */
const OWN: ReadonlySet<string> = new Set(['store', 'db', 'write', 'access', 'observer'] satisfies (keyof Deps)[])
export function follow(deps: Deps, leader: Deps): void {
  for (const key of Object.keys(deps) as (keyof Deps)[])
    if (!OWN.has(key)) Object.defineProperty(deps, key, { enumerable: true, get: () => leader[key] })
}

type Node = {
  readonly store: Store
  readonly deps: Pick<Deps, 'access'>
  readonly app: { readonly handle: (request: Request) => Promise<Response>; readonly routes: readonly unknown[] }
  readonly work: () => Promise<void>
}
/** One service of two nodes: whoever asks, and the work in the background, come to one and to the other in turn. */
export function inTurns(first: Node, second: Node) {
  let turn = 0
  const nodes = [first, second].map((one) => {
    const { node } = one.store
    if (!node) throw new Error('a store without a log')
    return { ...one, node, answer: upToDate(node, one.deps, (request) => one.app.handle(request)) }
  })
  /** Lists are behind by half a second at most; a test that stands still waits for that no longer than it takes. */
  const seen = (): Promise<unknown> =>
    Promise.all(nodes.map(({ node }) => (node.state().n < (lasts.get(node.primary) ?? 0) ? node.fresh() : undefined)))
  async function inTurn<T>(work: (one: (typeof nodes)[number]) => Promise<T> | T): Promise<T> {
    const one = nodes[turn++ % nodes.length]
    if (!one) throw new Error('no node')
    await seen()
    const value = await work(one)
    await seen()
    return value
  }
  const handle = (request: Request): Promise<Response> => inTurn(({ answer }) => answer(request))
  const app = { routes: first.app.routes, handle, fetch: handle }
  return { app, work: () => inTurn(({ work }) => work()) }
}

if (isPaired)
  afterAll(async () => {
    for (const [a, b] of pairs.splice(0)) {
      if (!(a.client.open && b.client.open)) continue
      await Promise.all([a.node?.fresh(), b.node?.fresh()])
      const [one, two] = [contents(a.client), contents(b.client)]
      expect(Object.keys(one).filter((table) => !Bun.deepEquals(one[table], two[table]))).toEqual([])
    }
    for (const name of names) await namespace(name, 'DELETE')
    names.clear()
  })
