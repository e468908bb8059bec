import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { endThread, startThread } from '../threads.ts'
import type { Pdf } from './port.ts'

/** The request to the worker; the type below is its reply. */
export type Ask = { readonly template: string; readonly data: unknown; readonly seal: unknown }
export type Reply = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly error: string }

type Turn = {
  readonly ask: Ask
  readonly resolve: (bytes: Uint8Array<ArrayBuffer>) => void
  readonly reject: (error: Error) => void
}
type Options = {
  /** Papers that are drawn at a time, each by a thread of its own. */
  readonly threads?: number
  /** A worker is replaced after this many documents, because what it leaves behind accumulates. */
  readonly recycleAfter?: number
  readonly timeoutMs?: number
  readonly maxWaiting?: number
  /** A worker ends after it had nothing to do for so long: it holds memory, and another starts within a second. */
  readonly idleMs?: number
  readonly spawn?: () => Worker
}
type Seat = {
  worker?: Worker | undefined
  drawn: number
  inHand?: Turn | undefined
  /** Of the paper in hand, else of the rest. */
  timer?: ReturnType<typeof setTimeout> | undefined
}

/** One processor stays for the service. Each thread takes some 100 MB while it draws, so that there are four at most. */
const spareProcessors = (): number => Math.max(1, Math.min(4, availableParallelism() - 1))

/**
 * Warm workers that draw one document at a time each. A worker that crashes or times out fails the document in its
 * hands only: the next one gets a new worker.
 */
export function createPdf({
  threads = spareProcessors(),
  recycleAfter = 1000,
  timeoutMs = 20_000,
  maxWaiting = 256,
  idleMs = 300_000,
  spawn = () => startThread('pdf'),
}: Options = {}): Pdf {
  const waiting: Turn[] = []
  const seats = Array.from({ length: threads }, (): Seat => ({ drawn: 0 }))
  let closed = false

  function finish(seat: Seat, settle: (turn: Turn) => void): void {
    clearTimeout(seat.timer)
    const turn = seat.inHand
    seat.inHand = undefined
    if (turn) settle(turn)
    if (seat.drawn >= recycleAfter) drop(seat)
    next()
    if (seat.inHand) return
    // An idle worker must not keep a finished process alive.
    seat.worker?.unref()
    seat.timer = setTimeout(drop, idleMs, seat).unref()
  }
  /** Releases the worker; its later messages and its exit no longer count. */
  function drop(seat: Seat): void {
    const old = seat.worker
    seat.worker = undefined
    seat.drawn = 0
    if (old) void endThread(old)
  }
  function died(seat: Seat, error: Error): void {
    drop(seat)
    finish(seat, (turn) => turn.reject(error))
  }
  function start(seat: Seat): Worker {
    const fresh = spawn()
    fresh.on('message', (reply: Reply) => {
      seat.drawn += 1
      finish(seat, (turn) => ('bytes' in reply ? turn.resolve(reply.bytes) : turn.reject(new Error(reply.error))))
    })
    fresh.on('error', (e: unknown) => died(seat, e instanceof Error ? e : new Error(String(e))))
    fresh.on('exit', (code) => died(seat, new Error(`the drawing process ended with ${code}`)))
    return fresh
  }
  function next(): void {
    const seat = seats.find(({ inHand }) => !inHand)
    if (!seat || closed) return
    seat.inHand = waiting.shift()
    if (!seat.inHand) return
    clearTimeout(seat.timer)
    seat.timer = setTimeout(() => died(seat, new Error(`the drawing took longer than ${timeoutMs} ms`)), timeoutMs)
    try {
      seat.worker ??= start(seat)
      seat.worker.ref()
      seat.worker.postMessage(seat.inHand.ask)
    } catch (e) {
      died(seat, e instanceof Error ? e : new Error(String(e)))
    }
  }

  return {
    threads,
    versions: {
      lease: 6,
      invoice: 8,
      receipt: 6,
      statement: 5,
      letter: 7,
      leaseNotice: 3,
      inspection: 4,
      ownerStatement: 6,
      report: 4,
    },
    render: (template, data, seal) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('closed'))
        // Papers that are kept, such as a receipt, go before previews and reports, which have no seal.
        const first = seal === null ? -1 : waiting.findIndex(({ ask }) => ask.seal === null)
        const place = first === -1 ? waiting.length : first
        if (place >= maxWaiting) return reject(new AppError('overloaded', undefined, { retryAfter: 5 }))
        waiting.splice(place, 0, { ask: { template, data, seal }, resolve, reject })
        next()
      }),
    async close() {
      closed = true
      const error = new Error('closed')
      for (const { inHand } of seats) inHand?.reject(error)
      for (const turn of waiting.splice(0)) turn.reject(error)
      const working = seats.splice(0)
      for (const { timer } of working) clearTimeout(timer)
      await Promise.all(working.map(({ worker }) => worker && endThread(worker)))
    },
  }
}
