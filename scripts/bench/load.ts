// A load generator: keep-alive connections, each with one request under way, over plain sockets, so that the client
// costs little beside the servers it compares.

/** Counts an answer's bytes: its end is known from Content-Length, which every answer under test carries. */
type Connection = { send: (request: string) => Promise<number> }
export type Target = {
  readonly port: number
  /** The next request's text; called in turn, never the same list in a row unless that is what is measured. */
  readonly next: () => string
  /** Anything else ends the run: a fast refusal is no result. */
  readonly status: number
}

const HEAD_END = '\r\n\r\n'
/** More than the head of any answer here; the rest of the first chunk is only counted. */
const HEAD_BYTES = 4096

function connect(port: number, status: number): Promise<Connection & { end: () => void }> {
  return new Promise((ready, failed) => {
    let head = ''
    let left = -1
    let answered: (bytes: number) => void = () => {}
    let refused: (error: Error) => void = failed
    let size = 0
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
            size = status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
            body = chunk.byteLength - (end + HEAD_END.length - before)
            left = size
          }
          left -= body
          if (left === 0) answered(size)
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

export type Round = { readonly perSecond: number; readonly bytes: number }
export type Load = { readonly round: (ms: number) => Promise<Round>; readonly close: () => void }

/** Rounds of requests over the same `connections`; a round ends when its last answer is in. */
export async function load(target: Target, connections: number): Promise<Load> {
  const open = await Promise.all(Array.from({ length: connections }, () => connect(target.port, target.status)))
  return {
    async round(ms) {
      const began = performance.now()
      const until = began + ms
      let count = 0
      let bytes = 0
      await Promise.all(
        open.map(async ({ send }) => {
          while (performance.now() < until) {
            bytes += await send(target.next())
            count += 1
          }
        }),
      )
      return { perSecond: (count * 1000) / (performance.now() - began), bytes: count === 0 ? 0 : bytes / count }
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
  readonly ofOne: number
  readonly ofOther: number
}

const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.round((values.length - 1) * q)] ?? Number.NaN

/** Rounds of both in turn, the order changing each time: what else the machine does hits both alike. */
export async function compare(
  one: Target,
  other: Target,
  { rounds, ms, connections }: { rounds: number; ms: number; connections: number },
): Promise<Comparison> {
  const a = await load(one, connections)
  const b = await load(other, connections)
  const ones: number[] = []
  const others: number[] = []
  // One round each to warm up.
  for (let i = -1; i < rounds; i++) {
    const first = i % 2 === 0 ? a : b
    const second = i % 2 === 0 ? b : a
    const x = (await first.round(ms)).perSecond
    const y = (await second.round(ms)).perSecond
    if (i < 0) continue
    ones.push(first === a ? x : y)
    others.push(first === a ? y : x)
  }
  a.close()
  b.close()
  const ratios = ones.map((x, i) => x / (others[i] ?? Number.NaN))
  return {
    ratio: quantile(ratios, 0.5),
    low: quantile(ratios, 0.25),
    high: quantile(ratios, 0.75),
    ofOne: quantile(ones, 0.5),
    ofOther: quantile(others, 0.5),
  }
}
