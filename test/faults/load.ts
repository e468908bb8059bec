import type { Server } from '../support/server.ts'

export type Attempt = { readonly key: string; readonly sentAt: number; id?: string; problem?: string }
export type Load = {
  /** Every write asked for; those with an id were acknowledged. */
  readonly attempts: readonly Attempt[]
  /** Sends nothing more and waits for what is on its way. */
  readonly stop: () => Promise<readonly Attempt[]>
}

const property = (key: string) => ({ name: key, addressLine: 'Derrière la pharmacie', city: 'Douala' })

/** Creates a property under an Idempotency-Key; the key is its name, so that effects can be counted. */
export const create = (server: Server, token: string, key: string) =>
  server.call(token, 'POST /api/v1/properties', property(key), { 'idempotency-key': key })

/** Writes at a steady pace over some connections, each write under its own key, until told to stop. */
export function writeLoad(server: Server, token: string, word: string, perSecond = 200, connections = 8): Load {
  const attempts: Attempt[] = []
  const began = performance.now()
  let stopped = false
  async function connection(): Promise<void> {
    while (!stopped) {
      const due = began + (attempts.length * 1000) / perSecond
      if (performance.now() < due) {
        await Bun.sleep(Math.max(1, due - performance.now()))
        continue
      }
      const attempt: Attempt = { key: `${word}-${attempts.length}`, sentAt: performance.now() }
      attempts.push(attempt)
      try {
        const { status, body } = await create(server, token, attempt.key)
        if (status === 201) attempt.id = String(body.id)
        else attempt.problem = `${status} ${String(body.code)}`
      } catch {
        attempt.problem = 'no answer'
        if (server.ended()) return
        await Bun.sleep(2)
      }
    }
  }
  const all = Promise.all(Array.from({ length: connections }, connection))
  return {
    attempts,
    async stop() {
      stopped = true
      await all
      return attempts
    },
  }
}
