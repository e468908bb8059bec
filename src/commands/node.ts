import { sendCopy } from '../../db/cluster/join.ts'
import type { Node } from '../../db/cluster/node.ts'
import type { Deps } from '../deps.ts'
import { statedToken } from '../http/auth.ts'
import { pathOf, peerOf, REALM, setPeer } from '../http/gate.ts'
import { recoverWork, startSchedule } from '../jobs/schedule.ts'
import type { Fetch } from './listen.ts'

/** Pages and forms whose address gives access, instead of a token. */
const BY_ADDRESS = /^\/(?:verify|i|r|p|s|u|setup|register|recover|media-files)(?:\/|$)/

/**
 * Lets a request see the earlier writes of other nodes, wherever an older state could give a wrong result: changes,
 * sign-in, tokens and links that this node does not know. Other reads are at most a poll behind. A read that finds
 * nothing is repeated with the newest state.
 */
export function upToDate(node: Node, { access }: Pick<Deps, 'access'>, fetch: Fetch): Fetch {
  const isKnown = (request: Request): boolean => {
    const token = statedToken(request)
    return token !== undefined && access.known(token) !== undefined
  }
  async function after(request: Request): Promise<Response> {
    // While the primary is away, reads continue; a write fails with its own message.
    await node.fresh().catch(() => {})
    return fetch(request)
  }
  async function again(request: Request, answer: Response): Promise<Response> {
    const { n } = node.state()
    await node.fresh().catch(() => {})
    return node.state().n === n ? answer : fetch(request)
  }
  return (request) => {
    const path = pathOf(request.url)
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const keep = (): void => {
      // The client's address is gone if it disconnects meanwhile.
      const peer = peerOf(request)
      if (peer !== undefined) setPeer(request, peer)
    }
    if (!reads || path.startsWith(REALM) || BY_ADDRESS.test(path)) {
      keep()
      return after(request)
    }
    if (!path.startsWith('/api/')) return fetch(request)
    keep()
    if (!isKnown(request)) return after(request)
    const answer = fetch(request)
    if (!(answer instanceof Response)) return answer.then((one) => (one.status === 404 ? again(request, one) : one))
    return answer.status === 404 ? again(request, answer) : answer
  }
}

/**
 * How long a claim to the work of one node lasts, how often that node renews it, and how long before its end the node
 * stops, ms.
 */
const HELD_MS = 10_000
const RENEW_MS = 2_500
const MARGIN_MS = 2_000
const ANSWER_MS = 1_500
/** Changes after which a copy is made, for new nodes. */
const COPY_EVERY = 10_000
const LOOK_EVERY = 24

/** Runs jobs and the schedule on one node at a time; another takes over within ten seconds of its end. */
export function takeTurns(node: Node, deps: Deps): { readonly stop: () => Promise<void> } {
  const { primary, id } = node
  let running: ReturnType<typeof startSchedule> | undefined
  let until = 0
  let rounds = 0
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function begin(): Promise<void> {
    await node.fresh()
    await recoverWork(deps)
    deps.log.info('cluster.works', { node: id })
    running = startSchedule(deps)
  }
  async function rest(): Promise<void> {
    const was = running
    running = undefined
    deps.log.warn('cluster.rests', { node: id })
    await (await was)?.stop()
  }
  async function copyIfDue(): Promise<void> {
    rounds += 1
    if (rounds % LOOK_EVERY !== 0) return
    const last = await primary.lastCopy(ANSWER_MS)
    if (node.state().n - (last?.n ?? 0) >= COPY_EVERY) await sendCopy(primary, deps.store.client, deps.store.file)
  }
  async function round(): Promise<void> {
    const startedAt = performance.now()
    try {
      await primary.hold(`node ${id}`, id, HELD_MS, ANSWER_MS)
      if (await primary.hold('work', id, HELD_MS, ANSWER_MS)) until = startedAt + HELD_MS - MARGIN_MS
      else until = 0
    } catch {
      // The node at work continues until its claim ends: only then may another begin.
    }
    const mine = performance.now() < until
    if (mine && !running && !stopped) await begin()
    else if (!mine && running) await rest()
    if (mine) await copyIfDue()
  }
  let last: Promise<void> = Promise.resolve()
  const tick = (): void => {
    last = round()
      .catch((e: unknown) => deps.log.error('cluster.failed', e))
      .finally(() => {
        if (!stopped) timer = setTimeout(tick, RENEW_MS)
      })
  }
  tick()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await last
      await (await running)?.stop()
      await primary.release(id, ANSWER_MS).catch(() => {})
    },
  }
}
