import { freePort, startServer } from '../support/server.ts'
import { audit } from './ledger.ts'
import { type Attempt, create, writeLoad } from './load.ts'

/**
 * Kills the service in the middle of writes, again and again, and counts what was promised and is not there.
 * @param writeMs how long it is let write before each kill, at most
 */
export async function killRounds(data: string, rounds: number, { perSecond = 200, writeMs = 400 } = {}) {
  const port = await freePort()
  const attempts: Attempt[] = []
  const readyMs: number[] = []
  let retried = 0
  let replayed = 0
  for (let round = 0; round < rounds; round++) {
    const server = await startServer({ data, port })
    readyMs.push(server.readyMs)
    const token = await server.token()
    // What the last round never heard of is asked for again: once there, never twice.
    for (const attempt of attempts.filter((a) => a.id === undefined)) {
      const { status, body, headers } = await create(server, token, attempt.key)
      if (status !== 201) throw new Error(`a retry was answered ${status} ${JSON.stringify(body)}`)
      attempt.id = String(body.id)
      retried++
      if (headers.has('idempotency-replayed')) replayed++
    }
    const load = writeLoad(server, token, `round-${round}`, perSecond)
    // Spread over the whole span, and so over all phases of a commit and a checkpoint.
    await Bun.sleep(40 + ((round * 37) % writeMs))
    await server.end('SIGKILL')
    attempts.push(...(await load.stop()))
    const refused = attempts.find((a) => a.problem !== undefined && a.problem !== 'no answer')
    if (refused) throw new Error(`a write was answered ${refused.problem}`)
  }
  const server = await startServer({ data, port })
  readyMs.push(server.readyMs)
  const token = await server.token()
  for (const attempt of attempts.filter((a) => a.id === undefined))
    attempt.id = String((await create(server, token, attempt.key)).body.id)
  const books = audit(data, attempts)
  const ended = await server.end('SIGTERM')
  // The first start makes the database and its sample data; the others follow a kill.
  const restarts = readyMs.slice(1).sort((a, b) => a - b)
  return {
    rounds,
    ...books,
    retried,
    replayed,
    firstReadyMs: readyMs[0],
    medianReadyMs: restarts[Math.floor(restarts.length / 2)],
    slowestReadyMs: restarts.at(-1),
    exit: ended.code,
  }
}
