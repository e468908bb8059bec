import { Webhook } from 'standardwebhooks'
import http from 'node:http'
const secrets: Record<string,string> = {}
const log: Record<string, number> = {}
const server = http.createServer((req, res) => {
  const path = req.url ?? ''
  let body = ''
  req.on('data', (c) => (body += c))
  req.on('end', () => {
    if (path.startsWith('/secret/')) { secrets[path.slice(8)] = body; return res.end() }
    if (path === '/stats') return res.end(JSON.stringify(log))
    let ok = 'unverified'
    const s = secrets[path.slice(1)]
    if (s) try { new Webhook(s).verify(body, req.headers as never); ok = 'verified' } catch (e) { ok = 'BAD ' + e }
    const k = `${path} ${ok}`
    log[k] = (log[k] ?? 0) + 1
    if (path === '/good') return res.end('ok')
    if (path === '/hang') return
    if (path === '/redirect') { res.writeHead(307, { location: '/good' }); return res.end() }
    if (path === '/e500') { res.writeHead(500); return res.end() }
    if (path === '/big') { res.writeHead(200, { 'content-length': 104857600 }); const b = Buffer.alloc(1 << 20); let n = 0; const w = () => { while (n++ < 100) if (!res.write(b)) return res.once('drain', w); res.end() }; res.on('error', () => {}); return w() }
    if (path === '/midway') { req.socket.write('HTTP/1.1 200 OK\r\ncont'); return req.socket.destroy() }
    if (path === '/drip') { let i = 0; const t = setInterval(() => { try { req.socket.write('HTTP/1.1 200 OK\r\nx-a: '[i++] ?? 'b') } catch {} }, 300); req.socket.on('close', () => clearInterval(t)); return }
    res.end()
  })
})
server.on('clientError', (_e, s) => s.destroy())
server.listen(28432, '127.0.0.1')
