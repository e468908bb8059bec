// A landlord's own system that is told of events, and a lease that makes some.
import { afterAll } from 'bun:test'
import { createDeliverer } from '../../src/features/data/events/jobs.ts'
import { EVENT_TYPES, type EventObject, objectOf } from '../../src/features/data/events/rules.ts'
import { createTestApp, type TestApp } from './app.ts'

export const MIA = 'MANAGER.mia'
export const ADA = 'ADMIN.ada'
const ANA = 'OWNER.ana'
export const SECOND = 1000
export const HOUR = 3600 * SECOND

export type Got = { readonly headers: Record<string, string>; readonly body: string }
/** A receiver that notes what comes, verifies nothing and answers as told. */
export function receiver() {
  const got: Got[] = []
  let answer: () => Response | Promise<Response> = () => new Response('ok')
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      got.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
      return answer()
    },
  })
  return {
    got,
    url: `http://127.0.0.1:${server.port}/hook`,
    answers: (fn: typeof answer) => {
      answer = fn
    },
    stop: () => server.stop(true),
  }
}
export const receivers: ReturnType<typeof receiver>[] = []
afterAll(() => Promise.all(receivers.map((r) => r.stop())))
type Delivery = {
  id: string
  type: string
  status: string
  attempts: number
  failure?: string
  responseStatus?: number
  nextAttemptAt?: string
}

/** An app whose manager has an endpoint for the events about these objects, or for all. */
export async function start(objects?: EventObject[], apart = false) {
  const hook = receiver()
  const events = EVENT_TYPES.filter((type) => objects?.includes(objectOf(type)))
  receivers.push(hook)
  const t = createTestApp({ config: { webhookReach: apart ? 'PUBLIC' : 'ANY' } })
  for (const who of [MIA, ADA, ANA]) await t.call(who, 'GET /api/v1/me')
  const made = await t.call(MIA, 'POST /api/v1/webhook-endpoints', { url: hook.url, ...(objects ? { events } : {}) })
  const endpoint = String(made.body.id)
  const deliveries = async (query = '') =>
    (await t.call<Delivery[]>(MIA, `GET /api/v1/webhook-endpoints/${endpoint}/deliveries?order=asc&${query}`)).body
  const deliverer = createDeliverer(t.deps)
  /** What the schedule does each second. */
  const deliver = async (): Promise<void> => {
    await t.work()
    await deliverer.round()
    await deliverer.settled()
  }
  return { t, hook, deliverer, endpoint, secret: String(made.body.secret), deliveries, deliver, made }
}

/** A lease that begins today: created, submitted, activated, its first invoice issued and paid. */
export async function lease(t: TestApp): Promise<{ booking: string; invoice: string }> {
  const property = await t.call(ANA, 'POST /api/v1/properties', { name: 'Villa', addressLine: 'R', city: 'Douala' })
  const units = await t.call(ANA, `POST /api/v1/properties/${property.body.id}/units`, { label: 'A', rentAmount: 9000 })
  const tenant = await t.call(ANA, 'POST /api/v1/tenants', { fullName: 'Paul Biyong' })
  const made = await t.call(ANA, 'POST /api/v1/bookings', {
    unitId: units.body.id,
    tenantId: tenant.body.id,
    startDate: '2026-03-10',
  })
  const booking = String(made.body.id)
  await t.call(ANA, `POST /api/v1/bookings/${booking}/submit`)
  await t.call(ANA, `POST /api/v1/bookings/${booking}/activate`)
  await t.work()
  const invoices = await t.call<{ id: string }[]>(ANA, `GET /api/v1/invoices?bookingId=${booking}`)
  const invoice = invoices.body[0]?.id ?? ''
  await t.call(ANA, `POST /api/v1/invoices/${invoice}/payments`, {
    amount: 9000,
    method: 'CASH',
    paidOn: '2026-03-10',
  })
  return { booking, invoice }
}
