// Opens connections that say nothing, and some that send a body byte by byte; says when all are open.
import { connect } from 'node:net'

const [port = 0, idle = 0, slow = 0] = process.argv.slice(2).map(Number)
let refused = 0
const open = (first?: string) =>
  new Promise<ReturnType<typeof connect>>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      if (first !== undefined) socket.write(first)
      resolve(socket)
    })
    socket.on('error', () => {
      refused += 1
      resolve(socket)
    })
  })
for (let i = 0; i < idle; i += 250) await Promise.all(Array.from({ length: 250 }, () => open()))
const head =
  'POST /api/v1/sandbox/token HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{'
const slowly = await Promise.all(Array.from({ length: slow }, () => open(head)))
setInterval(() => {
  for (const socket of slowly) if (!socket.destroyed) socket.write(' ')
}, 500)
process.stdout.write(`open ${idle + slow - refused}\n`)
