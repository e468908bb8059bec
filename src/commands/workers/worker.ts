import { setPriority } from 'node:os'
import manifest from '../../../package.json' with { type: 'json' }
import { createApp } from '../../app.ts'
import type { Config } from '../../config.ts'
import { AppError, HandedOn } from '../../errors.ts'
import { statedToken } from '../../http/auth.ts'
import { pathOf, peerOf } from '../../http/gate.ts'
import type { Seen } from '../../http/observe.ts'
import { problem } from '../../http/problems.ts'
import { buffered, createLog } from '../../log.ts'
import { type Command, UsageError } from '../command.ts'
import { listen } from '../listen.ts'
import { createCallers } from './callers.ts'
import { createHandOn, type Door } from './hand-on.ts'
import { openMemory } from './memory.ts'
import { buildReader } from './reader.ts'

/** The writer's messages. */
export type ToWorker =
  | {
      readonly kind: 'start'
      readonly config: Config
      readonly door: Door
      /** The file of the shared memory. */
      readonly memory: string
      readonly epoch: string
    }
  | { readonly kind: 'stop' }
  | { readonly kind: 'seen'; readonly turn: number }
export type FromWorker =
  | { readonly kind: 'listening' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'seen'; readonly turn: number; readonly seen: Seen }

const API = '/api/v1/'
/** Reads of the API that concern the writer itself or need its memory. */
const OF_WRITER =
  /^\/api\/v1\/(?:events|sandbox|setup|registration|legal|admin\/health|account|exports|imports)(?:\/|$)/
/** By how much the priority of workers is below that of the writer. */
const NICE = 5
/**
 * Addresses with the same answer for everybody who has them. Files behind signed links are among them, because a long
 * answer of the writer would reach the client without its length. Open photos are not: the writer counts strangers.
 */
const OPEN = /^\/(?:ui|docs|media-files(?!\/public\/))\//

/**
 * One of several processes on one port: answers reads from the database, and hands everything else on to the writer,
 * which starts it. Not for people to call.
 */
export const worker: Command = () => {
  const { send } = process
  if (send === undefined) throw new UsageError('There is no command "worker".')
  const tell = (message: FromWorker): void => void process.send?.(message)
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const log = createLog(
    buffered((line) => void process.stdout.write(line)),
    Date.now,
  )
  process.on('unhandledRejection', (e) => log.error('process.unhandled_rejection', e))
  process.on('uncaughtException', (e) => log.error('process.uncaught_exception', e))
  // Without the writer there is nothing to serve.
  process.on('disconnect', () => process.exit(75))

  // Writes come first on machines with few processors; the machine may not permit this priority.
  try {
    setPriority(NICE)
  } catch (e) {
    log.warn('worker.priority_kept', { detail: e instanceof Error ? e.message : String(e) })
  }

  async function start({ config, door, memory: file, epoch }: ToWorker & { kind: 'start' }) {
    const memory = openMemory(file, false)
    const writer = createHandOn(door)
    const wall = () => Date.now() + memory.lead()
    const callers = createCallers(memory, wall, writer.introduce)
    const traces =
      config.collector &&
      (await import('../../adapters/tracing/tracing.ts')).openTraces(config.collector, manifest.version, wall)
    const refuse = () => Promise.reject(new HandedOn())
    const access = { known: callers.known, verify: refuse, forget: memory.forget }
    const { deps, arrive, close } = buildReader(config, log, { memory, epoch, access, traces })
    const app = createApp(deps, manifest.version)

    async function handOn(request: Request): Promise<Response> {
      const startedAt = performance.now()
      const answer = await writer.handOn(request, peerOf(request) ?? '')
      if (answer !== undefined) return answer
      const refused = problem(
        new AppError('overloaded', undefined, { retryAfter: 1 }),
        request,
        crypto.randomUUID(),
        {},
      )
      return deps.observer.done(request, refused, startedAt, app.routeOf)
    }
    /** Answers a read, or leaves it to the writer where it turns out to need more than the database. */
    function read(request: Request): Response | Promise<Response> {
      const startedAt = performance.now()
      const answered = (answer: Response): Response | Promise<Response> =>
        answer.status >= 500 ? handOn(request) : deps.observer.done(request, answer, startedAt, app.routeOf)
      arrive()
      const answer = app.fetch(request)
      return answer instanceof Response ? answered(answer) : answer.then(answered)
    }
    /** The writer judges a new token, within its limits; once it holds, this process answers. */
    async function learn(request: Request, token: string): Promise<Response> {
      const answer = await handOn(request)
      if (answer.status !== 401 && answer.status !== 429 && answer.status < 500) await callers.learn(token)
      return answer
    }
    function fetch(request: Request): Response | Promise<Response> {
      const path = pathOf(request.url)
      if ((request.method !== 'GET' && request.method !== 'HEAD') || path.includes('%')) return handOn(request)
      if (path.startsWith(API)) {
        const token = OF_WRITER.test(path) ? undefined : statedToken(request)
        if (token === undefined) return handOn(request)
        return callers.known(token) ? read(request) : learn(request, token)
      }
      // If nobody has signed in yet, the service may have to be set up first.
      return OPEN.test(path) && !callers.isEmpty() ? read(request) : handOn(request)
    }
    const server = listen(config, log, fetch, true)
    return { server, close, seen: deps.observer.seenSoFar }
  }

  let running: Awaited<ReturnType<typeof start>> | undefined
  let stopping = false
  async function stop(): Promise<void> {
    if (stopping) return
    stopping = true
    await running?.server.stop()
    await running?.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'stop') void stop()
    else if (message.kind === 'seen') tell({ kind: 'seen', turn: message.turn, seen: running?.seen() ?? [] })
    else
      start(message).then(
        (started) => {
          running = started
          tell({ kind: 'listening' })
        },
        (e: unknown) => tell({ kind: 'failed', message: e instanceof Error ? e.message : String(e) }),
      )
  })
  return new Promise(() => {})
}
