// A load generator: keep-alive connections, each with one request under way, over plain sockets, so that the client
// costs little beside the servers it compares.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An answer's end is known from Content-Length, which every answer under test carries. */
type Connection = { send: (request: string) => Promise<void> }
export type Target = {
  readonly port: number
  readonly pid: number
  /** The next request's text; called in turn, never the same list in a row unless that is what is measured. */
  readonly next: () => string
  /** Anything else ends the run: a fast refusal is no result. */
  readonly status: number
}

const HEAD_END = '\r\n\r\n'
/** More than the head of any answer here; the rest of the first chunk is only counted. */
const HEAD_BYTES = 4096

/** A keep-alive connection that takes one request after the other. */
export function connect(port: number, status: number): Promise<Connection & { end: () => void }> {
  return new Promise((ready, failed) => {
    let head = ''
    let left = -1
    let answered: () => void = () => {}
    let refused: (error: Error) => void = failed
    void Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: {
        open(socket) {
          ready({
            send: (request) =>
              new Promise((resolve, reject) => {
                answered = resolve
                refused = reject
                head = ''
                left = -1
                socket.write(request)
              }),
            end: () => void socket.end(),
          })
        },
        data(_socket, chunk) {
          let body = chunk.byteLength
          if (left < 0) {
            const before = head.length
            head += chunk.toString('latin1', 0, HEAD_BYTES)
            const end = head.indexOf(HEAD_END)
            if (end < 0) return
            if (!head.startsWith(`HTTP/1.1 ${status}`)) return refused(new Error(head.slice(0, 2000)))
            body = chunk.byteLength - (end + HEAD_END.length - before)
            left = status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
          }
          left -= body
          if (left === 0) answered()
          else if (!(left > 0))
            refused(new Error(`an answer without length, or longer than it:\n${head.slice(0, 500)}`))
        },
        close: () => refused(new Error('the server closed the connection')),
        error: (_socket, error) => refused(error),
        connectError: (_socket, error) => refused(error),
      },
    })
  })
}

/**
 * Seconds of processor time that a process has had, all its threads or one of them; undefined where the system does not say (only Linux
 * does so finely). By it a server is judged alone, however much the client or others take of the same processors.
 */
export function processorSeconds(pid: number, thread?: number): number | undefined {
  try {
    const tasks = `/proc/${pid}/task`
    const spent = (task: string) => Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0])
    return (
      (thread === undefined ? readdirSync(tasks) : [String(thread)]).reduce((sum, task) => sum + spent(task), 0) / 1e9
    )
  } catch {
    return undefined
  }
}

/** Requests of a second by the clock, and of a second of the server's processor time where the system says that. */
type Pace = { readonly clock: number; readonly processor: number }
export type Load = { readonly round: (ms: number) => Promise<Pace>; readonly close: () => void }

/** Rounds of requests over the same `connections`. */
export async function load(target: Target, connections: number): Promise<Load> {
  const open = await Promise.all(Array.from({ length: connections }, () => connect(target.port, target.status)))
  return {
    async round(ms) {
      const began = performance.now()
      const before = processorSeconds(target.pid)
      const until = began + ms
      let count = 0
      await Promise.all(
        open.map(async ({ send }) => {
          while (performance.now() < until) {
            await send(target.next())
            count += 1
          }
        }),
      )
      const clock = count / ((performance.now() - began) / 1000)
      const after = processorSeconds(target.pid)
      return { clock, processor: before === undefined || after === undefined ? clock : count / (after - before) }
    },
    close: () => {
      for (const { end } of open) end()
    },
  }
}

export type Comparison = {
  /** Requests of a second of the one, divided by those of the other: the median of the rounds and its quartiles. */
  readonly ratio: number
  readonly low: number
  readonly high: number
  /** The median ratio by the other measure: by the clock where the bar goes by processor time, and the reverse. */
  readonly otherwise: number
  readonly ofOne: number
  readonly ofOther: number
}

export const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.round((values.length - 1) * q)] ?? Number.NaN

type Rounds = {
  readonly rounds: number
  /** The length of a round, and of what goes before all of them and does not count. */
  readonly ms: number
  readonly warmMs: number
  readonly connections: number
  readonly byClock: boolean
}

/** Rounds of both in turn, the order changing each time: what else the machine does hits both alike. */
export async function compare(
  one: Target,
  other: Target,
  { rounds, ms, warmMs, connections, byClock }: Rounds,
): Promise<Comparison> {
  const a = await load(one, connections)
  const b = await load(other, connections)
  const ones: Pace[] = []
  const others: Pace[] = []
  // Code that runs for hours is compiled for it.
  await a.round(warmMs)
  await b.round(warmMs)
  for (let i = 0; i < rounds; i++) {
    const first = i % 2 === 0 ? a : b
    const second = i % 2 === 0 ? b : a
    const x = await first.round(ms)
    const y = await second.round(ms)
    ones.push(first === a ? x : y)
    others.push(first === a ? y : x)
  }
  a.close()
  b.close()
  const by = byClock ? 'clock' : 'processor'
  const not = byClock ? 'processor' : 'clock'
  const ratios = (of: keyof Pace): number[] => ones.map((x, i) => x[of] / (others[i]?.[of] ?? Number.NaN))
  const middle = (paces: readonly Pace[]): number =>
    quantile(
      paces.map((p) => p[by]),
      0.5,
    )
  return {
    ratio: quantile(ratios(by), 0.5),
    low: quantile(ratios(by), 0.25),
    high: quantile(ratios(by), 0.75),
    otherwise: quantile(ratios(not), 0.5),
    ofOne: middle(ones),
    ofOther: middle(others),
  }
}

/**
 * How often the other's processor time is Loyer's, in interleaved rounds; milliseconds of each for one. Both run in this
 * process, unless `pid` is of the one that does Loyer's work.
 */
export async function interleaved(
  own: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  { each, rounds, pid }: { readonly each: number; readonly rounds: number; readonly pid?: number },
) {
  const spent = (pid?: number): number => {
    if (pid !== undefined) return (processorSeconds(pid) ?? Number.NaN) * 1000
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  async function round(one: () => Promise<unknown>, pid?: number): Promise<number> {
    const before = spent(pid)
    for (let i = 0; i < each; i++) await one()
    return (spent(pid) - before) / each
  }
  // Code that runs for hours is compiled for it.
  for (let i = 0; i < 5; i++) {
    await round(own, pid)
    await round(bare)
  }
  const pairs: [own: number, bare: number][] = []
  for (let i = 0; i < rounds; i++) {
    const first = i % 2 === 0 ? await round(bare) : 0
    pairs.push([await round(own, pid), first || (await round(bare))])
  }
  const of = (values: readonly number[]) => (q: number) => quantile(values, q)
  const [ratio, ofOwn, ofBare] = [
    of(pairs.map(([a, b]) => b / a)),
    of(pairs.map(([a]) => a)),
    of(pairs.map(([, b]) => b)),
  ]
  return { ratio: ratio(0.5), low: ratio(0.25), high: ratio(0.75), own: ofOwn(0.5), bare: ofBare(0.5) }
}
