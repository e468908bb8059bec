import { once } from 'node:events'
import { connect } from 'node:net'
import { type Server, startServer } from '../support/server.ts'
import { audit } from './ledger.ts'
import { writeLoad } from './load.ts'

/** A token, once the service has loaded all that its first request asks for. */
async function whole(server: Server): Promise<string> {
  const token = await server.token()
  await server.call(token, 'GET /api/v1/me')
  return token
}

/** A request whose body comes in two halves, `between` apart: it is in flight for as long as that. @returns the answer's first line */
export async function slowRequest(
  server: Server,
  token: string,
  name: string,
  between: Promise<unknown>,
): Promise<string> {
  const body = JSON.stringify({ name, addressLine: 'Rue lente', city: 'Douala' })
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += String(chunk)
  })
  socket.on('error', () => {})
  const head = `POST /api/v1/properties HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: ${body.length}\r\nIdempotency-Key: ${name}\r\n\r\n${body.slice(0, 10)}`)
  await between
  socket.write(body.slice(10))
  for (let waited = 0; waited < 3000 && !answer.includes('\r\n\r\n') && !socket.closed; waited += 20)
    await Bun.sleep(20)
  socket.destroy()
  return answer.split('\r\n')[0] ?? ''
}

/** SIGTERM under writes and with a request half sent. */
export async function stopUnderLoad(data: string, port: number, round: number) {
  const server = await startServer({ data, port })
  const token = await whole(server)
  let go = (_: unknown) => {}
  const half = slowRequest(server, token, `slow-${round}`, new Promise((resolve) => (go = resolve)))
  const load = writeLoad(server, token, `stop-${round}`)
  // On a full machine a connection waits before the service has it: once others were answered, all are there.
  while (load.attempts.filter(({ id }) => id !== undefined).length < 16) await Bun.sleep(5)
  await Bun.sleep(150 + ((round * 29) % 200))
  const signalledAt = performance.now()
  const ending = server.end('SIGTERM')
  await Bun.sleep(300)
  go(undefined)
  const slow = await half
  const ended = await ending
  const attempts = await load.stop()
  return {
    code: ended.code,
    ms: ended.ms,
    slow,
    /** Sent well before the signal, and never answered. */
    dropped: attempts
      .filter((a) => a.id === undefined && a.sentAt < signalledAt - 50)
      .map((a) => `${a.key} ${a.problem}`),
    ...audit(data, attempts),
  }
}

/** SIGTERM while a client holds a request open without ever ending it. */
export async function hangingRequest(data: string) {
  const server = await startServer({ data })
  const token = await whole(server)
  const never = slowRequest(server, token, 'never', new Promise(() => {}))
  void never
  await Bun.sleep(200)
  const ended = await server.end('SIGTERM')
  return { ...ended, output: server.output() }
}
