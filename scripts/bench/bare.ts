// What Loyer is compared with: bare Bun.serve, better-sqlite3 and JSON.stringify on the same rows and columns, no sign-in.
import Database from 'better-sqlite3'
import { getTableColumns } from 'drizzle-orm'
import { invoice } from '../../db/schema/invoices.ts'

const [file = '', orgId = ''] = process.argv.slice(2)
const { ownerUserId: _o, replacedById: _r, updatedAt: _u, version: _v, ...columns } = getTableColumns(invoice)
const select = `select ${Object.entries(columns)
  .map(([name, c]) => `${c.name} as ${name}`)
  .join(', ')} from invoice where org_id = ?`

const db = new Database(file, { readonly: true })
db.pragma('cache_size = -65536')
const first = db.prepare(`${select} order by id desc limit 50`)
const after = db.prepare(`${select} and id < ? order by id desc limit 50`)
const one = db.prepare(`${select} and id = ?`)
const json = (value: unknown) =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } })

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: {
    '/list': () => json(first.all(orgId)),
    '/list/:after': (request) => json(after.all(orgId, request.params.after)),
    '/one/:id': (request) => json(one.get(orgId, request.params.id)),
  },
})
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`)
