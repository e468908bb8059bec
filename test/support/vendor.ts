import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Seen = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
type Answer = { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
/** What a vendor does with a request; `half` begins an answer and never ends it. */
export type Mode = Answer | 'hang' | 'half' | 'reset'

let serial = 0
/** What each vendor says when it takes a message. */
export const TAKEN = {
  'whatsapp-cloud': () => ({ messaging_product: 'whatsapp', messages: [{ id: `wamid.${++serial}` }] }),
  infobip: () => ({
    messages: [{ messageId: `ib-${++serial}`, status: { groupId: 1, groupName: 'PENDING', name: 'PENDING_ENROUTE' } }],
  }),
  twilio: () => ({ sid: `SM${++serial}`, status: 'queued', error_code: null }),
  http: () => ({ id: `gw-${++serial}` }),
} as const
export const taken = (vendor: keyof typeof TAKEN): Answer => ({ status: 200, body: JSON.stringify(TAKEN[vendor]()) })

/** A messaging vendor on loopback, which writes down what it is asked and answers as it is told. */
export async function createVendor() {
  const seen: Seen[] = []
  let mode: (seen: Seen) => Mode = () => ({ status: 200, body: '{}' })
  const open = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      seen.push(one)
      const answer = mode(one)
      if (answer === 'reset') return void request.socket.destroy()
      open.add(response)
      if (answer === 'hang') return
      if (answer === 'half') {
        response.writeHead(200, { 'content-type': 'application/json' })
        return void response.write('{"messages":')
      }
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      response.end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** From now on. */
    answers: (next: Mode | ((seen: Seen) => Mode)) => {
      mode = typeof next === 'function' ? next : () => next
    },
    async close() {
      for (const response of open) response.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
