// What Loyer is compared with: bare Bun.serve, better-sqlite3 and JSON.stringify on the same rows and columns, no sign-in.
import Database from 'better-sqlite3'
import { getTableColumns } from 'drizzle-orm'
import { invoice } from '../../db/schema/invoices.ts'

const [file = '', orgId = '', middleId = ''] = process.argv.slice(2)
const { ownerUserId: _o, replacedById: _r, updatedAt: _u, version: _v, ...columns } = getTableColumns(invoice)
const select = `select ${Object.entries(columns)
  .map(([name, c]) => `${c.name} as ${name}`)
  .join(', ')} from invoice where org_id = ?`

const db = new Database(file, { readonly: true })
db.pragma('cache_size = -65536')
const first = db.prepare(`${select} order by id desc limit 50`)
const after = db.prepare(`${select} and id < ? order by id desc limit 50`)
const one = db.prepare(`${select} and id = ?`)
const like = [
  'select id, full_name title, phone_number subtitle from tenant where org_id = ? and full_name like ? limit 20',
  'select id, name title, address_line subtitle, status from property where org_id = ? and name like ? limit 20',
  'select id, label title, status, property_id propertyId from unit where org_id = ? and label like ? limit 20',
  'select id, tenant_name title, unit_label subtitle, status from booking where org_id = ? and tenant_name like ? limit 20',
].map((sql) => db.prepare(sql))
const roll = db.prepare(`select p.id propertyId, p.name propertyName, u.id unitId, u.label unitLabel, b.id bookingId,
    b.rent_amount rentAmount, i.tenant_name tenantName, i.id invoiceId, i.number invoiceNumber, i.period_start periodStart,
    i.period_end periodEnd, i.due_date dueDate, i.gross_amount grossAmount, i.credited_amount creditedAmount,
    i.amount_paid - i.credited_amount amountPaid, i.gross_amount - i.amount_paid balanceAmount, i.status
  from property p join unit u on u.org_id = p.org_id and u.property_id = p.id
    join booking b on b.org_id = u.org_id and b.unit_id = u.id
    join invoice i on i.booking_id = b.id and i.period_start between ? and ? and i.replaced_by_id is null
  where p.org_id = ? and i.status <> 'CANCELLED' order by p.name, u.label`)
const json = (value: unknown) =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } })

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  routes: {
    '/list': () => json(first.all(orgId)),
    '/list/:after': (request) => json(after.all(orgId, request.params.after)),
    '/search/:words': (request) =>
      json(like.flatMap((statement) => statement.all(orgId, `%${decodeURIComponent(request.params.words)}%`))),
    '/rent-roll/:from/:to': ({ params }) => json({ rows: roll.all(params.from, params.to, middleId) }),
    '/one/:id': (request) => json(one.get(orgId, request.params.id)),
  },
})
process.stdout.write(`${JSON.stringify({ port: server.port })}\n`)
