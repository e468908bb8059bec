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
  /** The worker is replaced after this many documents, because memory of fonts and layouts accumulates. */
  readonly recycleAfter?: number
  readonly timeoutMs?: number
  readonly maxWaiting?: number
  readonly spawn?: () => Worker
}

/**
 * One warm worker that draws documents one at a time. A worker that crashes or times out fails the current document
 * only: the next one gets a new worker.
 */
export function createPdf({
  recycleAfter = 300,
  timeoutMs = 20_000,
  maxWaiting = 256,
  spawn = () => startThread('pdf'),
}: Options = {}): Pdf {
  const waiting: Turn[] = []
  let worker: Worker | undefined
  let drawn = 0
  let inHand: Turn | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false

  function finish(settle: (turn: Turn) => void): void {
    clearTimeout(timer)
    const turn = inHand
    inHand = undefined
    if (turn) settle(turn)
    if (drawn >= recycleAfter) drop()
    // An idle worker must not keep a finished process alive.
    if (waiting.length === 0) worker?.unref()
    next()
  }
  /** Releases the worker; its later messages and its exit no longer count. */
  function drop(): void {
    const old = worker
    worker = undefined
    drawn = 0
    if (old) void endThread(old)
  }
  function died(error: Error): void {
    drop()
    finish((turn) => turn.reject(error))
  }
  function start(): Worker {
    const fresh = spawn()
    fresh.on('message', (reply: Reply) => {
      drawn += 1
      finish((turn) => ('bytes' in reply ? turn.resolve(reply.bytes) : turn.reject(new Error(reply.error))))
    })
    fresh.on('error', (e: unknown) => died(e instanceof Error ? e : new Error(String(e))))
    fresh.on('exit', (code) => died(new Error(`the drawing process ended with ${code}`)))
    return fresh
  }
  function next(): void {
    if (inHand || closed) return
    inHand = waiting.shift()
    if (!inHand) return
    timer = setTimeout(() => died(new Error(`the drawing took longer than ${timeoutMs} ms`)), timeoutMs)
    try {
      worker ??= start()
      worker.ref()
      worker.postMessage(inHand.ask)
    } catch (e) {
      died(e instanceof Error ? e : new Error(String(e)))
    }
  }

  return {
    versions: {
      lease: 5,
      invoice: 7,
      receipt: 5,
      statement: 4,
      letter: 6,
      leaseNotice: 2,
      inspection: 3,
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
      clearTimeout(timer)
      const error = new Error('closed')
      for (const turn of [...(inHand ? [inHand] : []), ...waiting.splice(0)]) turn.reject(error)
      inHand = undefined
      const old = worker
      worker = undefined
      if (old) await endThread(old)
    },
  }
}
