// From nothing to a paid invoice, and told of it. Start a sandbox (`npm start`), then LOYER=http://localhost:3000 bun ten-minutes.ts
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createClient, list, ok } from './client.ts'

const baseUrl = process.env.LOYER ?? 'http://localhost:3000'
const print = (line: string): void => void process.stdout.write(`${line}\n`)

// 1. A token: a sandbox gives one for each role. In an app of your own people sign in instead (`createSession`).
async function clientOf(role: 'OWNER' | 'MANAGER') {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${baseUrl}/api/v1/sandbox/token`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ role }),
  })
  const { access_token: token }: { access_token: string } = await answer.json()
  return createClient({ baseUrl, token })
}
const owner = await clientOf('OWNER')
const me = ok(await owner.GET('/api/v1/me'))
print(`1 signed in as ${me.firstName} ${me.lastName}, ${me.roles.join()}`)

// 2. A property with a unit to let.
const address = { name: 'Villa Bonapriso', addressLine: 'Rue Njo Njo', city: 'Douala' }
const property = ok(await owner.POST('/api/v1/properties', { body: address }))
const inProperty = { params: { path: { id: property.id } } }
const unit = ok(
  await owner.POST('/api/v1/properties/{id}/units', { ...inProperty, body: { label: 'A1', rentAmount: 85_000 } }),
)
if (!('id' in unit)) throw new Error('one label makes one unit')
print(`2 ${property.name}, ${unit.label}: ${unit.rentAmount} ${unit.rentCurrency} a month`)

// 3. A lease: drawn up, sent out for signing, and begun. Signing by code and on paper are in the reference.
const startDate = new Date().toISOString().slice(0, 10)
const tenant = ok(await owner.POST('/api/v1/tenants', { body: { fullName: 'Awa Ngassa' } }))
const drawn = ok(await owner.POST('/api/v1/bookings', { body: { unitId: unit.id, tenantId: tenant.id, startDate } }))
const ofLease = { params: { path: { id: drawn.id } } }
ok(await owner.POST('/api/v1/bookings/{id}/submit', ofLease))
const lease = ok(await owner.POST('/api/v1/bookings/{id}/activate', ofLease))
print(`3 the lease of ${lease.startDate} is ${lease.status}`)

// 4. Its first invoice: issued by the service within five seconds, as the next ones are when their month begins.
async function firstInvoice() {
  const query = { bookingId: lease.id }
  for (let tries = 0; tries < 50; tries += 1) {
    for await (const invoice of list(owner, '/api/v1/invoices', { query })) return invoice
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('no invoice was issued')
}
const invoice = await firstInvoice()
print(
  `4 invoice ${invoice.number}: ${invoice.grossAmount} ${invoice.currency}, due ${invoice.dueDate}, ${invoice.status}`,
)

// 5. A webhook: an address of yours that is told of events. The secret, shown once, proves that they come from here.
let secret = ''
const receiver = createServer(async (request, response) => {
  const body = await text(request)
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = request.headers
  const mac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64')).update(`${id}.${at}.${body}`)
  const isGenuine = String(signatures)
    .split(' ')
    .includes(`v1,${mac.digest('base64')}`)
  response.writeHead(isGenuine ? 204 : 401).end()
  if (isGenuine) receiver.emit('event', JSON.parse(body))
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const manager = await clientOf('MANAGER')
const { port } = receiver.address() as { port: number }
const body = { url: `http://127.0.0.1:${port}/loyer`, events: ['invoice.paid' as const] }
const endpoint = ok(await manager.POST('/api/v1/webhook-endpoints', { body }))
secret = endpoint.secret
const ofEndpoint = { params: { path: { id: endpoint.id } } }
const tested = once(receiver, 'event')
ok(await manager.POST('/api/v1/webhook-endpoints/{id}/test', ofEndpoint))
print(`5 ${(await tested)[0].type} has arrived`)

// 6. A payment, and what the webhook says of it: names and amounts are read from the API.
const paid = once(receiver, 'event')
const money = { amount: invoice.balanceAmount, method: 'CASH', paidOn: startDate } as const
const payment = ok(
  await owner.POST('/api/v1/invoices/{id}/payments', { params: { path: { id: invoice.id } }, body: money }),
)
const [event] = await paid
const now = ok(await owner.GET('/api/v1/invoices/{id}', { params: { path: { id: event.data.id } } }))
print(`6 payment ${payment.status}, ${event.type}: invoice ${now.number} is ${now.status}, ${now.balanceAmount} left`)

ok(await manager.DELETE('/api/v1/webhook-endpoints/{id}', ofEndpoint))
receiver.close()
